import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { serveRecipient } from '../../../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectAccessible, openGuarded } from '../../guarded-page.ts';
import { servePanel } from '../../panel-host.ts';

const POLL_MS = 6_000;

describe.skipIf(chromiumSkipped)('a list of deliveries that is read', BROWSER_TIMEOUT, () => {
  it('holds while a delivery is open, says how many are new, and shows them when asked', async () => {
    const { page, dispatch } = await open((id) => `/${id}`);
    const openers = page.locator('.row-link');
    await openers.first().click();
    await page.getByText('Attempt 1: HTTP 204').waitFor();
    const before = await openers.first().boundingBox();
    await dispatch(12);
    await page.clock.runFor(POLL_MS);
    await page.getByText('12 new').waitFor();
    expect(await openers.count()).toBe(3);
    expect(await openers.first().boundingBox()).toEqual(before);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => openers.count()).toBe(15);
  });

  it('holds while the keyboard is in it, and shows what is new when asked', async () => {
    const { page, dispatch } = await open(() => '/deliveries');
    const links = page.locator('.row-link');
    await page.getByLabel('Select page').focus();
    await page.keyboard.press('Tab');
    await dispatch(2);
    await page.clock.runFor(POLL_MS);
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect(await links.count()).toBe(3);
    await page.keyboard.press('Tab');
    await page.clock.runFor(POLL_MS);
    expect(await links.count()).toBe(3);
    await page.getByRole('button', { name: '2 new' }).click();
    await expect.poll(() => links.count()).toBe(5);
    expect(await page.getByRole('button', { name: /new/ }).count()).toBe(0);
    // The pointer alone holds nothing.
    await page.getByRole('heading', { level: 1 }).click();
    await dispatch(1);
    await page.clock.runFor(POLL_MS);
    await expect.poll(() => links.count()).toBe(6);
  });

  it('holds while its beginning is out of sight', async () => {
    const { page, dispatch } = await open(() => '/deliveries', 15);
    const rows = page.locator('.data-table tbody tr');
    await page.setViewportSize({ width: 1280, height: 300 });
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await dispatch(2);
    await page.clock.runFor(POLL_MS);
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect(await rows.count()).toBe(15);
    await page.evaluate('scrollTo(0, 0)');
    await expect.poll(() => rows.count()).toBe(17);
  });

  it('shows everything at once when it is refreshed', async () => {
    const { page, dispatch } = await open((id) => `/${id}`);
    await page.locator('tbody .select-box').first().check();
    await dispatch(2);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => page.locator('.row-link').count()).toBe(5);
  });
});

describe.skipIf(chromiumSkipped)('the list of webhooks while it is read', BROWSER_TIMEOUT, () => {
  it('holds while one is selected, but for those that are gone', async () => {
    const host = await servePanel();
    const create = (name: string) => host.webhooks.create({ url: `http://127.0.0.1:9/${name}` });
    const [, second] = [await create('one'), await create('two'), await create('three')];
    const page = await openGuarded(host.url);
    await page.clock.install();
    await page.goto(host.url);
    await rowsOf(page, 3);
    await page.getByText('Updated just now').waitFor();
    const names = () => page.locator('tbody .row-link').allInnerTexts();
    const before = await names();
    await page.locator('tbody .select-box').last().check();
    await create('four');
    await page.clock.runFor(POLL_MS);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await names()).toEqual(before);
    await host.webhooks.delete(second.id);
    await page.clock.runFor(POLL_MS);
    await expect.poll(names).toEqual(before.filter((name) => !name.includes('/two')));
    await page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(async () => (await names())[0]).toContain('/four');
  });

  it('keeps one that has only moved to another page, but none that was deleted here', async () => {
    const host = await servePanel();
    const create = (name: number) => host.webhooks.create({ url: `http://127.0.0.1:9/${name}` });
    for (let n = 1; n <= 21; n += 1) await create(n);
    const page = await openGuarded(host.url);
    await page.clock.install();
    await page.goto(host.url);
    await rowsOf(page, 20);
    await page.getByText('Updated just now').waitFor();
    const names = () => page.locator('tbody .row-link').allInnerTexts();
    const before = await names();
    await page.locator('tbody .select-box').last().check();
    await create(22);
    await page.clock.runFor(POLL_MS);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await names()).toEqual(before);
    const [first = ''] = before;
    const row = page.getByRole('row').filter({ has: page.getByText(first, { exact: true }) });
    await row.getByRole('button', { name: /^More actions/ }).click();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await expect.poll(names).toEqual(before.slice(1));
  });
});

/** A page with deliveries, on a clock that the test moves. */
async function open(pathOf: (id: number) => string, count = 3) {
  const recipient = await serveRecipient();
  const host = await servePanel();
  const { id } = await host.webhooks.create({ url: recipient.url });
  const dispatch = async (events: number) => {
    for (let n = 0; n < events; n += 1) await host.webhooks.dispatch('user.updated', { id: n });
    await host.webhooks.drain();
  };
  await dispatch(count);
  const page = await openGuarded(host.url);
  await page.clock.install();
  await page.goto(host.url + pathOf(id));
  await rowsOf(page, count);
  await page.getByText('Updated just now').waitFor();
  return { page, dispatch };
}

async function rowsOf(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.locator('tbody .select-box').count()).toBe(count);
}
