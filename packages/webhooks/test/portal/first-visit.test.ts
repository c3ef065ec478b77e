import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../test/services/chromium.ts';
import { startRecipient } from '../engine/recipient.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
} from '../panel/guarded-page.ts';
import { openAs, startPortalHost } from './portal-host.ts';

let browser: Browser;

describe.skipIf(chromiumSkipped)('the first visit of a customer', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('is four steps to a webhook whose server answers, and the last ticks itself', async () => {
    const { host, recipient, answer } = await start();
    const { page, expectClean } = await openAs(browser, 'ada', host.url);
    await page.getByRole('heading', { name: 'Set up your first webhook' }).waitFor();
    // By what their API offers, which is asked once.
    expect(host.requests.filter((request) => /tenants|openapi/.test(request))).toEqual([
      'GET /api/webhooks/openapi.json',
    ]);
    // The steps are the one way to it.
    expect(await page.getByRole('button', { name: /Add/ }).count()).toBe(0);
    await expectAccessible(page);
    await keepPicture(page, 'portal-first-visit');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ledger');
    await page.getByRole('textbox', { name: 'URL' }).fill(recipient.url);
    // A reload, or a log-in in between, loses nothing.
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'URL' }).inputValue()).toBe(recipient.url);
    await page.getByRole('button', { name: 'Continue' }).click();

    const secret = page.getByRole('dialog', { name: 'The webhook is registered' });
    await secret.getByText('You see this secret only now').waitFor();
    await secret.getByRole('tab', { name: 'Python' }).click();
    await secret.getByRole('button', { name: 'I have stored it' }).click();
    await expectTicks(page, 2);
    // The steps go on in the language whose code was shown beside the secret.
    await page.getByText('hmac.compare_digest').waitFor();
    await expectAccessible(page);
    await keepPicture(page, 'portal-first-visit-code');
    await page.getByRole('button', { name: 'My server verifies requests' }).click();
    await expectTicks(page, 3);

    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Your server answered HTTP 500').waitFor();
    await expectAccessible(page);
    await page.reload();
    await expectTicks(page, 3);
    answer.status = 204;
    await page.getByRole('button', { name: 'Send another test event' }).click();
    await expectTicks(page, 4);
    await page.getByText('Your server has answered with 2xx').waitFor();
    await keepPicture(page, 'portal-first-visit-done');
    await page.getByRole('link', { name: 'Go to the webhook' }).click();
    await page.getByRole('heading', { name: 'Ledger' }).waitFor();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('button', { name: 'Add webhook' }).waitFor();
    await expectClean();
  });

  it('shows the secret once, and keeps it nowhere', async () => {
    const { host, recipient } = await start();
    const { page } = await openAs(browser, 'ada', host.url);
    await page.getByRole('textbox', { name: 'URL' }).fill(recipient.url);
    await page.getByRole('button', { name: 'Continue' }).click();
    const secret = await page.getByRole('region', { name: 'Signing secret' }).innerText();
    expect(secret.length).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await expectTicks(page, 2);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
    );
    expect(kept).not.toContain(secret);
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await expectTicks(page, 2);
    expect(await page.content()).not.toContain(secret);
  });

  it('loads at most 160 kB of script, compressed', async () => {
    const { host } = await start();
    const { page } = await openAs(browser, 'ada', host.url);
    await page.getByText('Only the events I choose').waitFor();
    const loaded = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
    );
    const files = loaded.map((url) => fetch(url, { headers: { 'accept-encoding': 'br' } }));
    const sizes = (await Promise.all(files)).map(({ headers }) => Number(headers.get('content-length')));
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(160_000);
  });

  it('fits a phone', async () => {
    const { host } = await start();
    const viewport = { width: 390, height: 844 };
    const { page, expectClean } = await openAs(browser, 'ada', host.url, { viewport });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Enter the URL.').waitFor();
    expect(await page.evaluate('document.activeElement.type')).toBe('url');
    await expectNoSidewaysScroll(page);
    await keepPicture(page, 'portal-first-visit-narrow');
    await expectClean();
  });

  it('offers neither a test nor a new secret where these would be refused', async () => {
    const { host, recipient } = await start();
    const { id } = await host.webhooks.forTenant('acme').create({ url: recipient.url });
    const offered = /^Send test event$|^The secret is lost/;
    const reader = await openAs(browser, 'reader', `${host.url}?setup=${id}`);
    await reader.page.getByText('A test event goes to your server.').waitFor();
    await expect.poll(() => reader.page.getByText(offered).count()).toBe(0);
    const { page, expectClean } = await openAs(browser, 'ada', `${host.url}?setup=${id}`);
    await page.getByRole('button', { name: 'Send test event' }).waitFor();
    await host.webhooks.update(id, { isActive: false });
    await page.reload();
    await page.getByText('Tests are sent to active webhooks only.').waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
    await expectClean();
  });

  it('is left out where it is unknown what the API offers', async () => {
    const { host } = await start();
    const { page } = await openAs(browser, 'ada', `${host.url}/events`);
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(host.url);
    await page.getByText('No webhooks yet').waitFor();
    expect(await page.getByText('Set up your first webhook').count()).toBe(0);
  });

  it('is not for who may only look, nor for a customer with a webhook', async () => {
    const { host, recipient } = await start();
    const reader = await openAs(browser, 'reader', host.url);
    await reader.page.getByText('None has been added yet.').waitFor();
    await host.webhooks.forTenant('acme').create({ url: recipient.url });
    const { page } = await openAs(browser, 'ada', host.url);
    await page.getByRole('table').waitFor();
    expect(await page.getByText('Set up your first webhook').count()).toBe(0);
  });
});

/** A server of a customer that fails until it is told otherwise. */
async function start() {
  const answer = { status: 500 };
  const recipient = await startRecipient((_callback, response) => response.writeHead(answer.status).end());
  onTestFinished(() => recipient.close());
  return { host: await startPortalHost({ product: 'Example shop' }), recipient, answer };
}

async function expectTicks(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.getByRole('heading', { name: /^Done:/ }).count()).toBe(count);
}
