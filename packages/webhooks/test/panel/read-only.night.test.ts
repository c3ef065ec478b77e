import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectNoSidewaysScroll, openGuarded } from './guarded-page.ts';
import { DEAD, servePanel } from './panel-host.ts';

/** Buttons that change nothing. */
const HARMLESS =
  /^(Refresh|All events|Like the system|Show|Copy|Older|Newer|Previous|Next|Explain|Close|Every event|\d|webhook\.test|user\.created|Who receives|Webhook$|Status$|Pending|None failed|Custom$|Event: |Error: |Webhook: )/;

async function start() {
  const recipient = await serveRecipient((_callback, response) => response.writeHead(500).end());
  const host = await servePanel({ readOnly: true, api: { readOnly: true } });
  return { host, recipient };
}

describe.skipIf(chromiumSkipped)('a read-only panel', BROWSER_TIMEOUT, () => {
  it('has its history in columns on a narrow screen, without a place for boxes', async () => {
    const { host, recipient } = await start();
    const { id } = await host.webhooks.create({ url: recipient.url });
    await host.deliver('user.deleted', { id: 1 });
    const viewport = { width: 360, height: 740 };
    const page = await openGuarded(`${host.url}/${id}`, { viewport });
    const row = page.getByRole('row').filter({ hasText: 'user.deleted' });
    await row.waitFor();
    const table = await page.getByRole('table', { name: 'Delivery history' }).boundingBox();
    const places = await Promise.all((await row.getByRole('cell').all()).map((cell) => cell.boundingBox()));
    const [event, status, result, created] = places.map((place) => ({
      start: (place?.x ?? 0) - (table?.x ?? 0),
      end: (table?.x ?? 0) + (table?.width ?? 0) - (place?.x ?? 0) - (place?.width ?? 0),
      y: place?.y ?? 0,
    }));
    // The padding of a row.
    expect([event, result].map((cell) => cell?.start)).toEqual([12, 12]);
    expect([status, created].map((cell) => Math.round(cell?.end ?? -1))).toEqual([12, 12]);
    expect(Math.abs((event?.y ?? 0) - (status?.y ?? 99))).toBeLessThan(10);
    expect(Math.abs((result?.y ?? 0) - (created?.y ?? 99))).toBeLessThan(10);
    await expectNoSidewaysScroll(page);
  });

  it('becomes one by the first response of a read-only API', async () => {
    const host = await servePanel({ api: { readOnly: true } });
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const page = await openGuarded(host.url);
    for (const path of ['', `/${id}`, '/deliveries', '/events']) {
      await page.goto(host.url + path);
      await page.getByText(/^Read-only/).waitFor();
      const names = await page.getByRole('button').allInnerTexts();
      expect(names.filter((name) => name.trim() !== '' && !HARMLESS.test(name.trim()))).toEqual([]);
      expect(await page.getByRole('checkbox').count()).toBe(0);
    }
    expect(host.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });

  it('is one for as long as the API says so, whatever methods a gateway allows', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const page = await openGuarded(`${host.url}/events`);
    let allow = 'GET, HEAD, OPTIONS';
    await page.route('**/api/admin/webhooks**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), allow } });
    });
    await page.goto(host.url);
    await page.getByText(/^Read-only/).waitFor();
    const add = page.getByRole('button', { name: 'Add webhook' });
    expect(await add.count()).toBe(0);
    allow = 'GET, POST, OPTIONS';
    await page.getByRole('button', { name: 'Refresh' }).click();
    await add.waitFor();
    expect(await page.getByText(/^Read-only/).count()).toBe(0);
  });

  it('opens no form from an address', async () => {
    const { host, recipient } = await start();
    const { id } = await host.webhooks.create({ url: recipient.url });
    const page = await openGuarded(`${host.url}?new=1`);
    for (const address of ['?new=1', `?edit=${id}`, `/${id}?edit=${id}`]) {
      await page.goto(host.url + address);
      await page.getByText(recipient.url).first().waitFor();
      await page.getByText(/^Updated/).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    }
  });

  it('asks nobody to add the first webhook', async () => {
    const { host } = await start();
    const page = await openGuarded(host.url);
    await page.getByText('Nobody has registered one.').waitFor();
    expect(await page.getByRole('button', { name: /Add/ }).count()).toBe(0);
  });
});
