import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { servePanel } from './panel-host.ts';

const URL = 'http://127.0.0.1:9/services/T0123456789/incoming-webhooks/orders';

describe.skipIf(chromiumSkipped)('a list of webhooks', BROWSER_TIMEOUT, () => {
  it('follows the width that it has, not that of the window', async () => {
    const page = await openList();
    await expect.poll(() => displayOfRow(page)).toBe('table-row');
    // A host's navigation beside it.
    await page.evaluate("document.body.style.paddingInlineStart = '640px'");
    await expect.poll(() => displayOfRow(page)).toBe('grid');
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
