import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../test/services/chromium.ts';
import { type ShownDemo, useDemo } from './shown-demo.ts';

describe.skipIf(chromiumSkipped)('the page of the demo', () => {
  let demo: ShownDemo;
  useDemo((running) => {
    demo = running;
  });

  it('leads to a delivery in the panel, logged in, however long that takes', async () => {
    const { page, faults } = await demo.open('about:blank');
    let letIn = () => {};
    const isClicked = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.route('**/api/auth/login', async (route) => {
      await isClicked;
      await route.continue();
    });
    await page.goto(demo.url);
    await page.locator('[data-name=Warehouse] [data-state=arrived] a').last().click();
    letIn();
    await page.getByText('HTTP 204').first().waitFor();
    expect(faults).toEqual([]);
  });
});
