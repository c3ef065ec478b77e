import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumSkipped } from '../../../../test/services/chromium.ts';
import { type Recipient, startRecipient } from '../engine/recipient.ts';
import { BROWSER_TIMEOUT, expectAccessible, openGuarded } from './guarded-page.ts';
import { type PanelHost, startPanelHost } from './panel-host.ts';

const EVENTS = {
  'order.created': { label: 'Order placed', payload: z.object({ id: z.int() }), example: { id: 42 } },
  'order.paid': { label: 'Order paid', payload: z.object({ id: z.int().min(7), paid_at: z.iso.datetime() }) },
};

let host: PanelHost;
let recipient: Recipient;

describe.skipIf(chromiumSkipped)('an administrator', BROWSER_TIMEOUT, () => {
  beforeAll(async () => {
    host = await startPanelHost({ events: EVENTS });
    recipient = await startRecipient((_, response) => {
      response.setHeader('X-Request-Id', 'r-7').end('thanks');
    });
  });
  afterAll(async () => {
    await recipient?.close();
    await host?.close();
  });

  it('tests a webhook with an event, corrects its payload by keyboard, and sees the request', async () => {
    const { id } = await host.webhooks.create({ url: recipient.url, events: ['role.created'] });
    const page = await openGuarded(`${host.url}/${id}`);
    await page.getByRole('button', { name: 'Test with an event…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send an event as a test' });
    // The one that the webhook subscribes to.
    await expect.poll(() => dialog.getByLabel('Event').inputValue()).toBe('role.created');
    await dialog.getByLabel('Event').selectOption('order.created');
    const payload = dialog.getByRole('textbox', { name: 'Payload' });
    await expect.poll(() => payload.inputValue()).toBe('{\n  "id": 42\n}');

    await dialog.getByLabel('Event').selectOption('webhook.test');
    await expect.poll(() => payload.inputValue()).toBe('');
    await dialog.getByLabel('Event').selectOption('order.created');
    await expect.poll(() => payload.inputValue()).toBe('{\n  "id": 42\n}');

    await payload.fill('[1]');
    await dialog.getByRole('button', { name: 'Send as a test' }).press('Enter');
    await dialog.getByText('The payload must be a JSON object, in braces.').waitFor();
    expect(await payload.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    await payload.fill('{"id": "seven"}');
    await dialog.getByRole('button', { name: 'Send as a test' }).press('Enter');
    await dialog.getByText('The payload does not fit the schema of its event. id has a wrong type').waitFor();
    expect(recipient.received).toEqual([]);
    await payload.fill('{"id": 7}');
    await dialog.getByRole('button', { name: 'Send as a test' }).press('Enter');

    const details = page.getByRole('dialog', { name: /^Delivery [0-9a-f]{32}$/ });
    await details.getByRole('alert').filter({ hasText: 'Received' }).waitFor();
    const [received] = recipient.received;
    expect(received?.headers).toMatchObject({ 'x-webhook-event': 'order.created', 'x-webhook-test': '1' });
    expect(JSON.parse(received?.body ?? '')).toMatchObject({ data: { id: 7 } });
    await details.getByText('Test', { exact: true }).waitFor();

    await details.getByText('Response header (1)').click();
    const region = details.getByRole('region', { name: 'Headers of the response to attempt 1' });
    expect(await region.innerText()).toBe('x-request-id: r-7');
  });

  it('tests a webhook with the placeholders of a schema where there is no example', async () => {
    const { id } = await host.webhooks.create({ url: recipient.url, events: ['role.created'] });
    const page = await openGuarded(`${host.url}/${id}`);
    await page.getByRole('button', { name: 'Test with an event…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send an event as a test' });
    await dialog.getByLabel('Event').selectOption('order.paid');
    const payload = dialog.getByRole('textbox', { name: 'Payload' });
    await expect.poll(() => payload.inputValue()).toMatch(/^\{\n {2}"id": 7,\n {2}"paid_at": "[^"]+"\n\}$/);
    await dialog.getByText('Placeholders that fit the schema of the event.').waitFor();
    await dialog.getByRole('button', { name: 'Send as a test' }).click();
    await page.getByRole('alert').filter({ hasText: 'Received' }).waitFor();
    const sent = recipient.received.at(-1);
    expect(sent?.headers).toMatchObject({ 'x-webhook-event': 'order.paid', 'x-webhook-test': '1' });
  });

  it('sends the usual test payload if none is written', async () => {
    const { id } = await host.webhooks.create({ url: recipient.url });
    const page = await openGuarded(`${host.url}/${id}`);
    await page.getByRole('button', { name: 'Test with an event…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send an event as a test' });
    await dialog.getByLabel('Event').selectOption('webhook.test');
    const before = recipient.received.length;
    await dialog.getByRole('button', { name: 'Send as a test' }).click();
    await expect.poll(() => recipient.received.length).toBe(before + 1);
    const { data } = JSON.parse(recipient.received.at(-1)?.body ?? '');
    expect(data).toMatchObject({ webhook_id: id, message: expect.stringContaining('test event') });
  });

  it('chooses a hundred patterns in three rows of small pills, all of which the keyboard reaches', async () => {
    const events = Array.from({ length: 100 }, (_, i) => `area${i}.thing-${i}.*`);
    const { id } = await host.webhooks.create({ url: recipient.url, events });
    const page = await openGuarded(`${host.url}?edit=${id}`);
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
    const first = dialog.getByText(events[0] ?? '', { exact: true });
    await expectThreeRows(first);
    expect((await first.locator('..').boundingBox())?.width).toBeLessThan(200);
    const last = dialog.getByRole('button', { name: `Remove ${events[99]}` });
    await last.focus();
    const [box, row] = [await last.boundingBox(), await first.locator('../..').boundingBox()];
    expect(box?.y).toBeLessThan((row?.y ?? 0) + (row?.height ?? 0));
    await page.keyboard.press('Enter');
    await dialog.getByText('99 patterns chosen').waitFor();
    await dialog.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => boxHeightOf(first)).toBeGreaterThan(400);
  });

  it('keeps an edited payload at Escape and at a log-in', async () => {
    const { id } = await host.webhooks.create({ url: recipient.url });
    const page = await openGuarded(`${host.url}/${id}`);
    const dialog = page.getByRole('dialog', { name: 'Send an event as a test' });
    const payload = dialog.getByRole('textbox', { name: 'Payload' });
    await page.getByRole('button', { name: 'Test with an event…' }).click();
    await dialog.getByLabel('Event').selectOption('order.created');
    await payload.fill('{"id": 8}');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    host.endSessionWith(`POST /api/admin/webhooks/${id}/test`);
    await dialog.getByRole('button', { name: 'Send as a test' }).click();
    await page.waitForURL(/\/admin\/login\?/);
    host.session = 'valid';
    host.isRenewable = true;
    await page.goto(host.origin + (new URL(page.url()).searchParams.get('return_to') ?? ''));
    await dialog.getByText('is here again').waitFor();
    expect(await payload.inputValue()).toBe('{"id": 8}');
    expect(await dialog.getByLabel('Event').inputValue()).toBe('order.created');

    const before = recipient.received.length;
    await dialog.getByRole('button', { name: 'Send as a test' }).click();
    await expect.poll(() => recipient.received.length).toBe(before + 1);
    await page.waitForURL(/delivery=/);
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).not.toContain('test=');
  });

  it('finds an event, its example, its schema and who subscribes to it', async () => {
    const url = `${recipient.url}/orders`;
    const events = ['order.*'];
    await host.webhooks.create({ url, events, name: 'Order desk' });
    const { id } = await host.webhooks.create({ url, events, isActive: false });
    await host.webhooks.dispatch('order.created', { id: 42 });
    const page = await openGuarded(`${host.url}/events`);
    await page.getByLabel('Find an event').fill('placed');
    const counted = page.waitForRequest(/deliveries\?event=order.created/);
    await page.getByRole('region', { name: 'order' }).getByRole('link', { name: 'order.created' }).click();
    await page.waitForURL(`${host.url}/events/order.created`);
    // Of whole hours, as is the page of deliveries that the number leads to.
    expect(new URL((await counted).url()).searchParams.get('from')).toMatch(/:00:00\.000Z$/);
    await page.getByRole('region', { name: 'Example' }).waitFor();
    expect(JSON.parse(await page.getByRole('region', { name: 'Example' }).innerText())).toEqual({ id: 42 });
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'id', exact: true }) });
    expect(await row.innerText()).toMatch(/integer\s+required/);
    await page.getByText('JSON Schema of a callback').click();
    expect(await page.getByRole('region', { name: 'JSON Schema' }).innerText()).toContain('"integer"');
    await page.getByText('By order.*, but it is paused').waitFor();
    await expectAccessible(page);
    await page
      .getByRole('list', { name: /order.created/ })
      .getByRole('link', { name: 'Order desk' })
      .waitFor();
    await page.getByRole('link', { name: /in the last 24 hours/ }).click();
    await page.waitForURL(`${host.url}/deliveries?range=day&event=order.created`);
    await page.goBack();
    await page.getByRole('link', { name: url }).click();
    await page.waitForURL(`${host.url}/${id}`);
    await page.goto(`${host.url}/events`);
    await page.getByLabel('Find an event').fill('never heard of');
    await page.getByText('No event matches.').waitFor();
  });

  it('is told how many failed among all of the day, and again by a refresh', async () => {
    let failed = 1;
    const page = await openGuarded(host.url);
    await page.route('**/deliveries?event=role.deleted&**', async (route) => {
      const isOfFailed = new URL(route.request().url()).searchParams.get('status') === 'failed';
      const deliveries = Array.from({ length: isOfFailed ? failed : 100 }, () => ({ status: 'success' }));
      const cut = isOfFailed && failed < 100 ? null : 'x';
      await route.fulfill({ json: { deliveries, next_cursor: cut, scanned_until: null } });
    });
    await page.goto(`${host.url}/events/role.deleted`);
    await page.getByRole('link', { name: '100 deliveries or more' }).waitFor();
    await page.getByRole('link', { name: '1 of them failed' }).waitFor();
    failed = 100;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('link', { name: '100 of them or more failed' }).waitFor();
  });

  it('is told no number of deliveries that the first part of a search did not find', async () => {
    const page = await openGuarded(host.url);
    await page.route('**/deliveries?event=user.created&**', async (route) => {
      const answer = await route.fetch();
      const cut = { next_cursor: 'x', scanned_until: '2026-11-20T04:10:00.123Z' };
      await route.fulfill({ json: { ...(await answer.json()), ...cut } });
    });
    const answered = page.waitForResponse(/deliveries\?event=user.created/);
    await page.goto(`${host.url}/events/user.created`);
    await (await answered).finished();
    await page.getByRole('link', { name: 'Its deliveries' }).waitFor();
    expect(await page.getByText('0 deliveries').count()).toBe(0);
  });
});

/** The height of the place of all pills, by one of them. */
async function boxHeightOf(pill: Locator): Promise<number> {
  return (await pill.locator('../..').boundingBox())?.height ?? Number.NaN;
}

async function expectThreeRows(pill: Locator): Promise<void> {
  await expect.poll(() => boxHeightOf(pill)).toBeLessThan(110);
  expect(await boxHeightOf(pill)).toBeGreaterThan(70);
}
