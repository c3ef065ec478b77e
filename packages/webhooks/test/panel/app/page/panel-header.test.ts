import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { inOneTest } from '../../../../../toolkit/test/in-one-test.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  openGuarded,
} from '../../guarded-page.ts';
import { DEAD, LOGIN_ENDPOINT, LOGO_URL, LOGOUT_URL, servePanel } from '../../panel-host.ts';

const HOST = {
  title: 'Example shop',
  theme: { light: { logoUrl: LOGO_URL } },
  backUrl: '/shop/admin',
  logoutUrl: LOGOUT_URL,
  loginEndpoint: LOGIN_ENDPOINT,
};

describe.skipIf(chromiumSkipped)('the header of the panel', BROWSER_TIMEOUT, () => {
  inOneTest([
    ['#0b6e4f', 'rgb(11, 110, 79)', 'rgb(255, 255, 255)'],
    ['#f5a623', 'rgb(245, 166, 35)', 'rgb(0, 0, 0)'],
  ])('shows whose panel it is, and leads back, in the host’s colour %s', async (accent, fill, text) => {
    const host = await servePanel({
      ...HOST,
      theme: { light: { logoUrl: LOGO_URL, accent } },
      webhook: { url: DEAD },
    });
    const page = await openGuarded(host.url);
    const header = page.getByRole('banner');
    await header.getByText('Example shop').waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("header img").naturalWidth')).toBe(56);
    const back = header.getByRole('link', { name: 'Back to the application' });
    expect(await back.getAttribute('href')).toBe('/shop/admin');
    const add = page.getByRole('button', { name: 'Add webhook' });
    await expect.poll(() => colorOf(add, 'background-color')).toBe(fill);
    expect(await colorOf(add, 'color')).toBe(text);
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, ['color-contrast', 'link-in-text-block']);
  });

  it('logs out by a POST, and goes to the log-in page', async () => {
    const host = await servePanel(HOST);
    const page = await openGuarded(`${host.url}?status=paused`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(host.session).toBe('expired');
    expect(host.requests).toContain(`POST ${LOGOUT_URL}`);
    await page.getByText('Example shop').waitFor();
    await expectAccessible(page);
  });

  it('forgets with the log-out what the tab remembers', async () => {
    const host = await servePanel(HOST);
    const page = await openGuarded(`${host.url}?search=x`);
    await expect.poll(() => storedIn(page)).toContain('search=x');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await storedIn(page)).not.toContain('search');
  });
});

function storedIn(page: Page): Promise<string> {
  return page.evaluate('JSON.stringify({ ...sessionStorage })');
}

function colorOf(element: ReturnType<Page['getByRole']>, name: string): Promise<string | undefined> {
  return element.evaluate(
    (button, property) =>
      button.ownerDocument.defaultView?.getComputedStyle(button).getPropertyValue(property),
    name,
  );
}
