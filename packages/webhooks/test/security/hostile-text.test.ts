import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectNoSidewaysScroll, openGuarded } from '../panel/guarded-page.ts';
import { servePanel } from '../panel/panel-host.ts';

/** What runs where text is taken for markup, an address or code. `trap` is there to be called. */
const MARKUP = [
  '<script>trap(1)</script>',
  '<img src=x onerror=trap(2)>',
  '"><svg onload=trap(3)>',
  "'-trap(4)-'",
  '<iframe srcdoc="<script>parent.trap(5)</script>">',
  '<style>@import "http://127.0.0.2:1/x.css"; * { background: url(http://127.0.0.2:1/x.png) }</style>',
  '{{constructor.constructor("trap(6)")()}}',
  '</textarea></title><a href="javascript:trap(7)">x</a>',
  '\u202Egnp.exe\u2066',
].join(' ');
const LONG = 'W'.repeat(700);

describe.skipIf(chromiumSkipped)('text of others', BROWSER_TIMEOUT, () => {
  it('is shown as text, wherever a recipient or an administrator may write', async () => {
    const recipient = await serveRecipient((_callback, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end(MARKUP + LONG);
    });
    const host = await servePanel({
      delaysMs: [3_600_000],
      events: defineEvents({ 'order.created': { label: MARKUP.slice(0, 190) } }),
    });
    const url = `${recipient.url}/?q=${encodeURIComponent(MARKUP)}&<img/src=x/onerror=trap(8)>'${LONG}`;
    const { id } = await host.webhooks.create({ url, description: MARKUP + LONG.slice(0, 400) });
    await host.webhooks.dispatch('order.created', { [MARKUP]: MARKUP, list: [MARKUP, { LONG }] });
    await recipient.receivedCount(1);

    const page = await openGuarded(host.url);
    await page.getByText(MARKUP.slice(0, 40)).first().waitFor();
    await page.getByLabel('Event name').fill('order.created');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Gets it').waitFor();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('dialog').getByLabel('Only the events I choose').check();
    await page.getByRole('checkbox', { name: /order\.created/ }).waitFor();
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill(MARKUP);
    await page.getByRole('dialog').getByLabel('Another event or pattern').fill(MARKUP);
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('Choose at least one event.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^More actions for http/ }).click();
    await page.getByRole('button', { name: /^Delete http/ }).click();
    await page.getByText('This cannot be undone.').waitFor();

    await page.goto(`${host.url}/${id}`);
    await page.getByRole('link', { name: 'order.created' }).click();
    const response = page.getByRole('region', { name: 'Response to attempt 1' });
    // Its markup is left out, up to where an element is not closed.
    expect(await response.innerText()).toBe('">');
    await page.getByText('As it was received').click();
    const received = page.getByRole('region', { name: 'As it was received' });
    expect(await received.innerText()).toBe(MARKUP + LONG);
    const body = page.getByRole('region', { name: 'Body sent' });
    expect(await body.textContent()).toContain(`${JSON.stringify(MARKUP)}: ${JSON.stringify(MARKUP)}`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain(
      "<img/src=x/onerror=trap(8)>'",
    );
    expect(await page.locator('iframe, img, style, main script, [onerror], [onload]').count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
  });

  it('is shown as text where it comes in the address of the page', async () => {
    const host = await servePanel();
    await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const hostile = encodeURIComponent(MARKUP);
    const page = await openGuarded(
      `${host.url}?search=${hostile}&explain=${hostile}&order=__proto__&status=constructor&offset=-1`,
    );
    await page.getByText('No webhook matches').waitFor();
    await page.getByText('It could not be explained').waitFor();
    await page.goto(`${host.url}/1?delivery=${hostile}`);
    await page.getByText('No deliveries yet').waitFor();
  });

  inOneTest(['../../1', '../../../../../uploads/x.json', '..%2F..%2F1', '1?x=', '#'])(
    'is no way to another address of the site: %s as a delivery’s id is none',
    async (path) => {
      const host = await servePanel();
      await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
      const page = await openGuarded(`${host.url}/1?delivery=${encodeURIComponent(path)}`);
      await page.getByText('No deliveries yet').waitFor();
      await page.waitForLoadState('networkidle');
      const known = /^GET \/api\/admin\/webhooks\/(?:1(?:\/activity)?|deliveries|changes)$/;
      expect(host.requests.filter((one) => !known.test(one))).toEqual([]);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.getByText('The delivery could not be loaded').count()).toBe(0);
    },
  );

  it('from an answer that is not the API’s is not shown at all', async () => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?new=1`);
    await page.getByText('No webhooks yet').waitFor();
    await page.route('**/api/admin/webhooks?*', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: MARKUP }),
    );
    await page.goto(host.url);
    await page.getByText('an answer that does not come from the webhook API').waitFor();
  });
});
