import { describe, expect, it, onTestFinished } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { createTestEngine } from '../../engine/engine.ts';
import { startRecipient } from '../../engine/recipient.ts';
import { HOOK_URL, startAdmin } from '../admin-harness.ts';

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const HEX = '0123456789abcdef0123456789abcdef';

/**
 * The API over a running engine with one webhook, whose recipient answers what `statuses` holds,
 * the last for ever.
 */
async function startDelivering(...statuses: number[]) {
  const recipient = await startRecipient((_, response) => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    response.writeHead(status ?? 500).end();
  });
  const engine = createTestEngine(memoryStorage(), { retry: { maxAttempts: 1 } });
  onTestFinished(async () => {
    await engine.webhooks.close();
    await recipient.close();
  });
  await engine.webhooks.start();
  const { call } = startAdmin({ webhooks: engine.webhooks });
  const created = await call('POST', '', { body: { url: recipient.url } });
  return { ...engine, call, recipient, secret: String(created.json.secret) };
}

describe('redeliver', () => {
  it('answers 202 and sends the same delivery again, its attempts counting on', async () => {
    const { call, ended, recipient, webhooks } = await startDelivering(500, 204);
    await webhooks.dispatch('user.created', { id: 7 });
    const failed = await ended(1);
    expect(failed.status).toBe('failed');
    const answer = await call('POST', `/1/deliveries/${failed.deliveryId}/redeliver`);
    expect(answer.status).toBe(202);
    expect(answer.json).toStrictEqual({ delivery_id: failed.deliveryId, status: 'pending' });
    await recipient.receivedCount(2);
    expect(await ended(1)).toMatchObject({ deliveryId: failed.deliveryId, status: 'success', attempts: 2 });
    const [first, second] = recipient.received;
    expect(second?.body).toBe(first?.body);
  });

  it('is refused with 409 while the delivery is pending', async () => {
    const { call, webhooks } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    const { deliveryId } = await webhooks.test(1);
    expect(await call('POST', `/1/deliveries/${deliveryId}/redeliver`)).toMatchObject({
      status: 409,
      json: { code: 'delivery_pending' },
    });
  });

  it('is refused with 409 while the webhook is inactive', async () => {
    const { call, ended, webhooks } = await startDelivering(500);
    await webhooks.dispatch('user.created', {});
    const { deliveryId } = await ended(1);
    await call('PUT', '/1', { body: { is_active: false } });
    expect(await call('POST', `/1/deliveries/${deliveryId}/redeliver`)).toMatchObject({
      status: 409,
      json: { code: 'webhook_inactive' },
    });
  });

  inOneTest([
    ['a delivery that is not there', `/1/deliveries/${HEX}/redeliver`, 'delivery_not_found'],
    ['a webhook that is not there', `/2/deliveries/${HEX}/redeliver`, 'webhook_not_found'],
    ['an id of another form', '/1/deliveries/7/redeliver', 'not_found'],
  ])('is 404 for %s', async (_, path, code) => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    expect(await call('POST', path)).toMatchObject({ status: 404, json: { code } });
  });
});

describe('rotate-secret', () => {
  it('answers the webhook with a new secret, and until when the old one signs too', async () => {
    const { call, recipient, secret, webhooks } = await startDelivering(204);
    const before = Date.now();
    const { status, json } = await call('POST', '/1/rotate-secret');
    const after = Date.now();
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: 1, secret: expect.stringMatching(/^whsec_/) });
    expect(json.secret).not.toBe(secret);
    // `updated_at` may be a millisecond ahead, because no two states of a webhook share it.
    const rotatedAt = Date.parse(json.previous_secret_expires_at) - 86_400_000;
    expect(rotatedAt).toBeGreaterThanOrEqual(before);
    expect(rotatedAt).toBeLessThanOrEqual(after);
    const { secret: _, ...webhook } = json;
    expect((await call('GET', '/1')).json).toMatchObject(webhook);
    await webhooks.dispatch('user.created', {});
    await recipient.receivedCount(1);
    expect(recipient.received[0]?.headers).toHaveProperty('x-webhook-signature-previous');
  });

  it('is 404 for a webhook that is not there', async () => {
    const { call } = startAdmin();
    expect(await call('POST', '/1/rotate-secret')).toMatchObject({
      status: 404,
      json: { code: 'webhook_not_found' },
    });
  });
});

describe('recover', () => {
  it('counts with dry_run, and then sends what failed again', async () => {
    const { call, ended, recipient, webhooks } = await startDelivering(500, 500, 204);
    for (const n of [1, 2]) {
      await webhooks.dispatch('user.created', { n });
      await expect.poll(async () => (await webhooks.get(1)).stats.failed).toBe(n);
    }
    const since = '2026-01-01T00:00:00+02:00';
    const dry = await call('POST', '/1/recover', { body: { since, dry_run: true } });
    expect([dry.status, dry.json]).toStrictEqual([200, { deliveries: 2, next_cursor: null, dry_run: true }]);
    expect((await webhooks.get(1)).stats.failed).toBe(2);
    const wet = await call('POST', '/1/recover', { body: { since } });
    expect([wet.status, wet.json]).toStrictEqual([200, { deliveries: 2, next_cursor: null, dry_run: false }]);
    await recipient.receivedCount(4);
    await expect.poll(async () => (await webhooks.get(1)).stats.success).toBe(2);
    expect((await ended(1)).attempts).toBe(2);
    const later = { since: '2998-01-01T00:00:00Z' };
    expect((await call('POST', '/1/recover', { body: later })).json.deliveries).toBe(0);
  });

  inOneTest<[unknown, string]>([
    [{}, 'since'],
    [{ since: 7 }, 'since'],
    [{ since: null }, 'since'],
    [{ since: '' }, 'since'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-11-20' }, 'since'],
    [{ since: '2026-11-20T04:00:00' }, 'since'],
    [{ since: '2026-02-30T00:00:00Z' }, 'since'],
    [{ since: '9999-01-01T00:00:00Z' }, 'since'],
    [{ since: `2026-11-20T04:00:00.${'0'.repeat(99)}Z` }, 'since'],
    [{ since: '2026-11-20T04:00:00Z', dry_run: 'yes' }, 'dry_run'],
    [{ since: '2026-11-20T04:00:00Z', dryRun: true }, 'dryRun'],
    [{ since: '2026-11-20T04:00:00Z', webhook_id: 2 }, 'webhook_id'],
    [{ since: '2026-11-20T04:00:00Z', cursor: 'x' }, 'cursor'],
    [{ since: '2026-11-20T04:00:00Z', cursor: 7 }, 'cursor'],
    [{ since: '2026-11-20T04:00:00Z', maxDurationMs: 7 }, 'maxDurationMs'],
    [[], ''],
  ])('is 422 for %j', async (body, field) => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    expect(await call('POST', '/1/recover', { body })).toMatchObject({
      status: 422,
      json: { code: 'validation_failed', errors: [{ field }] },
    });
  });

  it('is refused for a webhook that is inactive or not there', async () => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL, is_active: false } });
    const body = { since: '2026-11-20T04:00:00Z' };
    expect(await call('POST', '/1/recover', { body })).toMatchObject({
      status: 409,
      json: { code: 'webhook_inactive' },
    });
    expect(await call('POST', '/2/recover', { body })).toMatchObject({
      status: 404,
      json: { code: 'webhook_not_found' },
    });
  });
});

describe('the list', () => {
  it('shows the newest delivery of each webhook', async () => {
    const { call, webhooks } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    await call('POST', '', { body: { url: HOOK_URL, events: ['role.*'] } });
    await webhooks.dispatch('user.created', {});
    await webhooks.dispatch('user.updated', {});
    const { json } = await call('GET', '?order=asc');
    expect(json.webhooks.map((webhook: { last_delivery: unknown }) => webhook.last_delivery)).toStrictEqual([
      {
        delivery_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        event: 'user.updated',
        status: 'pending',
        error: '',
        created_at: TIMESTAMP,
      },
      null,
    ]);
  });
});
