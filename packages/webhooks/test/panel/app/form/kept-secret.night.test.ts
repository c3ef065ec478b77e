import type { Page, Route } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { servePanel } from '../../panel-host.ts';

const API = '/api/admin/webhooks';
const HOOK = 'http://127.0.0.1:9/hook';
const SHOWN = 'You see this secret only now';

/**
 * Requests that the server has answered, and whose answers the page gets once `release` is called.
 */
async function holdAnswers(page: Page, fits: (method: string, path: string) => boolean) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let held = 0;
  await page.route('**/api/**', async (route: Route) => {
    const request = route.request();
    if (!fits(request.method(), new URL(request.url()).pathname)) return route.continue();
    const response = await route.fetch();
    held += 1;
    await released;
    await route.fulfill({ response }).catch(() => undefined);
  });
  onTestFinished(release);
  return { release, someHeld: () => expect.poll(() => held).toBeGreaterThan(0) };
}

async function secretOn(page: Page): Promise<string> {
  await page.getByText(SHOWN).waitFor();
  return page.getByRole('region', { name: 'Signing secret' }).innerText();
}

async function askForRotation(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
}

describe.skipIf(chromiumSkipped)('a new signing secret', BROWSER_TIMEOUT, () => {
  it('is shown although somebody tried to close the dialog while its answer was under way', async () => {
    const host = await servePanel({ webhook: { url: HOOK } });
    const page = await openGuarded(`${host.url}/1`);
    const answer = await holdAnswers(page, (_method, path) => path.endsWith('/rotate-secret'));
    await askForRotation(page);
    await answer.someHeld();
    const dialog = page.getByRole('dialog', { name: 'Rotate the signing secret?' });
    const cancel = dialog.getByRole('button', { name: 'Cancel', disabled: true });
    // A busy machine draws this later than the request is sent.
    await cancel.waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await cancel.isVisible()).toBe(true);
    expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
    answer.release();
    expect(await secretOn(page)).toMatch(/^whsec_/);
  });

  it('is shown on whatever page somebody went to before its answer came', async () => {
    const host = await servePanel({ webhook: { url: HOOK } });
    const page = await openGuarded(host.url);
    await page.getByRole('link', { name: HOOK }).click();
    const answer = await holdAnswers(page, (_method, path) => path.endsWith('/rotate-secret'));
    await askForRotation(page);
    await answer.someHeld();
    await page.goBack();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    answer.release();
    expect(await secretOn(page)).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(SHOWN).waitFor({ state: 'detached' });
    expect(page.url()).toBe(host.url);
  });

  it('stays on the page when the session ends meanwhile, until somebody has stored it', async () => {
    const host = await servePanel({ webhook: { url: HOOK } });
    const page = await openGuarded(`${host.url}/1`);
    await page.getByRole('heading', { name: HOOK }).waitFor();
    const reads = await holdAnswers(page, (method) => method === 'GET');
    await askForRotation(page);
    const secret = await secretOn(page);
    await reads.someHeld();
    await page.unroute('**/api/**');
    const refused = page.waitForResponse((response) => response.status() === 401);
    host.session = 'expired';
    host.isRenewable = false;
    reads.release();
    // The browser comes back to the tab: everything is read again.
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await refused;
    await page.getByText('Your session has ended.').first().waitFor({ state: 'attached' });
    expect(await secretOn(page)).toBe(secret);
    expect(page.url()).toBe(`${host.url}/1`);
    expect(host.requests).toContain(`GET ${API}/1`);
  });

  it('is not lost to a slip: the browser asks before the page is left', async () => {
    const host = await servePanel({ webhook: { url: HOOK } });
    const page = await openGuarded(`${host.url}/1`, { mayAsk: true });
    const asked: string[] = [];
    page.on('dialog', (dialog) => asked.push(dialog.type()));
    const answer = await holdAnswers(page, (_method, path) => path.endsWith('/rotate-secret'));
    await askForRotation(page);
    await answer.someHeld();
    await page.evaluate('setTimeout(() => location.reload())');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    answer.release();
    const secret = await secretOn(page);
    await page.evaluate('setTimeout(() => location.reload())');
    await expect.poll(() => asked).toHaveLength(2);
    expect(await secretOn(page)).toBe(secret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(SHOWN).waitFor({ state: 'detached' });
    await page.reload();
    expect(asked).toEqual(['beforeunload', 'beforeunload']);
  });
});

describe.skipIf(chromiumSkipped)('a webhook that is being deleted', BROWSER_TIMEOUT, () => {
  it('leaves its page when that is done, although somebody tried to close the dialog', async () => {
    const host = await servePanel({ webhook: { url: HOOK } });
    const page = await openGuarded(`${host.url}/1`);
    const answer = await holdAnswers(page, (method) => method === 'DELETE');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await answer.someHeld();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    // A read finds the webhook gone before the answer comes.
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('There is no such webhook').waitFor();
    answer.release();
    await page.getByText(`${HOOK} is deleted.`).waitFor();
    await page.getByText('No webhooks yet').waitFor();
  });
});
