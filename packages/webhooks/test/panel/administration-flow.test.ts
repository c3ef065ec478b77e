import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { type Recipient, startRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, openGuarded } from './guarded-page.ts';
import { type PanelHost, startPanelHost } from './panel-host.ts';

let host: PanelHost;
let recipient: Recipient;
/** What the recipient answers from now on. */
let answer = { status: 204, body: '' };

describe.skipIf(chromiumSkipped)('the administration flow', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    recipient = await startRecipient((_callback, response) => {
      response.writeHead(answer.status).end(answer.body === '' ? undefined : answer.body);
    });
  });
  afterAll(async () => {
    await recipient?.close();
  });
  beforeEach(async () => {
    answer = { status: 204, body: '' };
    host = await startPanelHost();
  });
  afterEach(() => host.close());

  it('registers, tests, sees why a delivery failed, fixes it, sends again, rotates, recovers, pauses, deletes', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await openGuarded(host.url, { permissions });
    await page.getByText('No webhooks yet').waitFor();

    const secret = await register(page);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.waitForURL(`${host.url}/1`);
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('alert').filter({ hasText: 'Received' }).waitFor();
    expect(recipient.received[0]?.headers['x-webhook-event']).toBe('webhook.test');
    await expectCounts(page, { total: 1, success: 1, failed: 0, pending: 0 });

    answer = { status: 500, body: 'the database of the shop is down' };
    await host.webhooks.dispatch('user.created', { id: 42, name: 'Ada' });
    await recipient.receivedCount(3);
    await page.reload();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'user.created' }).click();
    const details = page.getByRole('dialog', { name: /^Delivery [0-9a-f]{32}$/ });
    await details.getByRole('alert').filter({ hasText: 'The recipient answered HTTP 500' }).waitFor();
    await details.getByText('Attempt 2: HTTP 500 (same answer 2×)').waitFor();
    expect(await details.getByRole('region', { name: 'Response to attempt 2' }).innerText()).toBe(
      'the database of the shop is down',
    );
    await expectSentBody(page, details, recipient.received[2]?.body ?? '');
    await expectSentHeaders(details.getByRole('region', { name: 'Headers sent' }), 2, '2');
    await expectCounts(page, { total: 2, success: 1, failed: 1, pending: 0 });

    answer = { status: 204, body: '' };
    await details.getByRole('button', { name: 'Send again' }).click();
    await details.getByRole('alert').filter({ hasText: 'Received' }).waitFor();
    await details.getByText('Attempt 3: HTTP 204').waitFor();
    expect(recipient.received[3]?.headers['x-webhook-id']).toBe(
      recipient.received[2]?.headers['x-webhook-id'],
    );
    await expectCounts(page, { total: 2, success: 2, failed: 0, pending: 0 });

    await page.keyboard.press('Escape');
    await rotate(page, secret);
    await page.getByRole('link', { name: 'user.created' }).click();
    await details.getByRole('button', { name: 'Send again' }).click();
    await details.getByText('Attempt 4: HTTP 204').waitFor();
    await expectSentHeaders(details.getByRole('region', { name: 'Headers sent' }), 4, '4');
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await recover(page);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('This webhook is paused').waitFor();
    expect((await host.webhooks.get(1)).isActive).toBe(false);
    await page.getByText('Tests are sent to active webhooks only.').waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect(page.url()).toBe(host.url);
    expect((await host.webhooks.list()).total).toBe(0);
  });

  it('tests, edits, pauses and deletes from the list', async () => {
    const { id } = await host.webhooks.create({ url: recipient.url, events: ['order.*'] });
    const page = await openGuarded(host.url);
    const row = page.getByRole('row').filter({ hasText: recipient.url });
    await row.getByText('None yet').waitFor();
    await row.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText(/A test event is on its way/).waitFor();
    await row.getByText('Success').waitFor();
    await row.getByText(/webhook\.test/).waitFor();

    await row.getByRole('button', { name: /^More actions/ }).click();
    await row.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit webhook' });
    expect(await form.getByRole('textbox', { name: 'URL' }).inputValue()).toBe(recipient.url);
    await form.getByRole('button', { name: 'Remove order.*' }).click();
    await form.getByLabel('All events, those added later included').check();
    await form.getByLabel('Description').fill('Renamed');
    await form.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Renamed').waitFor();
    await row.getByText('All events').waitFor();
    const { description, events } = await host.webhooks.get(id);
    expect({ description, events }).toEqual({ description: 'Renamed', events: ['*'] });

    await row.getByRole('button', { name: /^More actions/ }).click();
    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByText('Paused').waitFor();
    expect((await host.webhooks.get(id)).isActive).toBe(false);
    await row.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The webhook is paused. Activate it first.').waitFor();
    await row.getByRole('button', { name: /^More actions/ }).click();
    await row.getByRole('button', { name: 'Activate' }).click();
    await row.getByText('Paused').waitFor({ state: 'detached' });
    expect((await host.webhooks.get(id)).isActive).toBe(true);

    await row.getByRole('button', { name: /^More actions/ }).click();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await host.webhooks.get(id)).id).toBe(id);
    await row.getByRole('button', { name: /^More actions/ }).click();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect((await host.webhooks.list()).total).toBe(0);
  });

  it('finds, sorts and pages a long list, and keeps that in the address', async () => {
    await fillList();
    const page = await openGuarded(host.url);
    await page.getByText('Showing 1 to 20 of 23').waitFor();
    expect(await firstUrl(page)).toMatch(/23$/);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Showing 21 to 23 of 23').waitFor();
    expect(page.url()).toBe(`${host.url}?offset=20`);
    await page.goBack();
    await page.getByText('Showing 1 to 20 of 23').waitFor();

    await page.getByLabel('Sort by').selectOption({ label: 'URL, A to Z' });
    await expect.poll(() => firstUrl(page)).toMatch(/01$/);
    await page.getByRole('radio', { name: /^Paused/ }).check();
    await page.getByText('Showing 1 to 1 of 1').waitFor();
    expect(await firstUrl(page)).toMatch(/09$/);
    await page.getByRole('group', { name: 'State' }).getByRole('radio', { name: 'All' }).check();
    await page.getByLabel('Search in URL, name, description and events').fill('seventh');
    await expect.poll(() => firstUrl(page)).toMatch(/07$/);
    await page.waitForURL(/search=seventh/);
    await page.reload();
    await page.getByText('Showing 1 to 1 of 1').waitFor();
    expect(await page.getByLabel('Search in URL, name, description and events').inputValue()).toBe('seventh');
    await page.getByLabel('Search in URL, name, description and events').fill('nothing of the kind');
    await page.getByRole('button', { name: 'Show all webhooks' }).click();
    await page.getByText('Showing 1 to 20 of 23').waitFor();
  });

  it('tells who gets an event, who does not, and why', async () => {
    await fillList();
    const { id } = await host.webhooks.create({ url: recipient.url, events: ['order.*', 'role.created'] });
    const page = await openGuarded(`${host.url}?order=newest`);
    await page.getByRole('button', { name: `2 patterns of ${recipient.url}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('role.created', { exact: true }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByLabel('Event name').fill('user');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText(/at least two parts/).waitFor();
    await page.getByLabel('Event name').fill('invoice.paid');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('No event of this name is known').waitFor();
    const answers = page.getByRole('list', { name: 'Webhooks and invoice.paid' }).getByRole('listitem');
    await expect.poll(() => answers.count()).toBe(20);
    expect(await answers.filter({ hasText: 'hooks/09' }).innerText()).toContain('but it is paused');
    expect(await answers.filter({ hasText: 'hooks/10' }).innerText()).toContain('Its pattern * matches');
    await page.getByLabel('Search in URL').fill('hooks/09');
    await page.getByText('Only webhooks that the search above finds: hooks/09').waitFor();
    await expect.poll(() => answers.count()).toBe(1);
    await page.getByLabel('Search in URL').fill('');
    await expect.poll(() => answers.count()).toBe(20);
    await page
      .getByRole('region', { name: 'Who gets an event' })
      .getByRole('button', { name: 'Next' })
      .click();
    const last = answers.filter({ hasText: 'order.*, role.created' });
    await last.waitFor();
    expect(await last.innerText()).toContain('None of its patterns matches: order.*, role.created.');
    await last.getByRole('link').click();
    await page.waitForURL(`${host.url}/${id}`);
  });

  it('narrows a history by status and event, and pages it', async () => {
    const { id } = await host.webhooks.create({ url: recipient.url, events: ['order.*', 'part.*'] });
    for (let n = 0; n < 25; n += 1) await host.webhooks.dispatch('order.created', { n });
    answer = { status: 404, body: '' };
    await host.webhooks.dispatch('part.missing', {});
    await expect.poll(async () => (await host.webhooks.get(id)).stats.pending).toBe(0);
    answer = { status: 204, body: '' };

    const page = await openGuarded(`${host.url}/${id}`);
    const table = page.getByRole('table', { name: 'Delivery history' });
    const openers = table.locator('.row-link');
    await expect.poll(() => openers.count()).toBe(20);
    await page.getByRole('button', { name: 'Older' }).click();
    await expect.poll(() => openers.count()).toBe(6);
    await page.getByRole('button', { name: 'Newer' }).click();
    await expect.poll(() => openers.count()).toBe(20);
    await page.getByRole('radio', { name: /^Success \d+$/ }).waitFor();
    const chooseEvent = async (event: string) => {
      await page.getByRole('button', { name: /^Event: / }).click();
      await page.getByRole('dialog').getByLabel('Event').fill(event);
      await page.keyboard.press('Enter');
    };
    await chooseEvent('order.*');
    await page.waitForURL(/event=order/);
    await expect.poll(() => openers.count()).toBe(20);
    await chooseEvent('part.missing');
    await expect.poll(() => openers.count()).toBe(1);
    await page.getByRole('radio', { name: 'Success' }).check();
    await page.getByText('No delivery matches').waitFor();
    await page.getByRole('button', { name: 'Show all deliveries' }).click();
    await expect.poll(() => openers.count()).toBe(20);

    await page.getByText('Show the numbers').click();
    const numbers = page.getByRole('table', { name: 'Deliveries over time' });
    await numbers.waitFor();
    const cells = (await numbers.getByRole('cell').allInnerTexts()).map(Number);
    expect(cells.reduce((sum, count) => sum + count, 0)).toBe(26);
    await page.getByRole('button', { name: '30 days' }).click();
    await expect.poll(() => page.locator('.chart-bar > div').count()).toBeGreaterThan(0);
  });
});

/** A page and a bit: 23 webhooks, the seventh described, the ninth paused. */
async function fillList(): Promise<void> {
  for (let n = 1; n <= 23; n += 1) {
    const url = `${recipient.url}s/${String(n).padStart(2, '0')}`;
    await host.webhooks.create({ url, description: n === 7 ? 'Seventh heaven' : '', isActive: n !== 9 });
  }
}

async function register(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Add your first webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByRole('textbox', { name: 'URL' }).fill(recipient.url);
  await dialog.getByLabel('Description').fill('The shop of Example Ltd.');
  await dialog.getByLabel('Only the events I choose').check();
  await dialog.getByRole('checkbox', { name: /^All user events/ }).check();
  expect(await dialog.getByRole('checkbox', { name: /user\.deleted/ }).isDisabled()).toBe(true);
  await dialog.getByLabel('Find an event').fill('role');
  await dialog.getByRole('checkbox', { name: /role\.created/ }).check();
  await dialog.getByLabel('Another event or pattern').fill('shop.*.sold');
  await dialog.getByText('A star stands alone, or at the end after a dot').waitFor();
  expect(await dialog.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  await dialog.getByLabel('Another event or pattern').fill('shop.*');
  await dialog.getByLabel('Another event or pattern').press('Enter');
  await dialog.getByRole('button', { name: 'Remove shop.*' }).waitFor();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const secret = page.getByRole('dialog', { name: 'The webhook is registered' });
  await secret.getByText('You see this secret only now').waitFor();
  expect((await host.webhooks.get(1)).events).toEqual(['user.*', 'role.created', 'shop.*']);
  return secret.getByRole('region', { name: 'Signing secret' }).innerText();
}

async function rotate(page: Page, oldSecret: string): Promise<void> {
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByText('For 24 hours every request is signed with the old secret and the new one.').waitFor();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'The new secret' });
  const secret = await dialog.getByRole('region', { name: 'Signing secret' }).innerText();
  expect(secret).toMatch(/^whsec_/);
  expect(secret).not.toBe(oldSecret);
  // A slip closes nothing: this is the only time it can be seen.
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('Two secrets are in use').waitFor();
}

async function recover(page: Page): Promise<void> {
  answer = { status: 503, body: '' };
  for (const id of [1, 2, 3]) await host.webhooks.dispatch('user.updated', { id });
  await expect.poll(async () => (await host.webhooks.get(1)).stats.failed).toBe(3);
  answer = { status: 204, body: '' };
  const received = recipient.received.length;

  await page.getByRole('button', { name: 'Recover failed deliveries' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recover failed deliveries' });
  await dialog.getByRole('button', { name: 'See how many' }).click();
  await dialog.getByText('3 failed deliveries would be sent again.').waitFor();
  expect(recipient.received.length).toBe(received);
  await dialog.getByRole('button', { name: 'Send 3 again' }).click();
  await page.getByText('3 deliveries on the way again.').waitFor();
  await recipient.receivedCount(received + 3);
  await expectCounts(page, { total: 5, success: 5, failed: 0, pending: 0 });
}

async function expectCounts(page: Page, counts: Readonly<Record<string, number>>): Promise<void> {
  const shown = async () => {
    const [day = '', , , waiting = ''] = await page.locator('.stat').allInnerTexts();
    const [, total] = day.split(/\n+/);
    const failed = Number(/(\d+) failed/.exec(day)?.[1] ?? 0);
    const pending = Number(waiting.split(/\n+/)[1]);
    const all = Number.parseInt(total ?? '', 10);
    return { total: all, success: all - failed - pending, failed, pending };
  };
  await expect.poll(shown).toEqual(counts);
  const { total, success, failed } = counts;
  await page.getByText(`All kept: total ${total} · success ${success} · failed ${failed}`).waitFor();
}

/** What HTTP itself needs, and the page leaves out. */
const TRANSPORT_HEADERS = ['host', 'connection', 'content-length'];
const UNKNOWN_VALUES = [
  'user-agent',
  'x-webhook-signature',
  'x-webhook-signature-previous',
  'webhook-signature',
];

/** Copies the body, and compares it with the one that was sent. */
async function expectSentBody(page: Page, details: Locator, body: string): Promise<void> {
  await details.getByRole('region', { name: 'Body sent' }).getByText('"name": "Ada"').waitFor();
  await details.getByRole('button', { name: 'Copy body' }).click();
  await details.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(body);
}

/**
 * The page shows each header that the recipient got, no other, and every value that the record
 * knows.
 */
async function expectSentHeaders(region: Locator, index: number, attempt: string): Promise<void> {
  if (!(await region.isVisible())) await region.page().getByText('Headers sent').first().click();
  const lines = (await region.innerText()).split('\n');
  const shown = Object.fromEntries(
    lines.map((line) => line.split(': ', 2)).map(([name = '', value]) => [name.toLowerCase(), value]),
  );
  const received = { ...recipient.received[index]?.headers };
  for (const name of TRANSPORT_HEADERS) delete received[name];
  expect(Object.keys(shown).sort()).toEqual(Object.keys(received).sort());
  for (const name of UNKNOWN_VALUES) {
    delete shown[name];
    delete received[name];
  }
  expect(shown).toEqual(received);
  expect(shown['x-webhook-attempt']).toBe(attempt);
}

function firstUrl(page: Page): Promise<string> {
  return page.locator('.data-table tbody a').first().innerText();
}
