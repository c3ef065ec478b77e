import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../../../test/services/chromium.ts';
import { startRecipient } from '../../../engine/recipient.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  openGuarded,
  SUM_OF_SHIFTS,
} from '../../guarded-page.ts';
import { type PanelHost, startPanelHost } from '../../panel-host.ts';

let browser: Browser;
/** Nobody listens there. */
const DEAD = 'http://127.0.0.1:9/hook';
const POLL_MS = 6_000;

describe.skipIf(chromiumSkipped)('the page of deliveries across webhooks', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('is reached from the list, marks itself as the current page, and opens each delivery', async () => {
    const host = await start();
    await host.webhooks.create({ url: DEAD });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await host.webhooks.drain();
    const { page, expectClean } = await openGuarded(browser, host.url);
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.waitForURL(`${host.url}/deliveries`);
    const current = page.getByRole('navigation', { name: 'Pages', exact: true }).locator('[aria-current]');
    await expect.poll(() => current.innerText()).toBe('Deliveries');
    const row = page.getByRole('row').filter({ hasText: 'user.deleted' });
    expect(await row.innerText()).toContain('The recipient refused the connection');
    expect(await row.innerText()).toContain(DEAD);
    await row.getByRole('link').click();
    await page.waitForURL(new RegExp(`${host.url}/deliveries\\?delivery=[0-9a-f]{32}$`));
    await page.getByText('Given up after 2 attempts.').waitFor();
    await expectClean();
  });

  it('opens none where a click has another meaning', async () => {
    const host = await start();
    await host.webhooks.create({ url: DEAD });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await host.webhooks.drain();
    const { page, expectClean } = await openGuarded(browser, `${host.url}/deliveries`);
    const time = page.locator('tbody time').first();
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
    await expectClean();
  });

  it('marks the deliveries that are tests', async () => {
    const host = await start();
    const { id } = await host.webhooks.create({ url: DEAD });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await host.webhooks.test(id, { event: 'user.created', payload: {} });
    await host.webhooks.drain();
    const { page, expectClean } = await openGuarded(browser, `${host.url}/deliveries`);
    const row = (event: string) => page.getByRole('row').filter({ hasText: event });
    await row('user.created').getByText('Test', { exact: true }).waitFor();
    await row('user.deleted').waitFor();
    expect(await row('user.deleted').getByText('Test', { exact: true }).count()).toBe(0);
    await keepPicture(page, 'deliveries-test');
    await page.setViewportSize({ width: 360, height: 740 });
    await keepPicture(page, 'deliveries-test-narrow');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await expectClean();
  });

  it('finds one delivery by its id, whatever the filters were, and says if there is none', async () => {
    const host = await start();
    await host.webhooks.create({ url: DEAD });
    for (let n = 0; n < 3; n += 1) await host.webhooks.dispatch('user.deleted', { id: n });
    await host.webhooks.drain();
    const [, wanted] = (await host.webhooks.searchDeliveries({})).deliveries;
    const { page, expectClean } = await openGuarded(browser, `${host.url}/deliveries?status=success`);
    await page.getByText('No delivery matches').waitFor();
    const id = page.getByLabel('Delivery id');
    await id.fill(`  ${wanted?.deliveryId.toUpperCase()} `);
    const rows = page.getByRole('row').filter({ hasText: 'user.deleted' });
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.getByRole('link').getAttribute('href')).toContain(wanted?.deliveryId);
    await expect.poll(() => page.getByLabel('Status', { exact: true }).inputValue()).toBe('');

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
    await expectClean();
  });

  it('filters by status, event, error, HTTP status and time, in the address', async () => {
    const host = await start();
    const recipient = await startRecipient((callback, response) => {
      response.writeHead(callback.headers['x-webhook-event'] === 'user.updated' ? 503 : 200).end();
    });
    onTestFinished(() => recipient.close());
    await host.webhooks.create({ url: recipient.url });
    await host.webhooks.create({ url: DEAD, events: ['user.deleted'] });
    for (const event of ['user.created', 'user.updated', 'user.deleted']) {
      await host.webhooks.dispatch(event, { id: 1 });
    }
    await host.webhooks.drain();
    const { page, expectClean } = await openGuarded(browser, `${host.url}/deliveries`);
    const rows = page.getByRole('row').filter({ hasText: '127.0.0.1' });
    const status = page.getByLabel('Status', { exact: true });
    await expect.poll(() => rows.count()).toBe(4);
    await status.selectOption('Failed');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Error', { exact: true }).selectOption('The recipient refused the connection');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel('Error', { exact: true }).selectOption('All');
    await page.getByLabel('HTTP status').fill('503');
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('user.updated')]);
    expect(page.url()).toBe(`${host.url}/deliveries?status=failed&http=503`);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    expect(await page.getByLabel('HTTP status').inputValue()).toBe('503');
    await page.getByLabel('HTTP status').fill('');
    await status.selectOption('All');
    await page.getByLabel('Event, by its full name').fill('user.deleted');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Created').selectOption('Last hour');
    await expect.poll(() => page.url()).toContain('range=hour');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Created').selectOption('Between two times');
    await page.getByLabel('Before').fill('2020-01-01T00:00');
    await page.getByText('No delivery matches').waitFor();
    await page.getByRole('button', { name: 'Show all deliveries' }).click();
    await expect.poll(() => rows.count()).toBe(4);
    await expectClean();
  });

  it('shows twelve rows and more on a screen of 800 px, and turns pages that back and reload keep', async () => {
    const host = await start();
    await host.webhooks.create({ url: DEAD });
    for (let n = 0; n < 45; n += 1) await host.webhooks.dispatch(`user.n${n}`, { id: n });
    await host.webhooks.drain();
    const { page, expectClean } = await openGuarded(browser, `${host.url}/deliveries`, {
      viewport: { width: 1280, height: 800 },
    });
    const newest = page.getByRole('link', { name: 'user.n44' });
    await newest.waitFor();
    const twelfth = await page.getByRole('row').nth(12).boundingBox();
    expect((twelfth?.y ?? 0) + (twelfth?.height ?? 0)).toBeLessThanOrEqual(800);
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
    await expectClean();
  });

  it('says how far back a search went that had to stop, and goes on with it', async () => {
    const host = await start();
    await host.webhooks.create({ url: DEAD });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await host.webhooks.drain();
    const { deliveries: found } = (await (
      await fetch(`${host.origin}/api/admin/webhooks/deliveries`)
    ).json()) as { deliveries: object[] };
    const { page, expectClean } = await openGuarded(browser, host.url);
    // Nobody makes five thousand deliveries in a test: the answer of the API is what it would be
    // then.
    await page.route('**/api/admin/webhooks/deliveries?*', (route) => {
      const isSecond = new URL(route.request().url()).searchParams.get('cursor') === 'further';
      return route.fulfill({
        json: isSecond
          ? { deliveries: found, next_cursor: null, scanned_until: null }
          : { deliveries: [], next_cursor: 'further', scanned_until: '2026-01-02T03:04:05.000Z' },
      });
    });
    await page.goto(`${host.url}/deliveries?http=200`);
    await page.getByText('Searched back to').waitFor();
    await check(page, 'deliveries-stopped');
    await page.getByRole('button', { name: 'Search older deliveries' }).click();
    await page.getByRole('link', { name: 'user.deleted' }).waitFor();
    expect(await page.getByText('Searched back to').count()).toBe(0);
    await expectClean();
  });

  it('shows new deliveries, and what becomes of them', async () => {
    const host = await start();
    await host.webhooks.create({ url: DEAD });
    const { page, expectClean } = await openGuarded(browser, `${host.url}/deliveries`);
    await page.clock.install();
    await page.goto(`${host.url}/deliveries`);
    await page.getByText('No deliveries yet').waitFor();
    await page.getByText('Updated just now').waitFor();
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await host.webhooks.drain();
    await page.clock.runFor(POLL_MS);
    await page.getByRole('link', { name: 'user.deleted' }).waitFor();
    await expectClean();
  });

  it('is accessible and fits in every look, also while it loads, and does not move when it has loaded', async () => {
    const host = await start();
    const recipient = await startRecipient();
    onTestFinished(() => recipient.close());
    await host.webhooks.create({ url: `${recipient.url}/${'long-path/'.repeat(12)}` });
    await host.webhooks.create({ url: DEAD });
    for (let n = 0; n < 12; n += 1) await host.webhooks.dispatch('user.updated', { id: n });
    await host.webhooks.drain();
    const { page, expectClean } = await openGuarded(browser, `${host.url}/deliveries`);
    await page.getByRole('link', { name: 'user.updated' }).first().waitFor();
    await check(page, 'deliveries');
    await page.getByLabel('Created').selectOption('Between two times');
    await page.getByLabel('From').waitFor();
    await check(page, 'deliveries-range');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.addInitScript(SUM_OF_SHIFTS);
    await page.goto(`${host.url}/deliveries`);
    await page.getByRole('link', { name: 'user.updated' }).first().waitFor();
    expect(await page.evaluate<number>('window.shift')).toBeLessThan(0.05);
    await expectClean();
  });
});

async function start(): Promise<PanelHost> {
  const host = await startPanelHost();
  onTestFinished(() => host.close());
  return host;
}

const LOOKS = [
  { look: 'light', width: 1280, media: { colorScheme: 'light', forcedColors: 'none' } },
  { look: 'narrow', width: 360, media: { colorScheme: 'light', forcedColors: 'none' } },
  { look: 'middle', width: 768, media: { colorScheme: 'light', forcedColors: 'none' } },
  { look: 'dark', width: 1920, media: { colorScheme: 'dark', forcedColors: 'none' } },
  { look: 'forced', width: 1280, media: { colorScheme: 'dark', forcedColors: 'active' } },
] as const;

async function check(page: Awaited<ReturnType<typeof openGuarded>>['page'], state: string): Promise<void> {
  for (const { look, width, media } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia(media);
    await keepPicture(page, `${state}-${look}`);
    await expectNoSidewaysScroll(page);
    // The system's colours are the user's own.
    if (media.forcedColors === 'none') await expectAccessible(page);
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
}
