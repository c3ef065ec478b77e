import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../../../../test/services/chromium.ts';
import { startRecipient } from '../../../../engine/recipient.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  openGuarded,
} from '../../../guarded-page.ts';
import { startPanelHost } from '../../../panel-host.ts';

let browser: Browser;

describe.skipIf(chromiumSkipped)('the numbers of a webhook', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('of a day, a week and a month begin its page, and choose deliveries of the history', async () => {
    const host = await startPanelHost();
    onTestFinished(() => host.close());
    const recipient = await startRecipient(({ body }, response) => {
      response.writeHead(JSON.parse(body).data.n === 0 ? 500 : 200).end();
    });
    onTestFinished(() => recipient.close());
    const { id } = await host.webhooks.create({ url: recipient.url });
    for (let n = 0; n < 4; n += 1) await host.webhooks.dispatch('order.created', { n });
    await host.webhooks.drain();
    const { page, expectClean } = await openGuarded(browser, `${host.url}/${id}`);
    const section = page.getByRole('region', { name: 'Deliveries over time' });
    const parts = section.locator('.stat');
    await expect.poll(() => parts.first().innerText()).toMatch(/^24 hours\s+4 75%\s+1 failed$/);
    expect(await parts.last().innerText()).toMatch(/^Pending\s+0$/);
    const plot = await page.locator('.chart-plot').boundingBox();
    expect(plot?.height).toBe(72);

    const rows = page.getByRole('table', { name: 'Delivery history' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(4);
    await section.getByRole('button', { name: '1 failed' }).first().click();
    await expect.poll(() => rows.count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    await section.getByText('The history shows deliveries since').waitFor();

    // The last bar is the present hour, and the first has nothing.
    await page.locator('.chart-bar').last().click();
    await expect.poll(() => rows.count()).toBe(4);
    await page.locator('.chart-bar').first().click();
    await page.getByText('No delivery matches').waitFor();
    await keepPicture(page, 'detail-chosen-time');
    await section.getByRole('button', { name: 'Any time' }).click();
    await expect.poll(() => rows.count()).toBe(4);
    await section.getByText('Show the numbers').click();
    await section.getByRole('table').getByRole('button').press('Enter');
    await section.getByText('The history shows deliveries from').waitFor();
    await expect.poll(() => rows.count()).toBe(4);
    await section.getByRole('button', { name: '30 days' }).click();
    expect(await section.getByRole('button', { name: '30 days' }).getAttribute('aria-pressed')).toBe('true');
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await keepPicture(page, 'detail-narrow');
    await expectNoSidewaysScroll(page);
    await expectClean();
  });

  it('are a part of its page, beside its settings and its verification, each with an address', async () => {
    const host = await startPanelHost();
    onTestFinished(() => host.close());
    const { id } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    const { page, expectClean } = await openGuarded(browser, `${host.url}/${id}`);
    const numbers = page.getByRole('region', { name: 'Deliveries over time' });
    await numbers.waitFor();
    for (const [name, region] of [
      ['Settings', 'About this webhook'],
      ['Verify', 'Verification code for the recipient'],
    ] as const) {
      await page.getByRole('link', { name }).click();
      await page.getByRole('region', { name: region }).waitFor();
      expect(await numbers.count()).toBe(0);
      expect(await page.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
      await page.reload();
      await page.getByRole('region', { name: region }).waitFor();
      await expectAccessible(page);
      await keepPicture(page, `detail-${name.toLowerCase()}`);
    }
    await page.goBack();
    await page.goBack();
    await numbers.waitFor();
    await expectClean();
  });
});
