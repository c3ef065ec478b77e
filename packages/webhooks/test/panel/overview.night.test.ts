import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectAccessible, expectNoSidewaysScroll, openGuarded } from './guarded-page.ts';
import { DEAD, servePanel } from './panel-host.ts';

const POLL_MS = 6_000;
const BY_RESULT_MS = 16_000;

describe.skipIf(chromiumSkipped)('an overview', BROWSER_TIMEOUT, () => {
  it('finds what has come to fail where nothing failed before', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const list = await openGuarded(host.url);
    await list.clock.install();
    await list.goto(`${host.url}?status=degraded`);
    await list.getByText('No webhook matches').waitFor();
    const deliveries = await openGuarded(host.url);
    await deliveries.clock.install();
    await deliveries.goto(`${host.url}/deliveries?status=failed`);
    await deliveries.getByText('No delivery matches').waitFor();
    await host.deliver('user.deleted', { id: 1 });
    for (const page of [list, deliveries]) {
      await page.clock.runFor(BY_RESULT_MS);
      await page.getByRole('row').filter({ hasText: '127.0.0.1' }).waitFor();
      await page.getByText('Updated just now').waitFor();
    }
  });

  it('shows the first webhook of a list that was empty', async () => {
    const host = await servePanel();
    const page = await openGuarded(host.url);
    await page.clock.install();
    await page.goto(host.url);
    await page.getByText('No webhooks yet').waitFor();
    await page.getByText('Updated just now').waitFor();
    await host.webhooks.create({ url: DEAD });
    await page.clock.runFor(POLL_MS);
    await page.getByRole('row').filter({ hasText: '127.0.0.1' }).waitFor();
  });

  it('names who has a backlog, and leads to what waits', async () => {
    const backlogs = ['<i>acme & co</i>', '', 'b', 'c'].map((tenant, i) => ({
      tenant,
      pending: 20_000 - i,
      told: 1,
    }));
    const stepBacklogs = async () => JSON.stringify({ backlogs });
    const host = await servePanel({ storage: { ...memoryStorage(), stepBacklogs }, webhook: { url: DEAD } });
    const page = await openGuarded(host.url);
    const notice = page.getByRole('region', { name: 'Overview' });
    await notice.getByText('19,998 deliveries are waiting').waitFor();
    await notice.getByText('1 other customer has a backlog, too.').waitFor();
    await notice.getByText('<i>acme & co</i>').waitFor();
    await expectAccessible(page);
    await notice.getByRole('link', { name: '19,999 deliveries are waiting' }).waitFor();
    await notice.getByRole('link', { name: '20,000 deliveries are waiting' }).click();
    await expect
      .poll(() => page.url())
      .toBe(`${host.url}/deliveries?status=pending&tenant=%3Ci%3Eacme+%26+co%3C%2Fi%3E`);
    await page.getByText('No delivery matches').waitFor();
  });

  it('says since when the API does not answer, after two checks, until it does', async () => {
    const host = await servePanel();
    const recipient = await serveRecipient();
    const { id } = await host.webhooks.create({ url: recipient.url });
    await host.deliver('user.deleted', { id: 1 });
    const page = await openGuarded(host.url);
    await page.clock.install();
    await page.goto(`${host.url}/${id}`);
    await page.getByText('Updated just now').waitFor();
    await page.getByRole('link', { name: 'user.deleted' }).waitFor();
    const alert = page.getByRole('alert').filter({ hasText: 'Not updated since' });
    await page.route('**/changes?*', (route) => route.abort());
    for (const isSaid of [false, true]) {
      const failed = page.waitForEvent('requestfailed');
      await page.clock.runFor(POLL_MS);
      await failed;
      await expect.poll(() => alert.count()).toBe(isSaid ? 1 : 0);
    }
    await page.evaluate('scrollTo(0, 400)');
    expect((await alert.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    const filter = page.locator('.stat-counts');
    expect(await filter.evaluate((box) => box.ownerDocument.defaultView?.getComputedStyle(box).filter)).toBe(
      'grayscale(1)',
    );
    await expectAccessible(page);
    await page.unroute('**/changes?*');
    await page.clock.runFor(POLL_MS);
    await alert.waitFor({ state: 'detached' });
  });

  it('finds the webhooks that fail, and warns before one is paused', async () => {
    const host = await servePanel();
    const recipient = await serveRecipient();
    await host.webhooks.create({ url: recipient.url });
    await host.webhooks.create({ url: DEAD });
    for (let n = 0; n < 12; n += 1) await host.webhooks.dispatch('user.deleted', { id: n });
    await host.webhooks.drain();
    const page = await openGuarded(host.url);
    const rows = page.getByRole('row').filter({ hasText: '127.0.0.1' });
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Sort by').selectOption('Failing first');
    await expect.poll(() => rows.first().innerText()).toContain('Down');
    await page.getByRole('radio', { name: /^Down/ }).check();
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.innerText()).toMatch(/Down\s+since [\s\S]*0%/);
    await page.getByRole('radio', { name: /^Healthy/ }).check();
    await expect.poll(() => rows.innerText()).toContain('100%');
    expect(await rows.innerText()).toContain('Healthy');
    await page.getByRole('radio', { name: /^Down/ }).check();
    await expect.poll(() => rows.innerText()).toContain('Down');

    await rows.getByRole('link', { name: DEAD }).click();
    await page.getByText(/^No delivery has succeeded since/).waitFor();
    await page.getByRole('link', { name: 'All webhooks' }).click();
    // The way back leads to the list as it was.
    await expect.poll(() => page.getByRole('radio', { name: 'Down 1' }).isChecked()).toBe(true);
    await expect.poll(() => rows.count()).toBe(1);
  });

  it('says how a webhook is beside its numbers, and apart from that whether it is paused', async () => {
    const host = await servePanel();
    const recipient = await serveRecipient(({ body }, response) => {
      response.writeHead(JSON.parse(body).data.id % 2 === 0 ? 500 : 200).end();
    });
    const { id } = await host.webhooks.create({ url: recipient.url });
    for (let n = 0; n < 4; n += 1) {
      await host.deliver('user.deleted', { id: n });
    }
    const page = await openGuarded(host.url);
    const row = page.getByRole('row').filter({ hasText: recipient.url });
    await row.getByText('Degraded, 50%').waitFor();
    expect(await row.getByText(/^Active$|^Paused$/).count()).toBe(0);
    await host.webhooks.update(id, { isActive: false });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await row.getByText('Paused').waitFor();
    await row.getByText('Degraded, 50%').waitFor();
    await page.getByRole('link', { name: recipient.url }).click();
    await page.getByText('Degraded, 50%').waitFor();
    await expectAccessible(page);
  });

  it('says why deliveries fail, in the list and at the top of a webhook', async () => {
    const host = await servePanel();
    const { id } = await host.webhooks.create({ url: DEAD });
    await host.deliver('user.deleted', { id: 1 });
    const page = await openGuarded(host.url);
    const row = page.getByRole('row').filter({ hasText: DEAD });
    await row.getByText('The recipient refused the connection').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${host.url}/${id}`);
    await page.getByText('The last failure: The recipient refused the connection').waitFor();
    await expectAccessible(page);
    await page
      .getByRole('link', { name: /^The last failure: The recipient refused the connection/ })
      .press('Enter');
    await page.getByText('Given up after 2 attempts.').waitFor();
    await page.keyboard.press('Escape');
    // A test that fails says nothing of the events.
    await host.webhooks.test(id);
    await host.webhooks.drain();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('link', { name: 'webhook.test' }).waitFor();
    expect(await page.getByText('The last failure: ').count()).toBe(1);
  });

  it('tells a webhook that was paused automatically from one that a person paused', async () => {
    const host = await servePanel({ disableOnGone: true });
    const recipient = await serveRecipient((_callback, response) => response.writeHead(410).end());
    const { id } = await host.webhooks.create({ url: recipient.url });
    const { id: other } = await host.webhooks.create({ url: DEAD, isActive: false });
    await host.deliver('user.deleted', { id: 1 });
    const page = await openGuarded(host.url);
    await page.getByRole('row').filter({ hasText: recipient.url }).getByText('Auto-paused').waitFor();
    await page.getByRole('row').filter({ hasText: DEAD }).getByText('Paused', { exact: true }).waitFor();
    await page.goto(`${host.url}/${id}`);
    await page.getByText('Auto-paused').waitFor();
    await page.goto(`${host.url}/${other}`);
    await page.getByText('Paused', { exact: true }).waitFor();
    // Why there is no test.
    await page.getByText('Tests are sent to active webhooks only.').waitFor();
    for (const name of ['Send test event', 'Test with an event…']) {
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
    }
    await page.getByRole('button', { name: 'Activate' }).press('Enter');
    await page.getByText('Tests are sent').waitFor({ state: 'detached' });
  });

  it('activates one that was paused automatically, and sends what failed again, by one button', async () => {
    const host = await servePanel({ disableOnGone: true });
    let status = 410;
    const recipient = await serveRecipient((_callback, response) => response.writeHead(status).end());
    const { id } = await host.webhooks.create({ url: recipient.url });
    await host.deliver('user.deleted', { id: 1 });
    status = 200;
    const page = await openGuarded(`${host.url}/${id}`);
    await page.getByText('It has been paused since').waitFor();
    await expectAccessible(page);
    // What was waiting succeeds as soon as it is active.
    await page.route(/webhooks\/1$/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const { health, ...rest } = await response.json();
      const last_success_at = new Date(Date.now() + 86_400_000).toISOString();
      await route.fulfill({ response, json: { ...rest, health: { ...health, last_success_at } } });
    });
    await page.getByRole('button', { name: 'Activate, and send what failed again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 failed delivery would be sent again.').waitFor();
    await dialog.getByRole('button', { name: 'Send 1 again' }).click();
    await page.getByText('1 delivery on the way again.').waitFor();
    await host.webhooks.drain();
    expect((await host.webhooks.get(id)).stats).toMatchObject({ success: 1, failed: 0 });
    expect((await host.webhooks.get(id)).isActive).toBe(true);
    await page.getByText('It has been paused since').waitFor({ state: 'detached' });
  });

  it('ends the old secret of a rotation once a dialog was confirmed, and not on a double click', async () => {
    const host = await servePanel();
    const { id } = await host.webhooks.create({ url: DEAD });
    await host.webhooks.rotateSecret(id);
    const page = await openGuarded(`${host.url}/${id}`);
    await page.getByRole('button', { name: 'End the old secret now' }).dblclick();
    const dialog = page.getByRole('dialog', { name: 'End the old secret?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await host.webhooks.get(id)).previousSecretExpiresAt).not.toBeNull();
    // The secret that another rotation has just replaced is not the one that was asked about.
    await page.getByRole('button', { name: 'End the old secret now' }).click();
    const reread = page.waitForResponse(`${host.origin}/api/admin/webhooks/${id}`);
    await host.webhooks.rotateSecret(id);
    await reread;
    await dialog.getByRole('button', { name: 'End the old secret', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    expect((await host.webhooks.get(id)).previousSecretExpiresAt).not.toBeNull();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'End the old secret now' }).click();
    await dialog.getByRole('button', { name: 'End the old secret', exact: true }).click();
    await page.getByText('The old secret is no longer used').waitFor();
    await page.getByText('Two secrets are in use').waitFor({ state: 'detached' });
    // The button that opened the dialog is gone with the notice.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    expect((await host.webhooks.get(id)).previousSecretExpiresAt).toBeNull();
  });
});
