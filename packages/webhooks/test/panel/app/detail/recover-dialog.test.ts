import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumSkipped, launchChromium } from '../../../../../../test/services/chromium.ts';
import { startRecipient } from '../../../engine/recipient.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  openGuarded,
} from '../../guarded-page.ts';
import { startPanelHost } from '../../panel-host.ts';

let browser: Browser;

describe.skipIf(chromiumSkipped)('the recovery of failed deliveries', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('counts and sends those of the chosen events and time alone', async () => {
    const { webhooks, page, dialog, accept, expectClean } = await openRecovery();
    await dialog.getByRole('button', { name: 'See how many' }).click();
    await dialog.getByText('3 failed deliveries would be sent again.').waitFor();
    await dialog.getByLabel('Only these events').fill(' user.deleted,user.deleted ');
    expect(await dialog.getByText('would be sent again').count()).toBe(0);
    await dialog.getByRole('button', { name: 'See how many' }).click();
    await dialog.getByText('2 failed deliveries would be sent again.').waitFor();
    await keepPicture(page, 'recover');
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await keepPicture(page, 'recover-narrow');
    await expectNoSidewaysScroll(page);

    await dialog.getByLabel('And before').fill('2020-01-02T00:00');
    await dialog.getByLabel('Failed deliveries created since').fill('2020-01-01T00:00');
    await dialog.getByLabel('Failed deliveries created since').press('Enter');
    await dialog.getByText('Nothing of this has failed.').waitFor();
    await dialog.getByLabel('And before').fill('');
    await dialog.getByRole('button', { name: 'See how many' }).click();
    accept();
    await dialog.getByRole('button', { name: 'Send 2 again' }).click();
    await page.getByText('2 deliveries on the way again.').waitFor();
    await webhooks.drain();
    expect((await webhooks.get(1)).stats).toMatchObject({ success: 2, failed: 1 });
    await expectClean();
  });

  it('says beside a field what is wrong with it, and moves the focus there', async () => {
    const { page, dialog, expectClean } = await openRecovery();
    await dialog.getByLabel('And before').focus();
    // A day and no more: the browser gives no value, which would mean that there is no end.
    await page.keyboard.type('0101');
    await dialog.getByRole('button', { name: 'See how many' }).click();
    await dialog.getByText('Enter a date and a time.').waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('until');
    await dialog.getByLabel('And before').fill('');
    await dialog.getByLabel('Only these events').fill('user.*');
    await dialog.getByRole('button', { name: 'See how many' }).click();
    await expect.poll(() => dialog.getByLabel('Only these events').getAttribute('aria-invalid')).toBe('true');
    await expectClean();
  });
});

/** The dialog of a webhook that refused two deletions and an update. */
async function openRecovery() {
  const host = await startPanelHost();
  onTestFinished(() => host.close());
  let status = 500;
  const recipient = await startRecipient((_callback, response) => response.writeHead(status).end());
  onTestFinished(() => recipient.close());
  const { webhooks } = host;
  await webhooks.create({ url: recipient.url });
  for (const name of ['user.deleted', 'user.deleted', 'user.updated'] as const) {
    await webhooks.dispatch(name, { id: 1 });
  }
  await webhooks.drain();
  const { page, expectClean } = await openGuarded(browser, `${host.url}/1`);
  await page.getByRole('button', { name: 'Recover failed deliveries' }).click();
  const dialog: Locator = page.getByRole('dialog', { name: 'Recover failed deliveries' });
  await dialog.waitFor();
  const accept = () => {
    status = 204;
  };
  return { webhooks, page, dialog, accept, expectClean };
}
