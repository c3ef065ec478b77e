import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isBrowserMissing, openPage, type ShownDemo, useDemo } from './browser.ts';

const DAY_TIMEOUT_MS = 90_000;

let demo: ShownDemo;
let browser: Browser;
let app: string;
let recipient: string;

describe.skipIf(isBrowserMissing)('the panel of the demo, in a browser', () => {
  useDemo((running) => {
    demo = running;
    ({ browser, app, recipient } = running);
  });

  it('takes an administrator from the log-in to the deletion', { timeout: DAY_TIMEOUT_MS }, async () => {
    const { page, faults } = await openPage(browser, `${app}/admin/webhooks`);
    await logIn(page);
    await page.getByRole('table').getByRole('link', { name: 'Warehouse' }).waitFor();

    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill(`${recipient}/hooks/panel`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    const secret = await page.getByRole('region', { name: 'Signing secret' }).innerText();
    expect(secret).toMatch(/^whsec_/);
    await fetch(`${recipient}/secrets/panel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret }),
    });
    await page.getByRole('button', { name: 'I have stored it' }).click();

    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('alert').filter({ hasText: 'Received' }).waitFor();
    await page.getByText('Attempt 1: HTTP').waitFor();
    const received = await (await fetch(`${recipient}/received.json`)).text();
    expect(received).toContain('"signature":"verified"');
    // The delivery is open over the page.
    await page.keyboard.press('Escape');
    await page.getByText('Attempt 1: HTTP').waitFor({ state: 'detached' });

    // The session ends meanwhile: back from the log-in, the visitor is where it ended.
    const detail = page.url();
    // Reads are held back, so that it is the click that is refused.
    const reads = '**/api/admin/webhooks/**';
    await page.route(reads, (route) => route.request().method() !== 'GET' && route.continue());
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.waitForURL(/\/admin\/webhooks\/login\?return_to=/);
    await page.unroute(reads);
    await logIn(page);
    await page.waitForURL(detail);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('This webhook is paused').waitFor();

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('Showing 1 to 3 of 3').waitFor();
    await page.getByRole('table').getByRole('link', { name: 'Warehouse' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('takes an administrator from "Forgot password?" to the panel', { timeout: DAY_TIMEOUT_MS }, async () => {
    let printed = '';
    demo.process.stdout?.on('data', (chunk) => {
      printed += String(chunk);
    });
    const { page, faults } = await openPage(browser, `${app}/admin/forgot-password`);
    await page.getByLabel('Log-in').fill('integrator');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('a mail with a link is on its way').waitFor();
    await expect.poll(() => printed, { timeout: 10_000 }).toMatch(/Mail to integrator/);
    const link = /Mail to integrator.*\n {2}(\S+)\n/.exec(printed)?.[1] ?? '';

    const sent: string[] = [];
    page.on('request', (request) => {
      sent.push(`${request.method()} ${request.url()} ${request.headers().referer ?? ''}`);
    });
    await page.goto(link);
    expect(page.url()).toBe(`${app}/admin/reset-password`);
    await page.getByLabel('New password').fill('a new password of integrator');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL(`${app}/admin/webhooks/login`);
    // The fragment is a part of the address in the browser, and of no request's first line or
    // Referer.
    const token = link.split('#')[1] ?? '';
    expect(sent.filter((line) => line.replace(`GET ${link}`, '').includes(token))).toEqual([]);

    await page.getByLabel('User name or email').fill('integrator');
    await page.getByLabel('Password').fill('a new password of integrator');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('table').getByRole('link', { name: 'Warehouse' }).waitFor();

    await page.goto(link);
    await page.getByLabel('New password').fill('yet another password');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('This link was used, or is too old').waitFor();
    expect(faults).toEqual([]);
  });

  it('has a customer’s portal beside it, back to which a log-in leads', {
    timeout: DAY_TIMEOUT_MS,
  }, async () => {
    const { page } = await openPage(browser, app);
    const logsIn = page.waitForResponse(`${app}/api/auth/login`);
    await page.goto(app);
    await (await logsIn).finished();
    await page.getByRole('link', { name: 'Open the customer’s portal' }).click();
    await page.getByText('Example shop').first().waitFor();
    await page.context().clearCookies();
    await page.goto(`${app}/webhooks/deliveries?range=day`);
    await page.waitForURL(/\/try\?return_to=/);
    await page.getByRole('button', { name: 'Log in as customer' }).click();
    await page.waitForURL(`${app}/webhooks/deliveries?range=day`);

    await page.goto(`${app}/try?return_to=${encodeURIComponent('//evil.example/webhooks')}`);
    expect(await page.locator('#shop').getAttribute('data-return-to')).toBe('/webhooks');
  });
});

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('User name or email').fill('admin');
  await page.getByLabel('Password').fill('demo password of admin');
  await page.getByRole('button', { name: 'Log in' }).click();
}
