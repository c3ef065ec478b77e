import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { LOGIN, LOGIN_ENDPOINT, type PanelHost, servePanel } from '../../panel-host.ts';

async function start(): Promise<PanelHost> {
  const host = await servePanel({ loginEndpoint: LOGIN_ENDPOINT });
  host.session = 'expired';
  host.isRenewable = false;
  return host;
}

async function logIn(page: Page, password = LOGIN.password): Promise<void> {
  await page.getByLabel('User name or email').fill(LOGIN.login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

describe.skipIf(chromiumSkipped)('the log-in page', BROWSER_TIMEOUT, () => {
  it('is where an ended session leads, and leads back to the same page', async () => {
    const host = await start();
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
    const host = await start();
    for (const foreign of ['//evil.example', '/%5Cevil.example', 'javascript:alert(1)']) {
      const page = await openGuarded(`${host.url}/login?${new URLSearchParams({ return_to: foreign })}`);
      await logIn(page);
      await page.getByText('No webhooks yet').waitFor();
      expect(page.url()).toBe(host.url);
    }
  });
});
