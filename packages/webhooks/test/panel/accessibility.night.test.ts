import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { type Recipient, startRecipient } from '../engine/recipient.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  openGuarded,
} from './guarded-page.ts';
import { type PanelHost, servePanel, startPanelHost } from './panel-host.ts';

let host: PanelHost;
let recipient: Recipient;

describe.skipIf(chromiumSkipped)('every state of the panel', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    // An hour to the second attempt: what is pending stays so.
    host = await startPanelHost({ delaysMs: [3_600_000] });
    recipient = await startRecipient((callback, response) => {
      const isBroken = callback.headers['x-webhook-event'] === 'user.deleted';
      response.writeHead(isBroken ? 500 : 200).end(isBroken ? 'no such user in the shop' : 'thanks');
    });
  });
  afterAll(async () => {
    await recipient?.close();
    await host?.close();
  });

  it('without a webhook is accessible and fits', async () => {
    const empty = await servePanel();
    const page = await openGuarded(empty.url);
    await page.getByText('No webhooks yet').waitFor();
    await check(page, 'empty');
  });

  it('of the list and its dialogs is accessible and fits', async () => {
    await fillOnce();
    const page = await openGuarded(host.url);
    await page.getByRole('link', { name: recipient.url, exact: true }).waitFor();
    await page.getByRole('button', { name: /^2 patterns/ }).hover();
    await page.getByText('order.*').waitFor();
    await check(page, 'list');

    await page.getByLabel('Event name').fill('user.created');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Gets it').first().waitFor();
    await check(page, 'explain');

    await page.getByLabel('Search in URL, name, description and events').fill('nothing like it');
    await page.getByText('No webhook matches').waitFor();
    await check(page, 'nothing-found');
    await page.getByRole('button', { name: 'Show all webhooks' }).click();

    await page.getByRole('button', { name: 'Add webhook' }).click();
    const form = page.getByRole('dialog', { name: 'Add webhook' });
    await form.getByLabel('Only the events I choose').check();
    await form.getByRole('checkbox', { name: /^All role events/ }).waitFor();
    await check(page, 'form');
    await form.getByRole('checkbox', { name: /^All role events/ }).check();
    await form.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.1/hook');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.getByText(/Webhooks only go to public addresses/).waitFor();
    expect(await form.getByRole('textbox', { name: 'URL' }).inputValue()).toBe('http://10.0.0.1/hook');
    await form.getByLabel('Another event or pattern').fill('a b');
    await page.keyboard.press('Escape');
    await form.getByText('Discard what you entered?').waitFor();
    await check(page, 'form-errors');
    await form.getByRole('button', { name: 'Keep editing' }).click();
    await form.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: `More actions for ${recipient.url}`, exact: true }).click();
    await check(page, 'more-actions');
    await page.getByRole('button', { name: `Delete ${recipient.url}`, exact: true }).click();
    await page.getByRole('dialog', { name: 'Delete this webhook?' }).waitFor();
    await check(page, 'delete');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('of one webhook and its dialogs is accessible and fits', async () => {
    const id = await fillOnce();
    const page = await openGuarded(`${host.url}/${id}`);
    await page.locator('.chart-bar > .series').first().waitFor();
    await page.getByText('Show the numbers').click();
    await page.getByRole('link', { name: 'user.deleted' }).click();
    await page.getByText('no such user in the shop').waitFor();
    await check(page, 'detail-pending');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'user.updated' }).first().click();
    await page.getByRole('alert').filter({ hasText: 'Received' }).waitFor();
    await check(page, 'detail-success');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Verify' }).click();
    await page.getByRole('tab', { name: 'Python' }).click();
    await check(page, 'detail-verify');
    await page.getByRole('link', { name: 'Deliveries' }).last().click();

    await page.getByRole('button', { name: 'Test with an event…' }).click();
    const test = page.getByRole('dialog', { name: 'Send an event as a test' });
    await test.getByRole('textbox', { name: 'Payload' }).fill('{"id": }');
    await test.getByRole('button', { name: 'Send as a test' }).click();
    await test.getByText(/This is not valid JSON/).waitFor();
    await check(page, 'test-dialog');
    await test.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Recover failed deliveries' }).click();
    await page.getByRole('button', { name: 'See how many' }).click();
    await page.getByText('Nothing of this has failed.').waitFor();
    await check(page, 'recover');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('You get a new secret, shown once.').waitFor();
    await check(page, 'rotate');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByText('You see this secret only now').waitFor();
    await check(page, 'secret');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Two secrets are in use').waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('This webhook is paused').waitFor();
    await check(page, 'paused');
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('This webhook is paused').waitFor({ state: 'detached' });
  });

  it('of the events is accessible and fits', async () => {
    await fillOnce();
    const page = await openGuarded(host.url);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByText('user.deleted').click();
    await page.getByRole('list', { name: 'Webhooks that subscribe to user.deleted' }).waitFor();
    await check(page, 'catalog');
  });

  it('without a webhook, or an answer, is accessible', async () => {
    host.failNext('GET /api/admin/webhooks', 500, 'internal_error');
    const page = await openGuarded(host.url);
    await page.getByText('The webhooks could not be loaded').waitFor();
    await check(page, 'list-error');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Showing 1 to').waitFor();
    await page.goto(`${host.url}/999999`);
    await page.getByText('There is no such webhook').waitFor();
    await check(page, 'gone');
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.waitForURL(host.url);
  });

  it('that seldom comes is accessible and fits', async () => {
    const rare = await servePanel();
    const { id } = await rare.webhooks.create({ url: recipient.url });
    const page = await openGuarded(`${rare.url}/${id}`);
    await page.getByText('No deliveries yet').waitFor();
    await check(page, 'history-empty');

    await rare.webhooks.dispatch('user.deleted', { id: 4 });
    await expect.poll(async () => (await rare.webhooks.get(id)).stats.failed).toBe(1);
    await page.reload();
    await page.getByRole('link', { name: 'user.deleted' }).click();
    await page.getByText('Given up after 2 attempts.').waitFor();
    await check(page, 'detail-failed');
    await page.keyboard.press('Escape');

    await page.getByRole('radio', { name: 'Pending' }).check();
    await page.getByText('No delivery matches').waitFor();
    await check(page, 'history-filtered-empty');

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog', { name: 'Edit webhook' }).waitFor();
    await check(page, 'edit');

    rare.session = 'unscoped';
    await page.goto(rare.url);
    await page.getByRole('alert').first().waitFor();
    await check(page, 'forbidden');
  });
});

let filled: number | undefined;

/** A webhook with deliveries of every kind, and some beside it. */
async function fillOnce(): Promise<number> {
  if (filled !== undefined) return filled;
  const description = 'The shop of Example Ltd., which asked for every change of a user.';
  const { id } = await host.webhooks.create({ url: recipient.url, description, createdByUid: '7' });
  for (const n of [1, 2, 3]) await host.webhooks.dispatch('user.updated', { id: n, name: `User ${n}` });
  await host.webhooks.dispatch('user.deleted', { id: 4, reason: 'asked for it' });
  await recipient.receivedCount(4);
  const events = ['order.*', 'user.created'];
  await host.webhooks.create({ url: `${recipient.url}/${'long-path/'.repeat(12)}`, events });
  await host.webhooks.create({ url: `${recipient.url}/paused`, isActive: false });
  filled = id;
  return id;
}

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };
/** On a narrow screen only the tables are made of something else. */
const DIFFERENT_WHEN_NARROW = ['list', 'detail-pending'];

/** One state of the page in every look: light and dark, wide and narrow. */
async function check(page: Page, state: string): Promise<void> {
  await keepPicture(page, `${state}-light`);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  await page.setViewportSize(NARROW);
  await keepPicture(page, `${state}-narrow`);
  await expectNoSidewaysScroll(page);
  if (DIFFERENT_WHEN_NARROW.includes(state)) await expectAccessible(page);

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(WIDE);
  await keepPicture(page, `${state}-dark`);
  // Colours are all that is different.
  await expectAccessible(page, ['color-contrast', 'link-in-text-block']);
  await page.emulateMedia({ colorScheme: 'light' });
}
