import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../guarded-page.ts';
import { servePanel } from '../panel-host.ts';

describe.skipIf(chromiumSkipped)('the storage of a tab', BROWSER_TIMEOUT, () => {
  it('keeps apart what panels of one origin store', async () => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?search=x`);
    const keys = () => page.evaluate<string[]>('Object.keys(sessionStorage).sort()');
    await expect.poll(keys).toEqual(['list', 'user'].map((key) => `acme-webhooks:/admin/webhooks:${key}`));
  });
});
