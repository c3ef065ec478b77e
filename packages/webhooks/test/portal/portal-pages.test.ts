import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectAccessible, openGuarded } from '../panel/guarded-page.ts';
import { openAs, startPortalHost } from './portal-host.ts';

/** What a customer must not read: other customers, administrators, and unfilled placeholders. */
const NOT_THEIRS = /recipient|operator|globex|\broot\b|stock\.low|administrator|admin:|undefined|\{\w+\}/i;

describe.skipIf(chromiumSkipped)('the pages of the portal', BROWSER_TIMEOUT, () => {
  it('show a customer what is theirs, and nothing of others or of administrators', async () => {
    const { host, id, deliveryId } = await start();
    const page = await openAs('ada', host.url);
    for (const [path, shown] of [
      ['', 'Ledger'],
      [`/${id}`, 'order.paid'],
      [`/${id}?tab=settings`, 'Registered'],
      [`/${id}?tab=verify`, 'Verification code'],
      [`/${id}?delivery=${deliveryId}`, 'Contact Example shop'],
      ['/deliveries', 'order.paid'],
      ['/events', 'order.paid'],
      ['?new=1', 'Where Example shop sends the events'],
      [`?edit=${id}`, 'For you and your colleagues'],
    ] as const) {
      await page.goto(host.url + path);
      await page.getByText(shown).first().waitFor();
      expect(await page.locator('body').innerText(), path).not.toMatch(NOT_THEIRS);
      await expectAccessible(page);
    }
    // Nor is what their API does not offer asked for.
    expect(host.requests.filter((request) => /\/api\/admin|\/tenants/.test(request))).toEqual([]);
  });

  it('offer no change to a user who may only look', async () => {
    const { host, id } = await start();
    const page = await openAs('reader', host.url);
    for (const path of ['', `/${id}`, '/deliveries']) {
      await page.goto(host.url + path);
      await page.getByText(/^Read-only/).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByRole('button', { name: /Add|Test|Send|Edit|Delete|Pause|Rotate/ }).count()).toBe(
        0,
      );
    }
  });

  it('show another customer nothing, whatever the address names', async () => {
    const { host, id, deliveryId } = await start();
    const page = await openAs('grace', host.url);
    for (const [path, shown] of [
      [`/${id}`, 'There is no such webhook'],
      [`/${id}?tab=settings`, 'There is no such webhook'],
      [`?setup=${id}`, 'The webhook could not be loaded'],
      [`?edit=${id}`, 'The webhook could not be loaded'],
      [`?delivery=${deliveryId}`, 'The delivery could not be loaded'],
      [`/deliveries?id=${deliveryId}`, 'There is no delivery with this id'],
    ] as const) {
      await page.goto(host.url + path);
      await page.getByText(shown).first().waitFor();
      expect(await page.locator('body').innerText(), path).not.toMatch(/Ledger|answered HTTP 500/);
    }
  });

  it('never interpret what a server, a payload or a colleague wrote', async () => {
    const markup = '<img src=x onerror="trap(1)"><script>trap(2)</script>';
    const recipient = await serveRecipient((_, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end(markup);
    });
    const host = await startPortalHost({ product: '<b>Shop</b>' });
    const acme = host.webhooks.forTenant('acme');
    const { id } = await acme.create({ url: recipient.url, name: markup, description: markup });
    await host.webhooks.dispatch('order.paid', { note: markup }, { tenant: 'acme' });
    await host.webhooks.drain();
    const [delivery] = (await acme.deliveries(id)).deliveries;
    const page = await openAs('ada', host.url);
    for (const path of [
      '',
      `/${id}?tab=settings`,
      `/${id}?delivery=${delivery?.deliveryId}`,
      `?setup=${id}`,
    ]) {
      await page.goto(host.url + path);
      await page.getByText(markup).first().waitFor();
      expect(await page.locator('img[src="x"], #root script, #root b').count(), path).toBe(0);
    }
  });

  it('lead who is not logged in to the application’s log-in', async () => {
    const host = await startPortalHost({ loginUrl: '/webhooks-login' });
    const page = await openGuarded(`${host.url}/deliveries?status=failed`);
    await page.waitForURL('**/webhooks-login?return_to=%2Fwebhooks%2Fdeliveries%3Fstatus%3Dfailed');
  });
});

/** A customer with a webhook whose first delivery failed, and another customer. */
async function start() {
  const recipient = await serveRecipient((_callback, response) => response.writeHead(500).end());
  const host = await startPortalHost({ product: 'Example shop', supportUrl: '/help' });
  const acme = host.webhooks.forTenant('acme');
  const { id } = await acme.create({ url: recipient.url, name: 'Ledger', createdByUid: 'root' });
  await host.webhooks.forTenant('globex').create({ url: recipient.url, name: 'Books of globex' });
  await host.webhooks.create({ url: recipient.url, name: 'All', createdByUid: 'root' });
  await host.webhooks.dispatch('order.paid', { id: 1 }, { tenant: 'acme' });
  await host.webhooks.dispatch('stock.low', { id: 1 }, { tenant: null });
  await host.webhooks.drain();
  const [delivery] = (await acme.deliveries(id)).deliveries;
  return { host, id, deliveryId: delivery?.deliveryId ?? '' };
}
