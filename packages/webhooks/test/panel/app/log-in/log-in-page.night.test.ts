import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, expectFineInEveryLook, openGuarded } from '../../guarded-page.ts';
import { LOGIN, LOGIN_ENDPOINT } from '../../panel-host.ts';
import { logIn, startLoggedOut } from './log-in.ts';

const SEND = `POST ${LOGIN_ENDPOINT}`;

describe.skipIf(chromiumSkipped)('the log-in page', BROWSER_TIMEOUT, () => {
  it('works with the keyboard alone, and with password managers', async () => {
    const host = await startLoggedOut();
    const page = await openGuarded(`${host.url}/login`);
    await page.getByRole('heading', { name: 'Log in to manage webhooks' }).waitFor();
    await page.keyboard.type(LOGIN.login);
    await page.keyboard.press('Tab');
    await page.keyboard.type(LOGIN.password);
    const fields = await page
      .locator('input')
      .evaluateAll((inputs) => inputs.map((input) => input.outerHTML));
    expect(fields[0]).toContain('autocomplete="username"');
    expect(fields[1]).toContain('autocomplete="current-password"');
    expect(fields[1]).toContain('type="password"');
    await page.keyboard.press('Enter');
    await page.getByText('No webhooks yet').waitFor();
  });

  it('says that a log-in is wrong, and keeps the user name', async () => {
    const host = await startLoggedOut();
    const page = await openGuarded(`${host.url}/login`);
    await logIn(page, 'a wrong one');
    const news = page.locator('[aria-live=assertive]');
    await news.getByText('The user name or the password is wrong').waitFor();
    expect(await page.getByLabel('User name or email').inputValue()).toBe(LOGIN.login);
    // Typing replaces the password: it has the focus, and is selected.
    await page.keyboard.type(LOGIN.password);
    await page.keyboard.press('Enter');
    await page.getByText('No webhooks yet').waitFor();
    expect(host.requests.filter((one) => one === SEND)).toHaveLength(2);
  });

  it.each([
    [200, 'No webhooks yet'],
    [401, 'The user name or the password is wrong'],
    [403, 'did not accept this log-in'],
    [429, 'Too many attempts'],
  ])('does not wait for the rest of a %i that never ends', async (status, words) => {
    const host = await startLoggedOut();
    host.stallNext(SEND, status);
    const page = await openGuarded(`${host.url}/login`);
    await logIn(page);
    await page.getByText(words).first().waitFor({ timeout: 60_000 });
  });

  it('is accessible and fits, light and dark, wide and narrow', async () => {
    const host = await startLoggedOut();
    const page = await openGuarded(`${host.url}/login`);
    await page.getByLabel('Password').waitFor();
    await expectFineInEveryLook(page);
    host.failNext(SEND, 429, 'too_many_attempts', { 'retry-after': '890' });
    await logIn(page);
    await page.getByText('Too many attempts').waitFor();
    await expectFineInEveryLook(page);
  });
});
