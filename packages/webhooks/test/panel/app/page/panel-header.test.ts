import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../../../test/services/chromium.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  openGuarded,
} from '../../guarded-page.ts';
import {
  LOGIN_ENDPOINT,
  LOGO_URL,
  LOGOUT_URL,
  type PanelHostOptions,
  startPanelHost,
} from '../../panel-host.ts';

let browser: Browser;

const HOST = {
  title: 'Example shop',
  theme: { light: { logoUrl: LOGO_URL } },
  backUrl: '/shop/admin',
  logoutUrl: LOGOUT_URL,
  loginEndpoint: LOGIN_ENDPOINT,
};

describe.skipIf(chromiumSkipped)('the header of the panel', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each([
    ['#0b6e4f', 'rgb(11, 110, 79)', 'rgb(255, 255, 255)'],
    ['#f5a623', 'rgb(245, 166, 35)', 'rgb(0, 0, 0)'],
  ])('shows whose panel it is, and leads back, in the host’s colour %s', async (accent, fill, text) => {
    const host = await start({ ...HOST, theme: { light: { logoUrl: LOGO_URL, accent } } });
    await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const { page, expectClean } = await openGuarded(browser, host.url);
    const header = page.getByRole('banner');
    await header.getByText('Example shop').waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("header img").naturalWidth')).toBe(56);
    const back = header.getByRole('link', { name: 'Back to the application' });
    expect(await back.getAttribute('href')).toBe('/shop/admin');
    const add = page.getByRole('button', { name: 'Add webhook' });
    await expect.poll(() => colorOf(add, 'background-color')).toBe(fill);
    expect(await colorOf(add, 'color')).toBe(text);
    await expectAccessible(page);
    await keepPicture(page, `header-light${accent}`);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    await keepPicture(page, 'header-narrow');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, ['color-contrast', 'link-in-text-block']);
    await keepPicture(page, `header-dark${accent}`);
    await expectClean();
  });

  it('changes the colour scheme, which the next page has before its scripts run', async () => {
    const host = await start({});
    const { page, expectClean } = await openGuarded(browser, host.url);
    await page.getByLabel('Colour scheme').selectOption('Dark');
    await expect.poll(() => schemeOf(page)).toBe('dark');
    await expectClean();
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

  it('logs out by a POST, and goes to the log-in page', async () => {
    const host = await start(HOST);
    const { page, expectClean } = await openGuarded(browser, `${host.url}?status=paused`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(host.session).toBe('expired');
    expect(host.requests).toContain(`POST ${LOGOUT_URL}`);
    await page.getByText('Example shop').waitFor();
    await expectAccessible(page);
    await expectClean();
  });

  it('forgets with the log-out what was entered', async () => {
    const host = await start(HOST);
    const { page, expectClean } = await openGuarded(browser, `${host.url}?new=1&search=x`);
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/typed');
    await page.goto(`${host.url}/deliveries`);
    expect(await storedIn(page)).toContain('/typed');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await storedIn(page)).not.toMatch(/typed|search/);
    await expectClean();
  });

  it('says so if the log-out fails, and stays', async () => {
    const host = await start(HOST);
    host.failNext(`POST ${LOGOUT_URL}`, 503, 'overloaded');
    const { page, expectClean } = await openGuarded(browser, host.url);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('You are still logged in').waitFor();
    expect(page.url()).toBe(host.url);
    await expectClean();
  });
});

async function start(options: PanelHostOptions) {
  const host = await startPanelHost(options);
  onTestFinished(() => host.close());
  return host;
}

function storedIn(page: Page): Promise<string> {
  return page.evaluate('JSON.stringify({ ...sessionStorage })');
}

function schemeOf(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.dataset.mantineColorScheme');
}

function colorOf(element: ReturnType<Page['getByRole']>, name: string): Promise<string | undefined> {
  return element.evaluate(
    (button, property) =>
      button.ownerDocument.defaultView?.getComputedStyle(button).getPropertyValue(property),
    name,
  );
}
