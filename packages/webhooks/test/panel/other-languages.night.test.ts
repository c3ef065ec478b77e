import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectNoSidewaysScroll, openGuarded } from './guarded-page.ts';
import { type PanelHostOptions, servePanel } from './panel-host.ts';

const URL = 'http://127.0.0.1:9/hook';
const NARROW = { width: 360, height: 740 };

describe.skipIf(chromiumSkipped)('a panel in another language', BROWSER_TIMEOUT, () => {
  it('is mirrored if the language is written from right to left', async () => {
    const { host, id } = await start({ language: 'ar', texts: { ar: {} } });
    const page = await openGuarded(host.url);
    const name = page.getByRole('cell').getByRole('link');
    expect(await leftOf(page.locator('tbody input'))).toBeGreaterThan(await leftOf(name));
    expect(await leftOf(name.locator('span span').last())).toBeGreaterThan(
      await leftOf(name.locator('span span').first()),
    );
    // The order of the letters in a sentence is that of its language; a URL in it keeps its own.
    await page.getByRole('button', { name: `Send test event to \u2068${URL}\u2069` }).click();
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    await dismiss.waitFor();
    expect(await leftOf(dismiss)).toBeLessThan(640);
    await page.setViewportSize(NARROW);
    await expectNoSidewaysScroll(page);

    await page.goto(`${host.url}/${id}`);
    await page.getByRole('link', { name: 'webhook.test' }).click();
    await page.getByRole('list', { name: 'Attempts' }).waitFor();
    await expectNoSidewaysScroll(page);
  });

  it('keeps the letters of times, URLs and descriptions in their order', async () => {
    const { host, id } = await start({ language: 'ar', texts: { ar: {} } });
    const description = 'Orders (v2.1) of the shop.';
    await host.webhooks.update(id, { description });
    await host.webhooks.test(id);
    const page = await openGuarded(host.url);
    for (const path of ['', `/${id}`]) {
      await page.goto(host.url + path);
      await expectInOrder(page.getByText(description), 'Orders', '.');
    }
    await page.getByRole('link', { name: 'webhook.test' }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    const registered = page.getByRole('region', { name: 'About this webhook' }).locator('time').first();
    // The year before the Z at the end: 2026-11-27T05:55:11.000Z.
    await expectInOrder(registered, '2026-', 'Z');
    await expectInOrder(page.locator('dd bdi').first(), 'http', 'hook');
  });
});

async function start(options: PanelHostOptions) {
  const host = await servePanel(options);
  const { id } = await host.webhooks.create({ url: URL });
  return { host, id };
}

/** Measures where the last occurrences of two parts of a text are drawn. */
async function expectInOrder(text: Locator, first: string, second: string): Promise<void> {
  const lefts = await text.evaluate(
    (element, parts) =>
      parts.map((part) => {
        const page = element.ownerDocument;
        const letters = page.createTreeWalker(element, 4).nextNode();
        const range = page.createRange();
        const at = letters?.textContent?.lastIndexOf(part) ?? -1;
        if (letters === null || at === -1) return Number.NaN;
        range.setStart(letters, at);
        range.setEnd(letters, at + part.length);
        return range.getBoundingClientRect().left;
      }),
    [first, second],
  );
  expect(lefts[0]).toBeLessThan(lefts[1] ?? 0);
}

async function leftOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.x ?? Number.NaN;
}

async function _topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? Number.NaN;
}
