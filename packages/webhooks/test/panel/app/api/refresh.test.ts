import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../../../test/services/chromium.ts';
import { startRecipient } from '../../../engine/recipient.ts';
import { BROWSER_TIMEOUT, openGuarded } from '../../guarded-page.ts';
import { startPanelHost } from '../../panel-host.ts';

let browser: Browser;
const API = 'GET /api/admin/webhooks';
const POLL_MS = 6_000;

describe.skipIf(chromiumSkipped)('the refresh of a page', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

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
    await expect.poll(asked).toEqual(new Set([`${API}/changes`, `${API}/1/deliveries`]));
    await host.webhooks.dispatch('user.updated', { id: 2 });
    await host.webhooks.drain();
    await page.clock.runFor(POLL_MS);
    await page.getByRole('link', { name: 'user.updated' }).waitFor();
    await expect.poll(() => host.requests.slice(-8)).toContain(`${API}/1/activity`);
  });

  it('brings the row of a delivery up to date with what was read of the delivery', async () => {
    const { host, page, expectClean } = await open();
    const row = page.getByRole('row').filter({ hasText: 'user.deleted' });
    await row.getByText(/HTTP 500, next attempt/).waitFor();
    const before = host.requests.filter((one) => one === `${API}/1/deliveries`).length;
    await page.route(/deliveries\/[0-9a-f]{32}$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), error: 'http_404', attempts: 2 } });
    });
    await row.getByRole('link').click();
    await row.getByText(/HTTP 404, next attempt/).waitFor();
    expect(host.requests.filter((one) => one === `${API}/1/deliveries`).length).toBe(before);
    await expectClean();
  });
});

/** The page of a webhook, with a delivery that is tried again in an hour, on a clock of its own. */
async function open() {
  const recipient = await startRecipient((_callback, response) => response.writeHead(500).end());
  onTestFinished(() => recipient.close());
  const host = await startPanelHost({ delaysMs: [3_600_000] });
  onTestFinished(() => host.close());
  await host.webhooks.create({ url: recipient.url });
  await host.webhooks.dispatch('user.deleted', { id: 1 });
  await host.webhooks.drain();
  const { page, expectClean } = await openGuarded(browser, host.url);
  await page.clock.install();
  await page.goto(`${host.url}/1`);
  await page.getByRole('link', { name: 'user.deleted' }).waitFor();
  await page.getByText('Updated just now').waitFor();
  await page.locator('.chart-bar > .series').first().waitFor();
  return { host, page, expectClean };
}
