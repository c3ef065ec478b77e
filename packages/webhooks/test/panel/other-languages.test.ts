import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectNoSidewaysScroll, keepPicture, openGuarded } from './guarded-page.ts';
import { type PanelHostOptions, startPanelHost } from './panel-host.ts';

let browser: Browser;
const URL = 'http://127.0.0.1:9/hook';
const NARROW = { width: 360, height: 740 };

describe.skipIf(chromiumSkipped)('a panel in another language', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('is mirrored if the language is written from right to left', async () => {
    const { host, id } = await start({ language: 'ar' });
    const { page, expectClean } = await openGuarded(browser, host.url);
    const name = page.getByRole('cell').getByRole('link');
    expect(await leftOf(page.locator('tbody input'))).toBeGreaterThan(await leftOf(name));
    expect(await leftOf(name.locator('span span').last())).toBeGreaterThan(
      await leftOf(name.locator('span span').first()),
    );
    await page.getByRole('button', { name: `Send test event to ${URL}` }).click();
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    await dismiss.waitFor();
    expect(await leftOf(dismiss)).toBeLessThan(640);
    await keepPicture(page, 'list-rtl');
    await page.setViewportSize(NARROW);
    await expectNoSidewaysScroll(page);

    await page.goto(`${host.url}/${id}`);
    await page.getByRole('button', { name: 'webhook.test' }).click();
    await page.getByText('Headers sent').first().waitFor();
    await keepPicture(page, 'detail-rtl');
    await expectNoSidewaysScroll(page);
    await expectClean();
  });

  it('lays out the history of a narrow screen by what a column is, not by its name', async () => {
    const history = { attempts: 'Versuche', result: 'Ergebnis', created: 'Angelegt' };
    const { host, id } = await start({ texts: { history } });
    await host.webhooks.test(id);
    const { page, expectClean } = await openGuarded(browser, `${host.url}/${id}`, { viewport: NARROW });
    const attempts = page.locator('.history-table .cell-attempts');
    await attempts.waitFor();
    const before = `getComputedStyle(document.querySelector('.cell-attempts'), '::before').content`;
    expect(await page.evaluate(before)).toBe('"Versuche "');
    const opener = page.locator('.row-opener');
    expect(await topOf(attempts)).toBeGreaterThan((await topOf(opener)) + 30);
    await expectClean();
  });
});

async function start(options: PanelHostOptions) {
  const host = await startPanelHost(options);
  onTestFinished(() => host.close());
  const { id } = await host.webhooks.create({ url: URL });
  return { host, id };
}

async function leftOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.x ?? Number.NaN;
}

async function topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? Number.NaN;
}
