import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectNoSidewaysScroll, openGuarded } from './guarded-page.ts';
import { servePanel } from './panel-host.ts';

const DAY_MS = 86_400_000;
const NARROW = { width: 360, height: 740 };

describe.skipIf(chromiumSkipped)('rendering', BROWSER_TIMEOUT, () => {
  it('large numbers stand whole beside the chart', async () => {
    const host = await start();
    await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const page = await openGuarded(host.url);
    // Nobody dispatches two million events in a test: the answer of the API is what it would be
    // then.
    await page.route('**/activity?*', (route) => {
      const from = Date.parse(new URL(route.request().url()).searchParams.get('from') ?? '');
      const activity = [1_234_567, 2_345_678].map((success, hour) => ({
        start: new Date(from + hour * 3_600_000).toISOString(),
        success,
        failed: 87_654,
        pending: 0,
      }));
      return route.fulfill({ json: { interval: 'hour', from: activity[0]?.start, to: '', activity } });
    });
    await page.goto(`${host.url}/1`);
    await page.getByRole('button', { name: '30 days' }).click();
    const ticks = page.locator('.chart-tick span');
    await ticks.filter({ hasText: 'M' }).first().waitFor();
    const chart = page.locator('.chart');
    for (const tick of await ticks.all()) await expect.poll(() => isRightOf(chart, tick)).toBe(true);
    await page.getByText('Show the numbers').click();
    await page.getByRole('cell', { name: '3,580,245' }).waitFor();
  });

  it('every one of many patterns can be reached, by pointer and by keyboard', async () => {
    const host = await start();
    const events = Array.from({ length: 60 }, (_, n) => `area${n}.${'long-name-'.repeat(4)}${n}.*`);
    await host.webhooks.create({ url: 'http://127.0.0.1:9/hook', events });
    const page = await openGuarded(host.url);
    const count = page.getByRole('button', { name: /^60 patterns of/ });
    const list = page.getByRole('region', { name: 'Patterns of http://127.0.0.1:9/hook' });
    const last = list.getByText(events.at(-1) ?? '');
    await count.hover();
    await list.waitFor();
    // From the number into the list, and down in it.
    await list.hover();
    await page.mouse.wheel(0, 10_000);
    await expect.poll(() => isInView(list, last)).toBe(true);
    await page.mouse.move(0, 0);
    await list.waitFor({ state: 'hidden' });

    await count.focus();
    await page.keyboard.press('Enter');
    await list.waitFor();
    await page.keyboard.press('Tab');
    await expect
      .poll(() => list.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
    await page.keyboard.press('End');
    await expect.poll(() => isInView(list, last)).toBe(true);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });

    await count.click();
    await page.mouse.move(0, 0);
    await list.waitFor();
    await page.setViewportSize(NARROW);
    await expectNoSidewaysScroll(page);
    await page.goto(`${host.url}/1?tab=settings`);
    const pill = page.locator('.pattern').last();
    const isWhole = () => pill.evaluate((element) => element.scrollWidth <= element.clientWidth + 1);
    await expect.poll(isWhole).toBe(true);
    // A few lines, and not a letter in each.
    await expect.poll(() => heightOf(pill)).toBeLessThan(90);
  });

  it('a long URL takes one line of the list, and stands whole under “About this webhook”', async () => {
    const host = await start();
    const url = `http://127.0.0.1:9/${'a-long-path/'.repeat(168)}`;
    await host.webhooks.create({ url });
    const page = await openGuarded(host.url, { viewport: NARROW });
    const link = page.locator('.data-table a');
    await expect.poll(() => heightOf(link)).toBeLessThan(32);
    await page.goto(`${host.url}/1`);
    // The heading of the page while the webhook loads is another one.
    const title = page.getByRole('heading', { level: 1, name: url });
    await expect.poll(() => heightOf(title)).toBeLessThan(120);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('region', { name: 'About this webhook' }).getByText(url, { exact: true }).waitFor();
    await expectNoSidewaysScroll(page);
  });

  it('exact instants are there to read in an opened delivery and about the webhook', async () => {
    const recipient = await serveRecipient();
    const host = await start();
    const { id } = await host.webhooks.create({ url: recipient.url });
    const { createdAt } = await host.webhooks.get(id);
    await host.webhooks.dispatch('user.created', {});
    await recipient.receivedCount(1);
    const page = await openGuarded(`${host.url}/${id}`);
    await page.getByRole('link', { name: 'Settings' }).click();
    const about = page.getByRole('region', { name: 'About this webhook' });
    expect(await about.innerText()).toContain(`(${createdAt})`);
    await page.getByRole('navigation').getByRole('link', { name: 'Deliveries' }).last().click();
    await page.getByRole('link', { name: 'user.created' }).click();
    const details = page.getByRole('dialog', { name: /^Delivery [0-9a-f]{32}$/ });
    await details.getByText('Attempt 1: HTTP 204').waitFor();
    const { deliveries } = await host.webhooks.deliveries(id);
    expect(await details.innerText()).toContain(`(${deliveries[0]?.createdAt})`);
  });

  it('an administrator has the name that the host gives, as plain text', async () => {
    const name = '<img src=x onerror=trap(1)> أدا';
    const host = await servePanel({ api: { describeActors: async () => new Map([['7', name]]) } });
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook', createdByUid: '7' });
    const page = await openGuarded(`${host.url}/${id}?tab=settings`);
    const about = page.getByRole('region', { name: 'About this webhook' });
    await about.getByText(`by ${name} (7)`).waitFor();
  });

  it('a row says what the delivery that is opened says', async () => {
    let status = 204;
    const recipient = await serveRecipient((_callback, response) => response.writeHead(status).end());
    const host = await start([3_600_000]);
    const { id } = await host.webhooks.create({ url: recipient.url });
    const { deliveryId } = await host.webhooks.test(id);
    await host.webhooks.drain();
    const page = await openGuarded(`${host.url}/${id}`);
    const row = page.locator('.data-table tbody tr');
    await row.getByText('HTTP 204').waitFor();
    // A history in which everything has ended is not read again by itself; and somebody else sends
    // this one once more.
    status = 401;
    await host.webhooks.redeliver(id, deliveryId);
    await host.webhooks.drain();
    await row.getByRole('link', { name: 'webhook.test' }).click();
    await page.getByText('Attempt 2: HTTP 401').waitFor();
    await row.getByText(/^The recipient answered HTTP 401, next attempt in/).waitFor();
  });

  it('the chart moves on with the time', async () => {
    const host = await start();
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const page = await openGuarded(host.url);
    const asked: number[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      const from = url.searchParams.get('from');
      if (url.pathname.endsWith('/activity') && from !== null) asked.push(Date.parse(from));
    });
    const now = Date.now();
    await page.clock.setFixedTime(now);
    await page.goto(`${host.url}/${id}`);
    await expect.poll(() => asked.length).toBe(1);
    await page.clock.setFixedTime(now + 3 * DAY_MS);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await expect.poll(() => asked.at(-1)).toBe((asked[0] ?? 0) + 3 * DAY_MS);
  });

  it('filters and page of a history are in its address', async () => {
    const recipient = await serveRecipient();
    const host = await start();
    const { id } = await host.webhooks.create({ url: recipient.url });
    for (let n = 0; n < 25; n += 1) await host.webhooks.dispatch('order.created', { n });
    await host.webhooks.dispatch('user.created', {});
    await expect.poll(async () => (await host.webhooks.get(id)).stats.success).toBe(26);
    const page = await openGuarded(`${host.url}/${id}`);
    const openers = page.locator('.row-link');
    await expect.poll(() => openers.count()).toBe(20);
    await page.getByRole('button', { name: 'Event: All' }).click();
    await page.getByRole('dialog').getByLabel('Event').fill('order.created');
    await page.keyboard.press('Enter');
    await page.waitForURL(/event=order.created/);
    await page.getByRole('radio', { name: /^Success/ }).check();
    await page.waitForURL(/status=success/);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.waitForURL(/cursor=/);
    await expect.poll(() => openers.count()).toBe(5);
    await openers.last().click();
    const opened = page.getByRole('dialog', { name: /^Delivery [0-9a-f]{32}$/ });
    await opened.waitFor();
    await page.reload();
    await opened.waitFor();
    await expect.poll(() => openers.count()).toBe(5);
    expect(await page.getByRole('button', { name: 'Event: order.created' }).count()).toBe(1);
    expect(await page.getByRole('radio', { name: /^Success/ }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Close' }).click();
    // After a reload the way back is that of the address.
    await page.getByRole('button', { name: 'Newer' }).click();
    await expect.poll(() => openers.count()).toBe(20);
    await page.goBack();
    await expect.poll(() => openers.count()).toBe(5);
  });

  it('shows times in the zone of who looks, and the exact instant, in UTC as well', async () => {
    const host = await start();
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const { createdAt } = await host.webhooks.get(id);
    const options = { timezoneId: 'Asia/Kathmandu', locale: 'en-GB' };
    const page = await openGuarded(`${host.url}/${id}?tab=settings`, options);
    const time = page.locator(`time[datetime="${createdAt}"]`).first();
    await time.waitFor();
    const shown = { timeZone: options.timezoneId, hour: '2-digit', minute: '2-digit' } as const;
    expect(await time.innerText()).toContain(
      new Intl.DateTimeFormat('en-GB', shown).format(new Date(createdAt)),
    );
    expect(await time.innerText()).toContain(`(${createdAt})`);
    expect(await time.innerText()).toContain('GMT+5:45');
    await page.getByText(/Asia\/Kath?mandu/).waitFor();
  });

  it('an administrator with the name and uid of another but for a hidden character does not look alike', async () => {
    const [uid, name] = ['7\u2060', 'A\u200bda'];
    const host = await servePanel({ api: { describeActors: async () => new Map([[uid, name]]) } });
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook', createdByUid: uid });
    const page = await openGuarded(`${host.url}/${id}?tab=settings`);
    const about = page.getByRole('region', { name: 'About this webhook' });
    await about.getByText(`by ${name} (${uid})`).waitFor();
    const hidden = about.locator('bdi .hidden-character');
    const escapes = await hidden.evaluateAll((all) => all.map((one) => one.getAttribute('data-escape')));
    expect(escapes).toEqual(['\\u{200b}', '\\u{2060}']);
  });
});

async function start(delaysMs?: readonly number[]) {
  return await servePanel(delaysMs === undefined ? {} : { delaysMs });
}

type Located = ReturnType<Page['locator']>;

// An element that the page has just replaced has no box: tests measure again.

async function heightOf(element: Located): Promise<number> {
  return (await element.boundingBox())?.height ?? Number.NaN;
}

async function isRightOf(frame: Located, element: Located): Promise<boolean> {
  const [outer, inner] = [await frame.boundingBox(), await element.boundingBox()];
  return outer !== null && inner !== null && inner.x >= outer.x;
}

async function isInView(frame: Located, element: Located): Promise<boolean> {
  const [outer, inner] = [await frame.boundingBox(), await element.boundingBox()];
  if (outer === null || inner === null) return false;
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height + 1;
}
