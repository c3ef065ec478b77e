import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { LOGOUT_URL, servePanel } from '../../panel-host.ts';

describe.skipIf(chromiumSkipped)('the header of the panel', BROWSER_TIMEOUT, () => {
  it('changes the colour scheme, which the next page has before its scripts run', async () => {
    const host = await servePanel({});
    const page = await openGuarded(host.url);
    await page.getByLabel('Colour scheme').selectOption('Dark');
    await expect.poll(() => schemeOf(page)).toBe('dark');
    // Without the app: what is set is set by the script in the head.
    await page.route('**/assets/main-*.js', (route) => route.abort());
    await page.reload({ waitUntil: 'commit' });
    await page.getByText('Loading…').waitFor();
    expect(await schemeOf(page)).toBe('dark');
    await page.unroute('**/assets/main-*.js');
    await page.reload();
    await expect.poll(() => page.getByLabel('Colour scheme').inputValue()).toBe('dark');
    await page.getByLabel('Colour scheme').selectOption('Like the system');
    await expect.poll(() => schemeOf(page)).toBe('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => schemeOf(page)).toBe('dark');
  });

  it('says so if the log-out fails, and stays', async () => {
    const host = await servePanel({ logoutUrl: LOGOUT_URL });
    host.failNext(`POST ${LOGOUT_URL}`, 503, 'overloaded');
    const page = await openGuarded(host.url);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('You are still logged in').waitFor();
    expect(page.url()).toBe(host.url);
  });
});

function schemeOf(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.dataset.mantineColorScheme');
}
