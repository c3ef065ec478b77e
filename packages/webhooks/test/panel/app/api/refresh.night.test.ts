import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { serveRecipient } from '../../../engine/recipient.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { servePanel } from '../../panel-host.ts';

const API = 'GET /api/admin/webhooks';
const POLL_MS = 6_000;

describe.skipIf(chromiumSkipped)('the refresh of a page', BROWSER_TIMEOUT, () => {
  it('reads only what shows a delivery whose attempt is due, until a change is told', async () => {
    const { host, page } = await open();
    const asked = async () => {
      const before = host.requests.length;
      await page.clock.runFor(POLL_MS);
      await expect.poll(() => host.requests.slice(before)).toContain(`${API}/changes`);
      return new Set(host.requests.slice(before));
    };
    // The next attempt is an hour away.
    expect(await asked()).toEqual(new Set([`${API}/changes`]));
    await page.clock.fastForward(3_600_000);
    await expect.poll(asked).toEqual(new Set([`${API}/changes`, `${API}/deliveries`]));
    await host.deliver('user.updated', { id: 2 });
    await page.clock.runFor(POLL_MS);
    await page.getByRole('link', { name: 'user.updated' }).waitFor();
    await expect.poll(() => host.requests.slice(-8)).toContain(`${API}/1/activity`);
  });

  it.each([
    ['', 'overview'],
    ['/deliveries', 'activity'],
  ])('reads what is of all webhooks again after a while, untold: "%s"', async (path, read) => {
    const { host, page } = await open();
    await page.goto(host.url + path);
    await page.getByText('Updated just now').waitFor();
    await expect.poll(() => host.requests).toContain(`${API}/${read}`);
    const before = host.requests.length;
    await page.clock.fastForward(35_000);
    await expect.poll(() => host.requests.slice(before)).toContain(`${API}/${read}`);
  });

  it('brings the row of a delivery up to date with what was read of the delivery', async () => {
    const { page } = await open();
    const row = page.getByRole('row').filter({ hasText: 'user.deleted' });
    await row.getByText(/HTTP 500, next attempt/).waitFor();
    // The delivery itself asks where else its event went: of one millisecond.
    const lists: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (/\/webhooks\/deliveries$/.test(pathname) && !searchParams.has('to')) lists.push(request.url());
    });
    await page.route(/deliveries\/[0-9a-f]{32}$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), error: 'http_404', attempts: 2 } });
    });
    await row.getByRole('link').click();
    await row.getByText(/HTTP 404, next attempt/).waitFor();
    expect(lists).toEqual([]);
  });

  it('leaves a list that could not be read as it is when one of its deliveries is read', async () => {
    const { host, page } = await open();
    await page.route('**/webhooks/deliveries?*', (route) =>
      route.fulfill({ status: 500, json: { code: 'internal_error' } }),
    );
    await host.webhooks.dispatch('user.updated', { id: 2 });
    await page.clock.runFor(POLL_MS);
    const alert = page.getByRole('alert').filter({ hasText: 'The history could not be loaded' });
    await alert.waitFor();
    await page.getByRole('link', { name: 'user.deleted' }).click();
    await page.getByText('It is tried again automatically').waitFor();
    expect(
      await page.locator('.mantine-Alert-root', { hasText: 'The history could not be loaded' }).count(),
    ).toBe(1);
  });
});

/** The page of a webhook, with a delivery that is tried again in an hour, on a clock of its own. */
async function open() {
  const recipient = await serveRecipient((_callback, response) => response.writeHead(500).end());
  const host = await servePanel({ delaysMs: [3_600_000], webhook: { url: recipient.url } });
  await host.deliver('user.deleted', { id: 1 });
  const page = await openGuarded(host.url);
  await page.clock.install();
  await page.goto(`${host.url}/1`);
  await page.getByRole('link', { name: 'user.deleted' }).waitFor();
  await page.getByText('Updated just now').waitFor();
  await page.locator('.chart-bar > .series').first().waitFor();
  return { host, page };
}
