import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../test/services/chromium.ts';
import { type ShownDemo, useDemo } from './shown-demo.ts';

describe.skipIf(chromiumSkipped)('the page of the demo', () => {
  let demo: ShownDemo;
  useDemo((running) => {
    demo = running;
  });

  it('loses nothing and does nothing twice, whatever is taken down', async () => {
    const { page, faults } = await demo.open();
    const accounting = page.locator('[data-name=Accounting]');
    await accounting.locator('[data-state=arrived]').first().waitFor();

    await page.getByRole('button', { name: 'Take Accounting down' }).click();
    await accounting.getByText('Down: answers 503').waitFor();
    await accounting.locator('[data-state=waits]').nth(1).waitFor();
    // The others go on.
    const warehouse = page.locator('[data-name=Warehouse]');
    const before = await numberOf(page, '#placed');
    await expect.poll(() => numberOf(page, '#placed')).toBeGreaterThan(before + 1);
    expect(await warehouse.locator('[data-state=waits]').count()).toBe(0);

    await page.getByRole('button', { name: 'Kill the worker' }).click();
    const start = page.getByRole('button', { name: 'Start the worker' });
    await start.waitFor();
    await warehouse.locator('[data-state="on its way"]').nth(1).waitFor();
    await start.click();
    await page.getByRole('button', { name: 'Kill the worker' }).waitFor();
    await warehouse.locator('[data-state="on its way"]').nth(1).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Bring Accounting back' }).click();
    await accounting.getByText('Accepts').waitFor();
    await page.getByRole('button', { name: 'Close the shop' }).click();
    await page.getByRole('button', { name: 'Open the shop' }).waitFor();
    // An attempt that the kill cut off is made again once its lease has ended.
    await expect.poll(() => numberOf(page, '#waiting')).toBe(0);
    const placed = await numberOf(page, '#placed');
    await expect.poll(() => numberOf(page, '#arrived')).toBe(3 * placed);
    expect(await page.locator('#promise').innerText()).toMatch(/^0 lost, 0 twice/);
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'has no axe violation and no sideways scrolling in %s',
    async (colorScheme) => {
      const { page } = await demo.open();
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator('[data-name=Warehouse] [data-state=arrived]').first().waitFor();
      for (const width of [360, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      }
    },
  );
});

async function numberOf(page: Page, selector: string): Promise<number> {
  return Number(await page.locator(selector).innerText());
}
