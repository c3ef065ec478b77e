import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { servePanel } from './panel-host.ts';

/** Below it, a name is a riddle. */
const MIN_LINK_WIDTH = 220;
const URL = 'http://127.0.0.1:9/services/T0123456789/incoming-webhooks/orders';

describe.skipIf(chromiumSkipped)('a list of webhooks', BROWSER_TIMEOUT, () => {
  it('follows the width that it has, not that of the window', async () => {
    const page = await openList();
    await expect.poll(() => displayOfRow(page)).toBe('table-row');
    // A host's navigation beside it.
    await page.evaluate("document.body.style.paddingInlineStart = '640px'");
    await expect.poll(() => displayOfRow(page)).toBe('grid');
    await expectReadable(page, 'beside a navigation');
  });

  it('says the name first, then the URL and the description', async () => {
    const page = await openList();
    const cell = page.getByRole('row').filter({ hasText: 'Warehouse' }).getByRole('cell').nth(1);
    const parts = cell.locator('a, .webhook-place, .webhook-about');
    expect(await parts.allTextContents()).toEqual(['Warehouse', URL, 'Ships what was paid']);
    const unnamed = page.getByRole('row').filter({ hasText: 'unnamed' }).getByRole('cell').nth(1);
    expect(await unnamed.locator('a, .webhook-about').allTextContents()).toEqual([`${URL}/2`, 'unnamed']);
  });
});

async function openList() {
  const host = await servePanel({
    webhook: { url: URL, name: 'Warehouse', description: 'Ships what was paid' },
  });
  await host.webhooks.create({ url: `${URL}/2`, description: 'unnamed' });
  await host.webhooks.create({ url: `${URL}/3`, isActive: false, events: ['order.*', 'user.created'] });
  await host.deliver('user.created', { id: 1 });
  const page = await openGuarded(host.url);
  await page.getByText('The recipient refused the connection').first().waitFor({ state: 'attached' });
  return page;
}

function displayOfRow(page: Page): Promise<string | undefined> {
  const row = page.locator('tbody tr').first();
  return row.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).display);
}

async function expectReadable(page: Page, where: string): Promise<void> {
  const widths = await page
    .locator('tbody td a')
    .evaluateAll((links) => links.map((link) => link.closest('td')?.clientWidth ?? 0));
  expect(Math.min(...widths), `the narrowest name ${where}`).toBeGreaterThanOrEqual(MIN_LINK_WIDTH);
  // What is cut shows an ellipsis; nothing else reaches beyond its cell.
  const beyond = await page
    .locator('tbody td')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
    );
  expect(beyond, `beyond their cells ${where}`).toEqual([]);
}
