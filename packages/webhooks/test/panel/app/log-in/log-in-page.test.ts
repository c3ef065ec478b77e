import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { logIn, startLoggedOut } from './log-in.ts';

describe.skipIf(chromiumSkipped)('the log-in page', BROWSER_TIMEOUT, () => {
  it('is where an ended session leads, and leads back to the same page', async () => {
    const host = await startLoggedOut();
    await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const page = await openGuarded(`${host.url}/1?status=failed`);
    await page.waitForURL(`${host.url}/login?return_to=%2Fadmin%2Fwebhooks%2F1%3Fstatus%3Dfailed`);
    await logIn(page);
    await page.waitForURL(`${host.url}/1?status=failed`);
    await page.getByRole('heading', { name: 'http://127.0.0.1:9/hook' }).waitFor();

    // A second session that ends is renewed by a second log-in.
    host.endSessionWith('PUT /api/admin/webhooks/1');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.waitForURL(/\/login\?return_to=/);
    await logIn(page);
    await page.waitForURL(`${host.url}/1?status=failed`);
    // The log-in page is not in the history, with what was typed into it.
    await page.goBack();
    expect(page.url()).not.toContain('/login');
  });

  it('leads to the list unless return_to is a path of this origin', async () => {
    const host = await startLoggedOut();
    for (const foreign of ['//evil.example', '/%5Cevil.example', 'javascript:alert(1)']) {
      const page = await openGuarded(`${host.url}/login?${new URLSearchParams({ return_to: foreign })}`);
      await logIn(page);
      await page.getByText('No webhooks yet').waitFor();
      expect(page.url()).toBe(host.url);
    }
  });
});
