import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../guarded-page.ts';
import { type PanelHost, startPanelHost } from '../panel-host.ts';

let browser: Browser;

async function start(): Promise<PanelHost> {
  const host = await startPanelHost();
  onTestFinished(() => host.close());
  return host;
}

describe.skipIf(chromiumSkipped)('the storage of a tab', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('keeps apart what panels of one origin store', async () => {
    const host = await start();
    const { page, expectClean } = await openGuarded(browser, `${host.url}?new=1&search=x`);
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook');
    const keys = () => page.evaluate<string[]>('Object.keys(sessionStorage).sort()');
    await expect
      .poll(keys)
      .toEqual(['draft:new', 'list', 'user'].map((key) => `acme-webhooks:/admin/webhooks:${key}`));
    await expectClean();
  });

  it('may be blocked: every page is shown, and an ended session leads into no loop', async () => {
    const host = await start();
    await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const { page, expectClean } = await openGuarded(browser, host.url);
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
    }`);
    await page.goto(`${host.url}?new=1`);
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/other');
    await page.goto(`${host.url}/1`);
    await page.getByRole('heading', { name: 'http://127.0.0.1:9/hook' }).waitFor();
    await page.goto(`${host.url}/deliveries`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectClean();
    Object.assign(host, { session: 'expired', isRenewable: false });
    await page.goto(host.url);
    await page.getByRole('link', { name: /log in/i }).waitFor();
    expect(page.url()).toBe(host.url);
  });
});
