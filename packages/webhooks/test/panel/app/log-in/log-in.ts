import type { Page } from 'playwright-core';
import { LOGIN, LOGIN_ENDPOINT, type PanelHost, servePanel } from '../../panel-host.ts';

/** A panel with a log-in page, whose session has ended. */
export async function startLoggedOut(): Promise<PanelHost> {
  const host = await servePanel({ loginEndpoint: LOGIN_ENDPOINT });
  host.session = 'expired';
  host.isRenewable = false;
  return host;
}

export async function logIn(page: Page, password = LOGIN.password): Promise<void> {
  await page.getByLabel('User name or email').fill(LOGIN.login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}
