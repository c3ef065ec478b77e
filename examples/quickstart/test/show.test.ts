import { describe, expect, it } from 'vitest';
import { isBrowserMissing, openPage, type ShownDemo, useDemo } from './browser.ts';

const TIMEOUT_MS = 120_000;

let demo: ShownDemo;

describe.skipIf(isBrowserMissing)('the show, in a browser', () => {
  useDemo((running) => {
    demo = running;
  });

  it('leads to a delivery in the panel, logged in, however long that takes', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { page, faults } = await openPage(demo.browser, 'about:blank');
    let letIn = () => {};
    const isClicked = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.route('**/api/admin/auth/login', async (route) => {
      await isClicked;
      await route.continue();
    });
    await page.goto(demo.app);
    await page.locator('[data-hook=shop] [data-state=arrived] a').last().click();
    letIn();
    await page.getByText('HTTP 200').first().waitFor();
    expect(faults).toEqual([]);
  });
});
