import type { ChildProcess } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, openPage } from './browser.ts';
import { endDemo, running, startDemo } from './demo-process.ts';

const TIMEOUT_MS = 120_000;

let demo: ChildProcess;
let browser: Browser;
let app: string;

describe.skipIf(isBrowserMissing)('the show, in a browser', () => {
  beforeAll(async () => {
    demo = startDemo();
    ({ app } = await running(demo));
    browser = await launchBrowser();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await endDemo(demo);
  });

  it('leads to a delivery in the panel, logged in, however long that takes', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { page, faults } = await openPage(browser, 'about:blank');
    let letIn = () => {};
    const isClicked = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.route('**/api/admin/auth/login', async (route) => {
      await isClicked;
      await route.continue();
    });
    await page.goto(app);
    await page.locator('[data-hook=shop] [data-state=arrived] a').last().click();
    letIn();
    await page.getByText('HTTP 200').first().waitFor();
    expect(faults).toEqual([]);
  });
});
