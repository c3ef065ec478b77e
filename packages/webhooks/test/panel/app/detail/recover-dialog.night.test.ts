import type { Locator, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../../../test/services/chromium.ts';
import { serveRecipient } from '../../../engine/recipient.ts';
import {
  BROWSER_TIMEOUT,
  expectAccessible,
  expectNoSidewaysScroll,
  openGuarded,
} from '../../guarded-page.ts';
import { servePanel } from '../../panel-host.ts';

describe.skipIf(chromiumSkipped)('the recovery of failed deliveries', BROWSER_TIMEOUT, () => {
  it('counts and sends those of the chosen events and time alone', async () => {
    const { webhooks, page, dialog, accept } = await openRecovery();
    await dialog.getByRole('button', { name: 'See how many' }).click();
    await dialog.getByText('3 failed deliveries would be sent again.').waitFor();
    await dialog.getByLabel('Only these events').fill(' user.deleted,user.deleted ');
    expect(await dialog.getByText('would be sent again').count()).toBe(0);
    await dialog.getByRole('button', { name: 'See how many' }).click();
    await dialog.getByText('2 failed deliveries would be sent again.').waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 800 });
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
  });

  it('says beside a field what is wrong with it, and moves the focus there', async () => {
    const { page, dialog } = await openRecovery();
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
  });

  it('stays open while it sends, and says what was sent before a failure', async () => {
    const { page, dialog } = await openRecovery();
    await dialog.getByRole('button', { name: 'See how many' }).click();
    await dialog.getByText('3 failed deliveries would be sent again.').waitFor();
    let held: Route | undefined;
    await page.route('**/recover', (route) => {
      held = route;
    });
    await dialog.getByRole('button', { name: 'Send 3 again' }).click();
    await dialog.getByRole('button', { name: 'Stop' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    expect(await dialog.getByLabel('Only these events').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => held !== undefined).toBe(true);
    const json = { type: 'about:blank', title: 'Service Unavailable', status: 503, reopened: 2 };
    await held?.fulfill({ status: 503, json: { ...json, code: 'storage_unavailable' } });
    await dialog.getByText('Before that, 2 deliveries were scheduled again.').waitFor();
    await page.unroute('**/recover');
    await page.route('**/recover', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Send the rest again' }).click();
    await dialog.getByText('It may have been done all the same').waitFor();
  });

  it('goes on where a response ended until all are sent, and shows how many so far', async () => {
    const { page, dialog, cursors, answer } = await openLongRecovery();
    await answer({ deliveries: 1_200, next_cursor: 'first' });
    await dialog.getByText('1,200 deliveries scheduled again so far.').waitFor();
    await expectAccessible(page);
    await answer({ deliveries: 800, next_cursor: 'second' });
    await dialog.getByText('2,000 deliveries scheduled again so far.').waitFor();
    await answer({ deliveries: 3, next_cursor: null });
    await page.getByText('2,003 deliveries on the way again.').waitFor();
    expect(cursors).toEqual([undefined, 'first', 'second']);
    expect(await dialog.count()).toBe(0);
  });

  it('ends after the current request when it is stopped, and says so', async () => {
    const { page, dialog, cursors, answer } = await openLongRecovery();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => dialog.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
    await answer({ deliveries: 1_200, next_cursor: 'first' });
    await page.getByText('Stopped: 1,200 deliveries are on the way again, the others are not.').waitFor();
    expect(cursors).toEqual([undefined]);
  });

  it('ends after the current request when the page is left, and says so on the next one', async () => {
    const { page, dialog, cursors, answer } = await openLongRecovery();
    await expect.poll(() => cursors.length).toBe(1);
    await page.goBack();
    await expect.poll(() => dialog.count()).toBe(0);
    await answer({ deliveries: 1_200, next_cursor: 'first' });
    await page.getByText('Stopped: 1,200 deliveries are on the way again, the others are not.').waitFor();
    expect(cursors).toEqual([undefined]);
  });

  it('goes on where it was after a failure', async () => {
    const { page, dialog, cursors, answer, fail } = await openLongRecovery();
    await answer({ deliveries: 1_200, next_cursor: 'first' });
    await fail(2);
    await dialog.getByText('Before that, 1,202 deliveries were scheduled again.').waitFor();
    await dialog.getByRole('button', { name: 'Send the rest again' }).click();
    await answer({ deliveries: 5, next_cursor: null });
    await page.getByText('1,207 deliveries on the way again.').waitFor();
    expect(cursors).toEqual([undefined, 'first', 'first']);
  });

  it('begins anew after another count', async () => {
    const { page, dialog, cursors, answer, fail } = await openLongRecovery();
    await answer({ deliveries: 1_200, next_cursor: 'first' });
    await fail(0);
    await dialog.getByText('Before that, 1,200 deliveries were scheduled again.').waitFor();
    await dialog.getByRole('button', { name: 'See how many' }).click();
    await answer({ deliveries: 7, next_cursor: null });
    await dialog.getByRole('button', { name: 'Send 7 again' }).click();
    await answer({ deliveries: 7, next_cursor: null });
    await page.getByText('7 deliveries on the way again.', { exact: true }).waitFor();
    expect(cursors).toEqual([undefined, 'first', undefined, undefined]);
  });
});

/** The dialog while it sends, to a server whose responses the test gives. */
async function openLongRecovery() {
  const { page, dialog } = await openRecovery();
  await dialog.getByRole('button', { name: 'See how many' }).click();
  await dialog.getByText('3 failed deliveries would be sent again.').waitFor();
  const cursors: unknown[] = [];
  const held: Route[] = [];
  await page.route('**/recover', (route) => {
    cursors.push(route.request().postDataJSON().cursor);
    held.push(route);
  });
  await dialog.getByRole('button', { name: 'Send 3 again' }).click();
  const fulfil = async (status: number, json: object) => {
    await expect.poll(() => held.length).toBe(1);
    await held.pop()?.fulfill({ status, json });
  };
  return {
    page,
    dialog,
    cursors,
    answer: (json: { deliveries: number; next_cursor: string | null }) =>
      fulfil(200, { ...json, dry_run: false }),
    fail: (reopened: number) =>
      fulfil(503, {
        type: 'about:blank',
        title: 'Service Unavailable',
        status: 503,
        code: 'storage_unavailable',
        reopened,
      }),
  };
}

/** The dialog of a webhook that refused two deletions and an update, on a page after the list. */
async function openRecovery() {
  const host = await servePanel();
  let status = 500;
  const recipient = await serveRecipient((_callback, response) => response.writeHead(status).end());
  const { webhooks } = host;
  await webhooks.create({ url: recipient.url });
  for (const name of ['user.deleted', 'user.deleted', 'user.updated'] as const) {
    await webhooks.dispatch(name, { id: 1 });
  }
  await webhooks.drain();
  const page = await openGuarded(host.url);
  await page.getByRole('link', { name: recipient.url }).click();
  await page.getByRole('button', { name: 'Recover failed deliveries' }).click();
  const dialog: Locator = page.getByRole('dialog', { name: 'Recover failed deliveries' });
  await dialog.waitFor();
  const accept = () => {
    status = 204;
  };
  return { webhooks, page, dialog, accept };
}
