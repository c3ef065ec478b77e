import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../guarded-page.ts';
import { DEAD, servePanel } from '../panel-host.ts';

describe.skipIf(chromiumSkipped)('the storage of a tab', BROWSER_TIMEOUT, () => {
  it('may be blocked: every page is shown, and an ended session leads into no loop', async () => {
    const host = await servePanel({ webhook: { url: DEAD } });
    const page = await openGuarded(host.url);
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
    }`);
    await page.goto(`${host.url}?new=1`);
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).waitFor();
    await page.goto(`${host.url}/1`);
    await page.getByRole('heading', { name: 'http://127.0.0.1:9/hook' }).waitFor();
    await page.goto(`${host.url}/deliveries`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    Object.assign(host, { session: 'expired', isRenewable: false });
    await page.goto(host.url);
    await page.getByRole('link', { name: /log in/i }).waitFor();
    expect(page.url()).toBe(host.url);
  });
});
