import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { kyselyStorage } from '../../../../src/kysely/kysely-storage.ts';
import { generateSecret } from '../../../../src/signing/secret.ts';
import { changing } from '../../../../src/storage/changed-state.ts';
import type { WebhookStorage } from '../../../../src/storage/storage.ts';
import { serveRecipient } from '../../../engine/recipient.ts';
import { migratedSqlite } from '../../../kysely/migrated-sqlite.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectFineInEveryLook,
  expectNoSidewaysScroll,
  openGuarded,
  SUM_OF_SHIFTS,
} from '../../guarded-page.ts';
import { DEAD, servePanel } from '../../panel-host.ts';

describe.skipIf(chromiumSkipped)('the page of deliveries across webhooks', BROWSER_TIMEOUT, () => {
  it('calls a webhook by its name, where it has one', async () => {
    const host = await servePanel({ webhook: { url: DEAD, name: 'Ledger', events: ['user.deleted'] } });
    await host.webhooks.create({ url: DEAD, events: ['user.created'] });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await host.webhooks.dispatch('user.created', { id: 1 });
    const page = await openGuarded(`${host.url}/deliveries`);
    const row = (event: string) => page.getByRole('row').filter({ hasText: event });
    await row('user.deleted').getByText('Ledger').waitFor();
    expect(await row('user.deleted').innerText()).not.toContain(DEAD);
    expect(await row('user.created').innerText()).toContain(DEAD);
    await row('user.deleted')
      .getByRole('checkbox', { name: /Ledger/ })
      .waitFor();
    await row('user.deleted').getByRole('link').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Ledger' }).waitFor();
  });

  it('opens none where a click has another meaning', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    await host.deliver('user.deleted', { id: 1 });
    const page = await openGuarded(`${host.url}/deliveries`);
    const time = page.locator('.data-table tbody time').first();
    for (const modifier of ['Control', 'Meta', 'Shift'] as const) {
      await time.click({ modifiers: [modifier] });
      expect(page.url()).toBe(`${host.url}/deliveries`);
    }
    await time.evaluate((one) => one.ownerDocument.getSelection()?.selectAllChildren(one));
    await time.dispatchEvent('click');
    expect(page.url()).toBe(`${host.url}/deliveries`);
    await page.evaluate('getSelection().empty()');
    await time.click();
    await page.waitForURL(/\?delivery=/);
  });

  it('marks the deliveries that are tests', async () => {
    const host = await servePanel();
    const { id } = await host.webhooks.create({ url: DEAD });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await host.webhooks.test(id, { event: 'user.created', payload: {} });
    await host.webhooks.drain();
    const page = await openGuarded(`${host.url}/deliveries`);
    const row = (event: string) => page.getByRole('row').filter({ hasText: event });
    await row('user.created').getByText('Test', { exact: true }).waitFor();
    await row('user.deleted').waitFor();
    expect(await row('user.deleted').getByText('Test', { exact: true }).count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  it('finds one delivery by its id, whatever the filters were, and says if there is none', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    for (let n = 0; n < 3; n += 1) await host.webhooks.dispatch('user.deleted', { id: n });
    await host.webhooks.drain();
    const [, wanted] = (await host.webhooks.searchDeliveries({})).deliveries;
    const page = await openGuarded(`${host.url}/deliveries?status=success`);
    await page.getByText('No delivery matches').waitFor();
    const id = page.getByLabel('Delivery id');
    await id.fill(`  ${wanted?.deliveryId.toUpperCase()} `);
    const rows = page.getByRole('row').filter({ hasText: 'user.deleted' });
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.getByRole('link').getAttribute('href')).toContain(wanted?.deliveryId);
    await expect.poll(() => page.getByRole('radio', { name: 'All' }).isChecked()).toBe(true);

    await id.fill('f'.repeat(32));
    await page.getByText('There is no delivery with this id').waitFor();
    // What is no id, or no complete one, finds nothing, also in an address.
    for (const text of ['order 4711', wanted?.deliveryId.slice(1) ?? '']) {
      await id.fill(text);
      await id.press('Enter');
      await page.getByText('This is not the id of a delivery').waitFor();
      await page.getByText('An id has 32 characters').first().waitFor();
      expect(await page.getByRole('row').count()).toBe(0);
      await page.reload();
      await page.getByText('This is not the id of a delivery').waitFor();
      expect(await id.inputValue()).toBe(text);
    }
    const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(wanted?.deliveryId ?? '') ?? [];
    for (const pasted of [
      `X-Webhook-ID: ${wanted?.deliveryId}`,
      `"${wanted?.deliveryId}",`,
      parts.join('-'),
    ]) {
      await id.fill('');
      await expect.poll(() => rows.count()).toBe(3);
      await id.fill(pasted);
      await expect.poll(() => rows.count()).toBe(1);
      expect(page.url()).toBe(`${host.url}/deliveries?id=${wanted?.deliveryId}`);
    }

    // What is typed applies once it is complete, or the field is left.
    await page.goto(`${host.url}/deliveries?status=failed`);
    await expect.poll(() => rows.count()).toBe(3);
    await id.pressSequentially('0a1b');
    expect(page.url()).toBe(`${host.url}/deliveries?status=failed`);
    expect(await rows.count()).toBe(3);
    await id.blur();
    await page.getByText('This is not the id of a delivery').waitFor();
    expect(page.url()).toBe(`${host.url}/deliveries?id=0a1b`);

    // The search of webhooks knows an id, too.
    await page.goto(host.url);
    await page.getByLabel('Search in URL, name, description and events').fill(wanted?.deliveryId ?? '');
    await page.getByRole('link', { name: 'Find the delivery with this id' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await id.fill('');
    await expect.poll(() => rows.count()).toBe(3);
  });

  it('filters by status, cause, event, webhook and time, in the address', async () => {
    const host = await servePanel();
    const recipient = await serveRecipient((callback, response) => {
      response.writeHead(callback.headers['x-webhook-event'] === 'user.updated' ? 503 : 200).end();
    });
    const { id } = await host.webhooks.create({ url: recipient.url, name: 'Billing' });
    await host.webhooks.create({ url: DEAD, events: ['user.deleted'] });
    for (const event of ['user.created', 'user.updated', 'user.deleted']) {
      await host.webhooks.dispatch(event, { id: 1 });
    }
    await host.webhooks.drain();
    const page = await openGuarded(`${host.url}/deliveries`);
    const rows = page.getByRole('row').filter({ hasText: 'user.' });
    const facet = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}: `) });
    const search = async (name: string, text: string) => {
      await facet(name).click();
      await page.getByRole('dialog').getByLabel(name).fill(text);
    };
    const choose = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByRole('radio', { name: 'Failed' }).check();
    await expect.poll(() => rows.count()).toBe(2);
    await search('Error', 'refused');
    await choose('The recipient refused the connection');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await facet('Error').innerText()).toBe('Error: The recipient refused the connection');
    await search('Error', '503');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('user.updated')]);
    expect(page.url()).toBe(`${host.url}/deliveries?status=failed&error=http_503`);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    await search('Error', '');
    await choose('All');
    await page.getByRole('radio', { name: 'All' }).check();
    await expect.poll(() => rows.count()).toBe(4);

    await search('Webhook', 'billing');
    await choose('Billing');
    await page.waitForURL(`${host.url}/deliveries?webhook=${id}`);
    await expect.poll(() => rows.count()).toBe(3);
    expect(await facet('Webhook').innerText()).toBe('Webhook: Billing');
    await page.getByRole('radio', { name: '24 hours' }).check();
    // Exact, as the chart of that time has them.
    for (const [status, count] of [
      ['Success', 2],
      ['Failed', 1],
    ] as const) {
      await page.getByRole('radio', { name: `${status} ${count}` }).waitFor();
    }
    await expect.poll(() => rows.count()).toBe(3);
    await page.locator('.chart-bar').first().click();
    await page.getByText('No delivery matches').waitFor();
    await page.getByRole('button', { name: 'Show all deliveries' }).click();
    await expect.poll(() => rows.count()).toBe(4);
    expect(page.url()).toBe(`${host.url}/deliveries`);

    // Any other time, by keys.
    await page.getByRole('button', { name: 'Custom' }).press('Enter');
    await page.getByLabel('From', { exact: true }).fill('2026-01-02T03:04');
    const from = await page.evaluate<string>("new Date('2026-01-02T03:04').toISOString()");
    await page.waitForURL(`${host.url}/deliveries?from=${encodeURIComponent(from)}`);
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByLabel('Before').fill('2025-12-31T00:00');
    await page.getByText('This is before the beginning.').waitFor();
    await page.getByText('No delivery matches').waitFor();
    await page.getByLabel('Before').fill('2026-01-03T00:00');
    await expect.poll(() => page.url()).toContain('&to=2026-01-');
    await expectAccessible(page);
    await page.getByLabel('Before').fill('');
    await page.getByLabel('From', { exact: true }).fill('');
    await page.waitForURL(`${host.url}/deliveries`);
    await expect.poll(() => rows.count()).toBe(4);
  });

  it('filters by customer, where there are any', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const page = await openGuarded(`${host.url}/deliveries`);
    await page.getByRole('button', { name: /^Webhook: / }).waitFor();
    expect(await page.getByRole('button', { name: /^Customer: / }).count()).toBe(0);
    await host.webhooks.create({ url: 'https://example.com/in', tenant: 'acme' });
    await host.webhooks.create({ url: 'https://example.com/in', tenant: 'globex' });
    await page.reload();
    await page.getByRole('button', { name: 'Customer: All' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'globex' }).waitFor();
    await page.getByRole('dialog').getByLabel('Customer').fill('ac');
    await page.getByRole('dialog').getByRole('button', { name: 'acme' }).click();
    await page.waitForURL(`${host.url}/deliveries?tenant=acme`);
    await page.getByText('No delivery matches').waitFor();
  });

  it('shows eight rows and more on a screen of 800 px, and turns pages that back and reload keep', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    for (let n = 0; n < 45; n += 1) await host.webhooks.dispatch(`user.n${n}`, { id: n });
    await host.webhooks.drain();
    const page = await openGuarded(`${host.url}/deliveries`, { viewport: { width: 1280, height: 800 } });
    const newest = page.getByRole('link', { name: 'user.n44' });
    await newest.waitFor();
    await page.locator('.chart-bar > .series').first().waitFor();
    const eighth = await page.getByRole('row').nth(8).boundingBox();
    expect((eighth?.y ?? 0) + (eighth?.height ?? 0)).toBeLessThanOrEqual(800);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('link', { name: 'user.n24' }).waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('link', { name: 'user.n4', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Newer' }).click();
    await page.getByRole('link', { name: 'user.n24' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'user.n24' }).click();
    await page.getByText('Given up after 2 attempts.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'user.n24' }).waitFor();
    await page.getByRole('button', { name: 'Newer' }).click();
    await newest.waitFor();
  });

  it('reads on by itself where few match, says how far it has come, and stops on demand', async () => {
    const storage = await rareStorage();
    const host = await servePanel({ storage });
    const page = await openGuarded(`${host.url}/deliveries?event=rare.*`);
    const rows = page.getByRole('link', { name: /^rare\./ });
    await expect.poll(() => rows.count()).toBe(2);
    expect(await page.getByText('Searched back to').count()).toBe(0);
    const searches = () => host.requests.filter((one) => one === 'GET /api/admin/webhooks/deliveries').length;
    expect(searches()).toBe(3);

    // The second part is not answered yet.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/deliveries\?.*cursor=/, async (route) => {
      await held;
      await route.continue();
    });
    const from = new Date(FIRST_MS - 60_000).toISOString();
    const to = new Date(FIRST_MS + RARE_COUNT * 1_000).toISOString();
    await page.goto(`${host.url}/deliveries?event=rare.*&from=${from}&to=${to}`);
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText('5,000 deliveries read so far').waitFor();
    const progress = page.getByRole('progressbar', { name: 'How far back the search has come' });
    expect(Number(await progress.getAttribute('value'))).toBeCloseTo(5_000 / RARE_COUNT, 1);
    await expectFineInEveryLook(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    release();
    await page.getByText('It was stopped there.').waitFor();
    await expectFineInEveryLook(page);
    await page.getByRole('button', { name: 'Search older deliveries' }).click();
    await expect.poll(() => rows.allInnerTexts()).toEqual(['rare.first']);
  });

  it('keeps the chosen time, and its chart if it has one, when that cannot be read', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    await host.deliver('user.deleted', {});
    const page = await openGuarded(`${host.url}/deliveries?range=day`);
    const series = page.locator('.chart-bar > .series').first();
    await series.waitFor();
    await page.route('**/webhooks/activity?*', (route) =>
      route.fulfill({ status: 500, json: { code: 'internal_error' } }),
    );
    const refused = () => page.waitForResponse(/webhooks\/activity\?/);
    const again = refused();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await (await again).finished();
    await page.getByText('Only deliveries since').waitFor();
    await series.waitFor();
    const first = refused();
    await page.reload();
    await (await first).finished();
    await page.getByLabel('The chart is loading').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Any time' }).click();
    await page.waitForURL(`${host.url}/deliveries`);
  });

  it('shows the first page for an address whose cursor is none', async () => {
    const host = await servePanel();
    const { id } = await host.webhooks.create({ url: DEAD });
    await host.deliver('user.deleted', {});
    const page = await openGuarded(`${host.url}/deliveries?cursor=zzz`);
    for (const path of ['/deliveries', `/${id}`]) {
      await page.goto(`${host.url}${path}?cursor=zzz`);
      await page.getByRole('link', { name: 'user.deleted' }).waitFor();
      expect(page.url()).toBe(host.url + path);
      expect(await page.getByText('could not be loaded').count()).toBe(0);
    }
  });

  it('is accessible and fits in every look, also while it loads, and does not move when it has loaded', async () => {
    const host = await servePanel();
    const recipient = await serveRecipient();
    await host.webhooks.create({ url: `${recipient.url}/${'long-path/'.repeat(12)}` });
    await host.webhooks.create({ url: DEAD });
    for (let n = 0; n < 12; n += 1) await host.webhooks.dispatch('user.updated', { id: n });
    await host.webhooks.drain();
    const page = await openGuarded(`${host.url}/deliveries`);
    await page.getByRole('link', { name: 'user.updated' }).first().waitFor();
    await expectFineInEveryLook(page);
    await page.getByRole('button', { name: 'Webhook: All' }).click();
    await page.getByRole('dialog').getByRole('button', { name: DEAD }).waitFor();
    await expectFineInEveryLook(page);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.addInitScript(SUM_OF_SHIFTS);
    await page.goto(`${host.url}/deliveries`);
    await page.getByRole('link', { name: 'user.updated' }).first().waitFor();
    expect(await page.evaluate<number>('window.shift')).toBeLessThan(0.05);
  });

  it('selects all that match, and sends them again after a dry run', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    for (let n = 0; n < 23; n += 1) await host.webhooks.dispatch('user.deleted', { id: n });
    await host.deliver('user.created', {});
    const address = `${host.url}/deliveries?event=user.deleted&range=day`;
    const page = await openGuarded(address);
    const all = page.getByRole('button', { name: 'Select all that match' });
    await page.getByLabel('Select page').check();
    await all.click();
    await page.getByText('23 selected').waitFor();
    await all.waitFor({ state: 'detached' });
    // More may match in a longer time.
    await page.getByRole('radio', { name: '7 days' }).check();
    await all.waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').getByText('23 deliveries would be sent again').waitFor();
    await page.getByRole('button', { name: 'Send 23 again' }).click();
    await page.getByRole('dialog').getByText('23 deliveries are on their way again').waitFor();
    await host.webhooks.drain();
    const { deliveries } = await host.webhooks.searchDeliveries({ limit: 100 });
    const attempts = (wanted: string) =>
      new Set(deliveries.filter(({ event }) => event === wanted).map((one) => one.attempts));
    expect([...attempts('user.deleted'), ...attempts('user.created')]).toEqual([4, 2]);
  });
});

const FIRST_MS = Date.parse('2026-11-20T00:00:00.000Z');
const RARE_COUNT = 12_000;

/** Twelve thousand deliveries, one a second, of which the second and the newest are rare. */
async function rareStorage(): Promise<WebhookStorage> {
  const storage = kyselyStorage(await migratedSqlite());
  const createdAt = new Date(FIRST_MS).toISOString();
  const { id: webhookId } = await storage.createWebhook({
    ...{ url: DEAD, secret: generateSecret(), description: '', events: ['*'], createdAt },
    ...{ isActive: true, createdBy: 7, createdByUid: '7' },
  });
  const events = new Map([
    [1, 'rare.first'],
    [RARE_COUNT - 1, 'rare.last'],
  ]);
  for (let from = 0; from < RARE_COUNT; from += 500) {
    await storage.recordDispatches(
      Array.from({ length: 500 }, (_, i) => ({
        event: events.get(from + i) ?? 'user.created',
        payload: '{}',
        createdAt: new Date(FIRST_MS + (from + i) * 1_000).toISOString(),
        target: { webhookId },
      })),
    );
  }
  await storage.changeWebhook(webhookId, changing({ isActive: false, updatedAt: createdAt }));
  return storage;
}
