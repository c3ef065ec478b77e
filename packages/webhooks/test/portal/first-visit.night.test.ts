import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { serveRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectNoSidewaysScroll } from '../panel/guarded-page.ts';
import { openAs, startPortalHost } from './portal-host.ts';

describe.skipIf(chromiumSkipped)('the first visit of a customer', BROWSER_TIMEOUT, () => {
  it('loads at most 153 kB of script, compressed', async () => {
    const { host } = await start();
    const page = await openAs('ada', host.url);
    await page.getByText('Only the events I choose').waitFor();
    const loaded = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
    );
    const files = loaded.map((url) => fetch(url, { headers: { 'accept-encoding': 'br' } }));
    const sizes = (await Promise.all(files)).map(({ headers }) => Number(headers.get('content-length')));
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(153_000);
  });

  it('fits a phone', async () => {
    const { host } = await start();
    const viewport = { width: 390, height: 844 };
    const page = await openAs('ada', host.url, { viewport });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Enter the URL.').waitFor();
    expect(await page.evaluate('document.activeElement.type')).toBe('url');
    await expectNoSidewaysScroll(page);
  });

  it('offers neither a test nor a new secret where these would be refused', async () => {
    const { host, recipient } = await start();
    const { id } = await host.webhooks.forTenant('acme').create({ url: recipient.url });
    const offered = /^Send test event$|^The secret is lost/;
    const reader = await openAs('reader', `${host.url}?setup=${id}`);
    await reader.getByText('A test event goes to your server.').waitFor();
    await expect.poll(() => reader.getByText(offered).count()).toBe(0);
    const page = await openAs('ada', `${host.url}?setup=${id}`);
    await page.getByRole('button', { name: 'Send test event' }).waitFor();
    await host.webhooks.update(id, { isActive: false });
    await page.reload();
    await page.getByText('Tests are sent to active webhooks only.').waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
  });

  it('is left out where it is unknown what the API offers', async () => {
    const { host } = await start();
    const page = await openAs('ada', `${host.url}/events`);
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(host.url);
    await page.getByText('No webhooks yet').waitFor();
    expect(await page.getByText('Set up your first webhook').count()).toBe(0);
  });

  it('is not for who may only look, nor for a customer with a webhook', async () => {
    const { host, recipient } = await start();
    const reader = await openAs('reader', host.url);
    await reader.getByText('None has been added yet.').waitFor();
    await host.webhooks.forTenant('acme').create({ url: recipient.url });
    const page = await openAs('ada', host.url);
    await page.getByRole('table').waitFor();
    expect(await page.getByText('Set up your first webhook').count()).toBe(0);
  });
});

/** A server of a customer that fails until it is told otherwise. */
async function start() {
  const answer = { status: 500 };
  const recipient = await serveRecipient((_callback, response) => response.writeHead(answer.status).end());
  return { host: await startPortalHost({ product: 'Example shop' }), recipient, answer };
}
