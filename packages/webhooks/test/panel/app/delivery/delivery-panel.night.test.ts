import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { serveRecipient } from '../../../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectAccessible, openGuarded } from '../../guarded-page.ts';
import { DEAD, type PanelHost, servePanel } from '../../panel-host.ts';

const GATEWAY_PAGE = `<!doctype html><html><head><title>502 Bad Gateway</title><style>body{color:red}</style>
<script>top.trap('answer')</script></head><body><h1>502 Bad Gateway</h1><p>The shop &amp; its database
are&nbsp;down.</p><!-- padding --></body></html>`;

describe.skipIf(chromiumSkipped)('a delivery that is opened', BROWSER_TIMEOUT, () => {
  it.each(['/1', '/deliveries'])(
    'over %s has an address, keeps the focus, is closed by the way back, and gives the focus back',
    async (path) => {
      const { host } = await startWithFailures(3);
      const page = await openGuarded(host.url + path);
      const row = page.getByRole('link', { name: 'user.deleted' }).nth(1);
      await row.press('Enter');
      await page.waitForURL(/\?delivery=[0-9a-f]{32}$/);
      const panel = page.getByRole('dialog', { name: /^Delivery [0-9a-f]{32}$/ });
      await panel.getByText('Given up after 2 attempts.').waitFor();
      await expectAccessible(page);
      for (let step = 0; step < 20; step += 1) {
        await page.keyboard.press('Tab');
        expect(await panel.evaluate((one) => one.contains(one.ownerDocument.activeElement))).toBe(true);
      }
      const address = page.url();
      await page.goBack();
      await panel.waitFor({ state: 'detached' });
      expect(page.url()).toBe(host.url + path);
      await expect.poll(() => row.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);

      // The link can be shared. Without a page before it, closing leads to the page below.
      const shared = await openGuarded(address);
      await shared.getByText('Given up after 2 attempts.').waitFor();
      await shared.keyboard.press('Escape');
      await shared.getByRole('dialog').waitFor({ state: 'detached' });
      expect(shared.url()).toBe(host.url + path);
    },
  );

  it.each(['', '/events'])('by a link over a page without deliveries is there: %s', async (path) => {
    const { host, ids } = await startWithFailures(1);
    const page = await openGuarded(`${host.url}${path}?delivery=${ids[0]}`);
    const panel = page.getByRole('dialog', { name: `Delivery ${ids[0]}` });
    await panel.getByText('Given up after 2 attempts.').waitFor();
    expect(await panel.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    expect(page.url()).toBe(host.url + path);
  });

  it('says if there is none', async () => {
    const { host } = await startWithFailures(1);
    const page = await openGuarded(`${host.url}/1?delivery=${'0'.repeat(32)}`);
    await page.getByRole('dialog').getByText('The delivery could not be loaded').waitFor();
  });

  it('says if its webhook could not be read, and reads it again when asked', async () => {
    const { host, ids } = await startWithFailures(1);
    host.failNext('GET /api/admin/webhooks/1', 500, 'internal_error');
    const page = await openGuarded(`${host.url}/deliveries?delivery=${ids[0]}`);
    const panel = page.getByRole('dialog');
    await panel.getByText('The webhook could not be loaded').waitFor();
    expect(await panel.getByLabel('The delivery is loading').count()).toBe(0);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.getByText('Given up after 2 attempts.').waitFor();
    expect(await panel.getByText('could not be loaded').count()).toBe(0);
  });

  it('leads to those beside it, is sent again and closed by keys, which are listed and off in a field', async () => {
    const { host, ids } = await startWithFailures(3);
    const page = await openGuarded(`${host.url}/1`);
    const [newest, middle, oldest] = ids;
    await page.locator(`.row-link[href*="${newest}"]`).click();
    const shown = (id = '') =>
      page
        .getByRole('dialog', { name: `Delivery ${id}` })
        .getByText('Given up after')
        .waitFor();
    await shown(newest);
    await page.getByText('Keys: j next, k previous, r send again, Esc close.').waitFor();
    expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    await page.keyboard.press('j');
    await shown(middle);
    await page.keyboard.press('j');
    await shown(oldest);
    await expect.poll(() => page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await page.keyboard.press('k');
    await shown(middle);
    const search = page.getByRole('searchbox', { name: 'Search in: Body sent' });
    await search.pressSequentially('jkr');
    expect(await search.inputValue()).toBe('jkr');
    await search.press('Escape');
    await shown(middle);

    await page.getByRole('button', { name: 'Next' }).focus();
    const isSent = page.waitForRequest((request) => request.url().endsWith(`/${middle}/redeliver`));
    await page.keyboard.press('r');
    await isSent;
    await page.getByText('Given up after 4 attempts.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Where the reading ended, and one way back for all that was read.
    const link = page.locator(`.row-link[href*="${middle}"]`);
    await expect.poll(() => link.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    expect(page.url()).toBe(`${host.url}/1`);
  });

  it('has its attempts on an axis, the same answer once, and a page as its text', async () => {
    const recipient = await serveRecipient((_callback, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end(GATEWAY_PAGE);
    });
    const host = await servePanel({ delaysMs: [10, 10, 10], webhook: { url: recipient.url } });
    await host.deliver('user.deleted', { id: 1 });
    const page = await openDelivery(host);
    const axis = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
    expect(await axis.allInnerTexts()).toEqual([
      ...Array(4).fill(expect.stringMatching(/^\+\ds HTTP 502$/)),
      'given up',
    ]);
    await page.getByText('Attempt 4: HTTP 502 (same answer 4×)').waitFor();
    const answer = page.getByRole('region', { name: 'Response to attempt 4' });
    expect(await answer.innerText()).toBe('502 Bad Gateway\nThe shop & its database are down.');
    await page.getByText('As it was received').click();
    expect(await page.getByRole('region', { name: 'As it was received' }).innerText()).toBe(GATEWAY_PAGE);
    await expectAccessible(page);
  });

  it('says until when it is deferred', async () => {
    const recipient = await serveRecipient((_callback, response) => {
      response.writeHead(429, { 'retry-after': '600' }).end();
    });
    const host = await servePanel({ webhook: { url: recipient.url } });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await recipient.receivedCount(1);
    const page = await openDelivery(host);
    const axis = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
    await expect.poll(() => axis.count()).toBe(2);
    expect(await axis.last().innerText()).toMatch(/^deferred until \d/);
  });

  it('shows JSON as a tree that is searched, with the digits that are stored', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const items = Array.from({ length: 150 }, (_, n) => ({ sku: `part-${n}`, price: { net: n } }));
    await host.deliver('user.deleted', { id: 0, items, note: 'left at the door' });
    const page = await openGuarded(host.url);
    // What a later Node, or another program, has stored.
    await page.route(/deliveries\/[0-9a-f]{32}$/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"id":0,', '"id":8202522731445525542,"total":1.10,');
      await route.fulfill({ response, body });
    });
    await page.goto(`${host.url}/1`);
    await page.getByRole('link', { name: 'user.deleted' }).click();
    const tree = page.getByRole('region', { name: 'Body sent' });
    await tree.getByText('"id": 8202522731445525542', { exact: true }).waitFor();
    await tree.getByText('"total": 1.10', { exact: true }).waitFor();
    await tree.getByText('"items": [', { exact: true }).waitFor();
    expect(await tree.getByText('{ 2 }').count()).toBe(100);
    await tree.getByText('{ 2 }').first().click();
    await tree.getByText('"sku": "part-0"').waitFor();
    await tree.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => tree.getByText('{ 2 }').count()).toBe(149);

    const search = page.getByRole('searchbox', { name: 'Search in: Body sent' });
    await search.fill('PART-149');
    await tree.getByText('"sku": "part-149"').waitFor();
    expect(await tree.getByText(/sku|note|8202/).count()).toBe(1);
    await search.fill('8202522731445525542');
    await tree.getByText('"id": 8202522731445525542').waitFor();
    await search.fill('nowhere');
    await tree.getByText('Nothing matches.').waitFor();
    await expectAccessible(page);
    await search.fill('');
    // A branch that is closed stays so.
    await tree.getByText('"items": [', { exact: true }).click();
    await tree.getByText('"items": [ 150 ]', { exact: true }).waitFor();
    expect(await tree.getByText(/sku/).count()).toBe(0);
  });

  it('says to how many others the same event went, and leads to them', async () => {
    const recipient = await serveRecipient();
    const host = await servePanel({});
    for (let n = 0; n < 3; n += 1) await host.webhooks.create({ url: `${recipient.url}/${n}` });
    for (let n = 0; n < 2; n += 1) await host.webhooks.create({ url: DEAD });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await host.deliver('user.created', { id: 1 });
    const page = await openDelivery(host);
    await page.getByRole('link', { name: 'The same event went to 4 other webhooks. Failed: 2.' }).click();
    await page.waitForURL(/\/deliveries\?/);
    const rows = page.getByRole('row').filter({ hasText: '127.0.0.1' });
    await expect.poll(() => rows.count()).toBe(5);
    expect(await rows.filter({ hasText: 'user.deleted' }).count()).toBe(5);
  });

  it('copies its id, the URL, the body and a command', async () => {
    const recipient = await serveRecipient();
    const host = await servePanel({ webhook: { url: recipient.url } });
    await host.deliver('user.deleted', { id: 0 });
    const [sent] = (await host.webhooks.searchDeliveries({})).deliveries;
    const page = await openDelivery(host, { permissions: ['clipboard-read', 'clipboard-write'] });
    for (const [name, text] of [
      ['Copy id', sent?.deliveryId],
      ['Copy URL', recipient.url],
      ['Copy body', /^\{"type":"user.deleted","timestamp":"[^"]+","data":\{"id":0\}\}$/],
      ['Copy as curl', /^curl --globoff 'http:/],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(text ?? '');
      await page.getByRole('button', { name: 'Copied' }).blur();
    }
  });

  it('by a test is there at once, unless somebody is typing', async () => {
    const { host } = await startWithFailures(1);
    const page = await openGuarded(`${host.url}/1`);
    const test = page.getByRole('button', { name: 'Send test event' });
    await test.press('Enter');
    await page.getByRole('dialog').getByText('webhook.test', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    let goOn = () => {};
    const isTyping = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/test', async (route) => {
      await isTyping;
      await route.continue();
    });
    await test.click();
    await page.getByRole('button', { name: /^Event: / }).click();
    await page.getByRole('dialog').getByLabel('Event').fill('web');
    goOn();
    await expect.poll(() => page.getByRole('link', { name: 'webhook.test' }).count()).toBe(2);
    expect(page.url()).not.toContain('delivery=');
  });

  it('during its first attempt is under way, which nothing contradicts', async () => {
    const host = await servePanel({});
    let end = () => {};
    const recipient = await serveRecipient((_callback, response) => {
      end = () => response.writeHead(204).end();
    });
    await host.webhooks.create({ url: recipient.url });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await recipient.receivedCount(1);
    const page = await openDelivery(host);
    await page.getByText('Attempt 1: under way').waitFor();
    await page.getByText('The first attempt is under way. This page').waitFor();
    await page.getByText('The first attempt is under way. Its headers').waitFor();
    expect(await page.getByText(/Not sent yet|Nothing has been sent yet|The first attempt: /).count()).toBe(
      0,
    );
    end();
    await page.getByRole('alert').filter({ hasText: 'Received' }).waitFor();
  });
});

/** A webhook of which everything fails, and the ids of its deliveries, the newest first. */
async function startWithFailures(count: number) {
  const host = await servePanel({ webhook: { url: DEAD } });
  for (let id = 0; id < count; id += 1) {
    await host.webhooks.dispatch('user.deleted', { id, note: count > 1 ? 'is long'.repeat(40) : undefined });
  }
  await host.webhooks.drain();
  const { deliveries } = await host.webhooks.searchDeliveries({});
  return { host, ids: deliveries.map(({ deliveryId }) => deliveryId) };
}

/** Opens the newest delivery of the first webhook. */
async function openDelivery(host: PanelHost, options: BrowserContextOptions = {}) {
  const page = await openGuarded(`${host.url}/1?event=user.deleted`, options);
  await page.getByRole('link', { name: 'user.deleted' }).first().click();
  await page.getByRole('list', { name: 'Attempts' }).waitFor();
  return page;
}
