import type { ChildProcess } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, openPage } from './browser.ts';
import { endDemo, running, startDemo } from './demo-process.ts';

const RESET_TIMEOUT_MS = 90_000;

let demo: ChildProcess;
let browser: Browser;
let app: string;
let printed = '';

describe.skipIf(isBrowserMissing)('the password reset of the demo, in a browser', () => {
  beforeAll(async () => {
    demo = startDemo();
    demo.stdout?.on('data', (chunk) => {
      printed += String(chunk);
    });
    ({ app } = await running(demo));
    browser = await launchBrowser();
  }, RESET_TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await endDemo(demo);
  });

  it('takes an administrator from "Forgot password?" to the panel', {
    timeout: RESET_TIMEOUT_MS,
  }, async () => {
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
});
