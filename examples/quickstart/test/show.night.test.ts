import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, isBrowserMissing, openPage, type ShownDemo, useDemo } from './browser.ts';

const TIMEOUT_MS = 120_000;
const PATIENCE = { timeout: 60_000 };

let demo: ShownDemo;

describe.skipIf(isBrowserMissing)('the show, in a browser', () => {
  useDemo((running) => {
    demo = running;
  });

  it('loses nothing and does nothing twice, whatever is switched off', { timeout: TIMEOUT_MS }, async () => {
    const { page, faults } = await openPage(demo.browser, demo.app);
    const accounting = page.locator('[data-hook=accounting]');
    await accounting.locator('[data-state=arrived]').first().waitFor();

    await accounting.getByRole('switch').click();
    await accounting.getByText('Down: answers 503').waitFor();
    await accounting.locator('[data-state=waits]').nth(1).waitFor();
    // The others go on.
    const warehouse = page.locator('[data-hook=shop]');
    const before = await numberOf(page, '#placed');
    await expect.poll(() => numberOf(page, '#placed'), PATIENCE).toBeGreaterThan(before + 1);
    expect(await warehouse.locator('[data-state=waits]').count()).toBe(0);

    const worker = page.getByRole('switch', { name: 'The worker delivers' });
    await worker.click();
    await worker.getByText('Dead').waitFor();
    await warehouse.locator('[data-state="on its way"]').nth(1).waitFor();
    await worker.click();
    await worker.getByText('Runs').waitFor();
    await warehouse.locator('[data-state="on its way"]').nth(1).waitFor({ state: 'detached' });

    await accounting.getByRole('switch').click();
    await accounting.getByText('Accepts').waitFor();
    await page.getByRole('switch', { name: 'The shop sells' }).click();
    await page.getByText('Closed').waitFor();
    // An attempt that the kill cut off is made again once its lease has ended.
    await expect.poll(() => numberOf(page, '#waiting'), PATIENCE).toBe(0);
    // Besides the orders placed here, one of the seeded ones was still due at the first recipient.
    const placed = await numberOf(page, '#placed');
    await expect.poll(() => numberOf(page, '#arrived'), PATIENCE).toBe(3 * placed + 1);
    expect(await page.locator('#promise').innerText()).toMatch(/^0 lost, 0 twice/);
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'has no axe violation and no sideways scrolling in %s',
    { timeout: TIMEOUT_MS },
    async (colorScheme) => {
      const { page } = await openPage(demo.browser, demo.app);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator('[data-hook=shop] [data-state=arrived]').first().waitFor();
      await expectAccessible(page);
    },
  );
});

async function numberOf(page: Page, selector: string): Promise<number> {
  return Number(await page.locator(selector).innerText());
}
