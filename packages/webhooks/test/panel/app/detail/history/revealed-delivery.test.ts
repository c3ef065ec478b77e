import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../../../../test/services/chromium.ts';
import { startRecipient } from '../../../../engine/recipient.ts';
import { BROWSER_TIMEOUT, keepPicture, openGuarded } from '../../../guarded-page.ts';
import { type PanelHost, startPanelHost } from '../../../panel-host.ts';

let browser: Browser;
/** Nobody listens there. */
const DEAD = 'http://127.0.0.1:9/hook';
const LOW = { viewport: { width: 1280, height: 500 } };

describe.skipIf(chromiumSkipped)('a delivery that is opened', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('by a link is in view and has the focus, on the first page of the history or not', async () => {
    const host = await start();
    const { id } = await host.webhooks.create({ url: DEAD });
    for (let n = 0; n < 21; n += 1) await host.webhooks.dispatch('user.deleted', { id: n });
    await host.webhooks.drain();
    const { deliveries } = await host.webhooks.searchDeliveries({ limit: 100 });
    const oldest = deliveries.at(-1)?.deliveryId ?? '';
    const tenth = deliveries.at(9)?.deliveryId ?? '';

    const { page, expectClean } = await openGuarded(browser, `${host.url}/${id}?delivery=${oldest}`, LOW);
    await page.getByText('Given up after 2 attempts.').waitFor();
    await expect.poll(() => focused(page)).toEqual([`Delivery ${oldest}`, true]);
    // Nobody who turns pages is taken back to it.
    await page.getByRole('button', { name: 'Older' }).press('Enter');
    await expect.poll(() => focused(page)).toEqual(['user.deleted', true]);
    await page.getByRole('button', { name: 'Newer' }).press('Enter');
    await page.getByText('Given up after 2 attempts.').waitFor();
    await expect.poll(() => focused(page)).toEqual(['Delivery history', true]);

    await page.goto(`${host.url}/${id}?delivery=${tenth}`);
    await page.getByText('Given up after 2 attempts.').waitFor();
    await expect.poll(() => focused(page)).toEqual(['user.deleted', true]);
    expect(await page.evaluate('document.activeElement.getAttribute("aria-expanded")')).toBe('true');
    await expectClean();
  });

  it('by a test has the focus, unless somebody is typing', async () => {
    const host = await start();
    const { id } = await host.webhooks.create({ url: DEAD });
    for (let n = 0; n < 3; n += 1) await host.webhooks.dispatch('user.deleted', { id: n });
    await host.webhooks.drain();
    const { page, expectClean } = await openGuarded(browser, `${host.url}/${id}`, LOW);
    await page.getByRole('button', { name: 'user.deleted' }).first().waitFor();
    await page.getByRole('button', { name: 'Send test event' }).press('Enter');
    await expect.poll(() => focused(page)).toEqual(['webhook.test', true]);
    await page.getByRole('button', { name: 'Close delivery' }).press('Enter');
    await expect.poll(() => focused(page)).toEqual(['webhook.test', true]);

    let goOn = () => {};
    const isTyping = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/test', async (route) => {
      await isTyping;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByLabel('Event, by its full name').focus();
    goOn();
    await page.getByText('Given up after 2 attempts.').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'webhook.test', expanded: true }).count())
      .toBe(1);
    expect((await focused(page))[0]).toContain('Event, by its full name');
    await expectClean();
  });

  it('during its first attempt is under way, which nothing contradicts', async () => {
    const host = await start();
    let end = () => {};
    const recipient = await startRecipient((_callback, response) => {
      end = () => response.writeHead(204).end();
    });
    onTestFinished(() => recipient.close());
    const { id } = await host.webhooks.create({ url: recipient.url });
    await host.webhooks.dispatch('user.deleted', { id: 1 });
    await recipient.receivedCount(1);
    const { page, expectClean } = await openGuarded(browser, `${host.url}/${id}`);
    await page.getByRole('button', { name: 'user.deleted' }).click();
    await page.getByText('Attempt 1: under way').waitFor();
    await page.getByRole('cell', { name: 'Under way', exact: true }).waitFor();
    await page.getByText('The first attempt is under way. This page').waitFor();
    await page.getByText('The first attempt is under way. Its headers').waitFor();
    expect(await page.getByText(/Not sent yet|Nothing has been sent yet|The first attempt: /).count()).toBe(
      0,
    );
    await keepPicture(page, 'delivery-under-way');
    end();
    await page.getByRole('alert').filter({ hasText: 'Received' }).waitFor();
    await expectClean();
  });
});

async function start(): Promise<PanelHost> {
  const host = await startPanelHost();
  onTestFinished(() => host.close());
  return host;
}

/** The name of what has the focus, and whether that is in view. */
function focused(page: Page): Promise<[string, boolean]> {
  return page.evaluate(`(() => {
    const { activeElement: element } = document;
    const { top } = element.getBoundingClientRect();
    const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText;
    return [name.trim(), top > -1 && top < innerHeight - 20];
  })()`);
}
