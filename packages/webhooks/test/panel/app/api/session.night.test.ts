import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { type PanelHost, servePanel } from '../../panel-host.ts';
import { expectFormKept, fillForm, URL_OF_HOOK } from '../form/filled-form.ts';

const API = '/api/admin/webhooks';
const STATUS = 'POST /api/admin/auth/status';

function count(host: PanelHost, request: string): number {
  return host.requests.filter((one) => one === request).length;
}

describe.skipIf(chromiumSkipped)('a session that ends', BROWSER_TIMEOUT, () => {
  it('is repeated as a log-in only by the visitor, when one did not help', async () => {
    const host = await servePanel();
    host.session = 'expired';
    host.isRenewable = false;
    const page = await openGuarded(host.url);
    await page.waitForURL(/\/admin\/login\?/);
    await page.goto(host.url);
    await page.getByText('Your session has ended.').waitFor();
    const link = page.getByRole('link', { name: 'Log in' });
    expect(await link.getAttribute('href')).toBe('/admin/login?return_to=%2Fadmin%2Fwebhooks');
    expect(page.url()).toBe(host.url);
  });

  it('is said where there is no log-in', async () => {
    const host = await servePanel({ statusUrl: undefined, loginUrl: undefined });
    host.session = 'expired';
    const page = await openGuarded(host.url);
    await page.getByText('Your session has ended.').waitFor();
    expect(count(host, STATUS)).toBe(0);
    host.session = 'valid';
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });

  it('is said on an open page that finds it ended by itself, and leads to the log-in only from there', async () => {
    const host = await servePanel({ webhook: { url: URL_OF_HOOK } });
    const page = await openGuarded(host.url);
    await page.clock.install();
    let version = 'before';
    await page.route('**/changes?*', (route) => route.fulfill({ json: { version } }));
    await page.goto(`${host.url}/1`);
    await page.getByText('No deliveries yet').waitFor();
    await page.getByText(/^Updated/).waitFor();
    host.session = 'expired';
    host.isRenewable = false;
    // Somebody changes it, and the session ends before the page has read that.
    version = 'after';
    await page.clock.fastForward(11_000);
    await page.getByText('This may be out of date').waitFor();
    await page.getByText('Your session has ended.').first().waitFor();
    await page.getByRole('heading', { name: URL_OF_HOOK }).waitFor();
    expect(count(host, STATUS)).toBe(0);
    expect(page.url()).toBe(`${host.url}/1`);

    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.waitForURL(/\/admin\/login\?/);
  });
});

describe.skipIf(chromiumSkipped)('a request that fails', BROWSER_TIMEOUT, () => {
  it.each([
    [503, 'storage_unavailable', 'The database does not answer'],
    [500, 'internal_error', 'Something went wrong on the server'],
    [403, 'forbidden', 'Your account may not do this'],
    [418, 'something_new', 'The server refused this (something_new)'],
  ])('with %i %s keeps the form as it was, and says so', async (status, code, words) => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?new=1`);
    await fillForm(page);
    host.failNext(`POST ${API}`, status, code);
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    await expectFormKept(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('You see this secret only now').waitFor();
  });

  it('for want of a server keeps the form as it was', async () => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?new=1`);
    await fillForm(page);
    await page.context().setOffline(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    await expectFormKept(page);
  });

  it('puts what the server refuses beside its field, and the focus there', async () => {
    const host = await servePanel();
    const page = await openGuarded(`${host.url}?new=1`);
    const form = page.getByRole('dialog', { name: 'Add webhook' });
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.getByText('Enter the URL.').waitFor();
    const url = form.getByRole('textbox', { name: 'URL' });
    expect(await url.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await url.fill('http://169.254.169.254/latest');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.getByText(/Webhooks only go to public addresses/).waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('true');
    expect(await url.inputValue()).toBe('http://169.254.169.254/latest');
    expect((await host.webhooks.list()).total).toBe(0);
  });
});

describe.skipIf(chromiumSkipped)('under another base path', BROWSER_TIMEOUT, () => {
  it('every page and way works', async () => {
    const host = await servePanel({ basePath: '/tools/outgoing/hooks', webhook: { url: URL_OF_HOOK } });
    const page = await openGuarded(`${host.url}/1`);
    await page.getByRole('heading', { name: URL_OF_HOOK }).waitFor();
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.waitForURL(host.url);
    await page.getByRole('link', { name: URL_OF_HOOK }).click();
    await page.waitForURL(`${host.url}/1`);
    await page.reload();
    await page.getByRole('heading', { name: URL_OF_HOOK }).waitFor();
    expect(host.requests.filter((one) => !one.includes(API))).toEqual([]);
  });
});
