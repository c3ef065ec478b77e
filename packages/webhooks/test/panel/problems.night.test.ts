import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import { failPending } from '../admin/fail-pending.ts';
import { serveRecipient } from '../engine/recipient.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  openGuarded,
  SUM_OF_SHIFTS,
} from './guarded-page.ts';
import { type PanelHostOptions, servePanel } from './panel-host.ts';

describe.skipIf(chromiumSkipped)('the overview above the list', BROWSER_TIMEOUT, () => {
  it('says in one sentence that nothing is wrong, and moves nothing when it comes', async () => {
    const { host } = await startWith(204);
    await host.deliver('user.deleted', { id: 1 });
    const page = await openGuarded(host.url);
    await page.addInitScript(SUM_OF_SHIFTS);
    await page.goto(host.url);
    const overview = page.getByRole('region', { name: 'Overview' });
    await overview.getByText('Nothing is wrong').waitFor();
    await overview.getByText('1 of 1 deliveries').waitFor();
    await overview.getByText(/Of the last attempt/).waitFor();
    await overview.getByText('Nothing waits').waitFor();
    expect(await page.evaluate<number>('window.shift')).toBeLessThan(0.05);
    await expectAccessible(page);
  });

  it('is left out as long as there is no webhook', async () => {
    const host = await servePanel();
    const page = await openGuarded(host.url);
    await page.getByText('No webhooks yet').waitFor();
    expect(await page.locator('.overview').count()).toBe(0);
  });

  it('resends what failed for the reason of a problem, however many failed for others since', async () => {
    const host = await startFailed([3, 401], [1_005, 503]);
    const page = await openGuarded(`${host.url}/events`);
    await page.route('**/overview', async (route) => {
      const response = await route.fetch();
      const { problems, ...json } = await response.json();
      const problem = { ...problems[0], error: 'http_401', failed: 3 };
      await route.fulfill({ response, json: { ...json, problems: [problem] } });
    });
    await page.goto(host.url);
    await page.getByRole('button', { name: /^Resend: .*HTTP 401/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send 3 again' }).waitFor();
    expect(await page.getByText('Only the newest').count()).toBe(0);
  });

  it('resends the newest 1,000 of more, and says so before', async () => {
    const host = await startFailed([1_005, 401]);
    const page = await openGuarded(host.url);
    await page.getByRole('button', { name: /^Resend: .*HTTP 401/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Only the newest 1,000 of them are sent again now.').waitFor();
    await dialog.getByRole('button', { name: 'Send 1,000 again' }).waitFor();
    await expectAccessible(page);
  });

  it('says why a delivery was refused, and not that it is selected, which it was not', async () => {
    const { host, id } = await startWith(401);
    await host.deliver('user.deleted', { id: 1 });
    const page = await openGuarded(host.url);
    await page.getByRole('button', { name: /^Resend 1:/ }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Send 1 again' });
    await confirm.waitFor();
    await host.webhooks.update(id, { isActive: false });
    await confirm.click();
    await dialog.getByRole('button', { name: 'Close' }).last().waitFor();
    await dialog.getByText(/^1 is refused/).waitFor();
    expect(await dialog.getByText('still selected').count()).toBe(0);
  });

  it('activates a webhook that was paused automatically, and resends what failed, by one button', async () => {
    const { host, state, id } = await startWith(410, 'gone', { disableOnGone: true });
    await host.deliver('user.deleted', { id: 1 });
    state.status = 204;
    const page = await openGuarded(host.url);
    await page.getByRole('button', { name: /^Activate and resend 1:/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 failed delivery would be sent again.').waitFor();
    await dialog.getByRole('button', { name: 'Send 1 again' }).click();
    await page.getByText('1 delivery on the way again.').waitFor();
    await host.webhooks.drain();
    expect(await host.webhooks.get(id)).toMatchObject({ isActive: true, stats: { success: 1, failed: 0 } });
  });

  it('shows what waits for a retry with a link to it, and no button to readers', async () => {
    const { host, id } = await startWith(500, '', { delaysMs: [3_600_000], readOnly: true });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await expect.poll(async () => (await host.webhooks.deliveries(id)).deliveries[0]?.error).toBe('http_500');
    const page = await openGuarded(host.url);
    const problem = page.getByRole('region', { name: 'Overview' }).getByRole('listitem');
    await problem.getByText('1 waits for a retry').waitFor();
    expect(await problem.getByRole('button').count()).toBe(0);
    await problem.getByRole('link', { name: 'The recipient answered HTTP 500' }).click();
    await page.getByRole('dialog').waitFor();
  });

  it('leaves the list in its place where it cannot be loaded, and tries again', async () => {
    const { host } = await startWith(204);
    for (let n = 0; n < 3; n += 1) {
      host.failNext('GET /api/admin/webhooks/overview', 503, 'storage_unavailable');
    }
    const page = await openGuarded(host.url);
    await page.getByText('The overview could not be loaded').waitFor();
    await page.getByRole('row').filter({ hasText: '127.0.0.1' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Delivered in 24 hours').waitFor();
  });

  it('names a problem with the words of the recipient, never interpreted, and resends it by one button', async () => {
    const markup = `<img src=x onerror="trap('answer')">bad\u202Esignature`;
    const { host, state, id } = await startWith(401, markup);
    await host.webhooks.rotateSecret(id);
    for (let n = 0; n < 3; n += 1) await host.webhooks.dispatch('user.deleted', { id: n });
    await host.webhooks.drain();
    const page = await openGuarded(host.url);
    const problem = page.getByRole('region', { name: 'Overview' }).getByRole('listitem');
    await problem.getByText('3 failed').waitFor();
    await problem.getByRole('link', { name: 'The recipient answered HTTP 401' }).waitFor();
    await problem.getByText('Before that, the secret was rotated').waitFor();
    expect(await problem.locator('q').innerText()).toContain('<img src=x');
    expect(await problem.locator('q img').count()).toBe(0);
    expect(await problem.locator('q .hidden-character').count()).toBe(1);
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });

    state.status = 204;
    await problem.getByRole('button', { name: /^Resend 3: .*HTTP 401/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send 3 again' }).click();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await host.webhooks.drain();
    expect((await host.webhooks.get(id)).stats).toMatchObject({ success: 3, failed: 0 });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await problem.waitFor({ state: 'detached' });
    await page.getByText('Nothing is wrong').waitFor();
  });
});

/** A host with one webhook, whose recipient answers as the state says. */
async function startWith(status: number, body = '', options: PanelHostOptions = {}) {
  const state = { status };
  const recipient = await serveRecipient((_, response) =>
    response.writeHead(state.status).end(body || undefined),
  );
  const host = await servePanel(options);
  const { id } = await host.webhooks.create({ url: recipient.url });
  return { host, state, id };
}

/** A host with one webhook, of which so many deliveries have failed, each number with a status. */
async function startFailed(...failures: readonly (readonly [count: number, status: number])[]) {
  const storage = memoryStorage();
  const host = await servePanel({ storage });
  const { id: webhookId } = await host.webhooks.create({ url: 'http://127.0.0.1:9/' });
  let age = failures.length;
  for (const [count, statusCode] of failures) {
    const createdAt = new Date(Date.now() - age * 60_000).toISOString();
    age -= 1;
    const dispatch = { event: 'user.deleted', payload: '{}', createdAt, target: { webhookId } };
    await storage.recordDispatches(Array.from({ length: count }, () => dispatch));
    const recordAttempts: typeof storage.recordAttempts = (attempts) =>
      storage.recordAttempts(
        attempts.map((one) => ({ ...one, statusCode, error: `http_${statusCode}` })),
        RESULT_RULES,
      );
    await failPending({ ...storage, recordAttempts }, count);
  }
  return host;
}
