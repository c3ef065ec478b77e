import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../guarded-page.ts';
import { servePanel } from '../panel-host.ts';

describe.skipIf(chromiumSkipped)('the storage of a tab', BROWSER_TIMEOUT, () => {
  it('keeps apart what panels of one origin store', async () => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?new=1&search=x`);
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook');
    const keys = () => page.evaluate<string[]>('Object.keys(sessionStorage).sort()');
    await expect
      .poll(keys)
      .toEqual(['draft:new', 'list', 'user'].map((key) => `acme-webhooks:/admin/webhooks:${key}`));
  });
});
