import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hastenTimers } from '../../../toolkit/test/hastened-timers.ts';
import type { ClaimRequest } from '../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createTestEngine, type TestEngine } from '../engine/engine.ts';
import { type Recipient, startRecipient } from '../engine/recipient.ts';
import { type OpenedStorage, STORAGES } from '../engine/storages.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe.each(STORAGES)('recovery on $name', ({ open }) => {
  let opened: OpenedStorage;
  let target: Recipient;
  let now: number;
  const engines: TestEngine[] = [];

  beforeEach(async () => {
    opened = await open();
    target = await startRecipient();
    now = Date.parse('2026-11-20T12:00:00.000Z');
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(engines.splice(0).map(({ webhooks }) => webhooks.close()));
    await target.close();
    await opened.close();
  });

  function engine(
    options: Parameters<typeof createTestEngine>[1] = {},
    storage: WebhookStorage<never> = opened.storage,
  ): TestEngine {
    const created = createTestEngine(storage, { clock: () => now, sweepIntervalMs: 100, ...options });
    engines.push(created);
    return created;
  }

  /** Claims as a worker does that then vanishes. */
  function claimAndVanish(request: Partial<ClaimRequest> = {}) {
    return opened.storage.claimDueDeliveries({
      now,
      limit: 10,
      leaseMs: 45_000,
      maxAttempts: 4,
      claimToken: 'vanished',
      maxPerWebhook: 10,
      inFlight: new Map(),
      ...request,
    });
  }

  it('sends again what a vanished worker held, once its lease has ended, and logs the attempt as lost', async () => {
    const { webhooks, ended } = engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    expect(await claimAndVanish()).toHaveLength(1);

    now += 44_000;
    await webhooks.start();
    await webhooks.dispatch('user.updated', {});
    await target.receivedCount(1);
    expect(target.received[0]?.headers['x-webhook-event']).toBe('user.updated');

    now += 2_000;
    await target.receivedCount(2);
    const [, first] = (await webhooks.deliveries(id)).deliveries;
    const delivery = await ended(id, first?.deliveryId);
    expect(delivery).toMatchObject({ event: 'user.created', status: 'success', attempts: 2 });
    expect(delivery.attemptLog.map(({ attempt, error }) => [attempt, error])).toEqual([
      [1, 'worker_lost'],
      [2, ''],
    ]);
    expect(target.received[1]?.headers['x-webhook-attempt']).toBe('2');
  });

  it('ends as failed a delivery whose last attempt vanished, without another one', async () => {
    const { webhooks, ended, failed } = engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    for (let n = 0; n < 4; n += 1) {
      expect(await claimAndVanish({ claimToken: `vanished ${n}` })).toHaveLength(1);
      now += 46_000;
    }
    await webhooks.start();
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: 'worker_lost',
      attempts: 4,
      statusCode: 0,
    });
    expect(target.received).toEqual([]);
    expect(failed).toMatchObject([{ error: 'worker_lost', attempts: 4 }]);
  });

  it('offers a result again to a storage that refused it', async () => {
    hastenTimers();
    let refusals = 2;
    const { webhooks, ended, errors } = engine(
      {},
      {
        ...opened.storage,
        recordAttempts(records) {
          if (refusals === 0) return opened.storage.recordAttempts(records);
          refusals -= 1;
          return Promise.reject(new Error('no space left'));
        },
      },
    );
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.start();
    await webhooks.dispatch('user.created', {});
    expect(await ended(id)).toMatchObject({ status: 'success', attempts: 1 });
    expect(target.received).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('tells every hook of a result whose commit succeeded although its answer was lost', async () => {
    hastenTimers();
    let losses = 1;
    const { webhooks, ended, attempts, failed, disabled, errors } = engine(
      { retry: { maxAttempts: 1 }, disableAfterFailures: 1 },
      {
        ...opened.storage,
        async recordAttempts(records) {
          const receipts = await opened.storage.recordAttempts(records);
          losses -= 1;
          if (losses >= 0) throw new Error('connection lost after the commit');
          return receipts;
        },
      },
    );
    const failing = await startRecipient((_, response) => response.writeHead(500).end());
    try {
      const { id } = await webhooks.create({ url: failing.url });
      await webhooks.start();
      await webhooks.dispatch('user.created', {});
      expect(await ended(id)).toMatchObject({ status: 'failed', attempts: 1 });
      await expect.poll(() => disabled, { timeout: 10_000 }).toMatchObject([{ webhookId: id }]);
      expect(attempts).toMatchObject([{ webhookId: id, attempt: 1, statusCode: 500 }]);
      expect(failed).toMatchObject([{ webhookId: id, attempts: 1 }]);
      expect(webhooks.stats()).toMatchObject({ attempts: 1, exhausted: 1, discarded: 0, unrecorded: 0 });
      expect(errors).toEqual([]);
    } finally {
      await failing.close();
    }
  });

  it('takes no result for late whose webhook was deleted while the attempt was under way', async () => {
    const { webhooks, attempts, errors } = engine();
    const held: (() => void)[] = [];
    const slow = await startRecipient((_, response) => held.push(() => response.writeHead(204).end()));
    try {
      const { id } = await webhooks.create({ url: slow.url });
      await webhooks.start();
      await webhooks.dispatch('user.created', {});
      await slow.receivedCount(1);
      await webhooks.delete(id);
      for (const answer of held) answer();
      await webhooks.drain();
      expect(webhooks.stats()).toMatchObject({ attempts: 0, discarded: 0, unrecorded: 0 });
      expect([attempts, errors]).toEqual([[], []]);
    } finally {
      await slow.close();
    }
  });

  it('goes on when a claim fails, and says so', async () => {
    let refusals = 1;
    const { webhooks, ended, errors } = engine(
      {},
      {
        ...opened.storage,
        claimDueDeliveries(request) {
          if (refusals === 0) return opened.storage.claimDueDeliveries(request);
          refusals -= 1;
          return Promise.reject(new Error('connection lost'));
        },
      },
    );
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.start();
    expect(await ended(id)).toMatchObject({ status: 'success' });
    expect(errors).toMatchObject([{ code: 'storage_unavailable' }]);
  });

  it('discards a result that comes after its lease was given to another', async () => {
    const { webhooks } = engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    const [late] = await claimAndVanish();
    now += 46_000;
    await claimAndVanish({ claimToken: 'another' });
    if (late === undefined) throw new Error('nothing was claimed');
    const receipts = await opened.storage.recordAttempts([
      {
        id: late.id,
        claimToken: late.claimToken,
        status: 'success',
        statusCode: 200,
        responseBody: '',
        error: '',
        attemptLog: [],
        activation: 0,
        now,
        retryInMs: 0,
      },
    ]);
    expect(receipts).toEqual(['late']);
    expect((await webhooks.get(id)).stats).toMatchObject({ pending: 1, success: 0 });
  });

  it('purges deliveries older than 30 days; what is still pending fails as expired first', async () => {
    const { webhooks, failed } = engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', { n: 1 });
    now += DAY_MS;
    await webhooks.dispatch('user.created', { n: 2 });
    now += 29 * DAY_MS + 1;
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 1, expired: 1 });
    expect(failed).toMatchObject([{ error: 'expired', event: 'user.created', webhookId: id }]);
    expect((await webhooks.get(id)).stats).toMatchObject({ total: 1, pending: 1 });
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 0, expired: 0 });
  });

  it.each([1, 90])('keeps idempotency keys for 30 days with a retention of %i', async (retentionDays) => {
    const { webhooks } = engine({ retentionDays });
    await webhooks.create({ url: target.url });
    const repeat = () => webhooks.dispatch('user.created', {}, { idempotencyKey: 'k' });
    await repeat();
    now += 30 * DAY_MS;
    await webhooks.purgeDeliveries();
    expect(await repeat()).toMatchObject({ repeated: true });
    now += 1;
    await webhooks.purgeDeliveries();
    expect(await repeat()).toMatchObject({ repeated: false });
  });

  it('has reported what it removed before a later batch of the same purge fails', async () => {
    let batches = 0;
    const { webhooks, failed } = engine(
      {},
      {
        ...opened.storage,
        purgeDeliveries(request) {
          batches += 1;
          if (batches === 2) return Promise.reject(new Error('no space left'));
          return opened.storage.purgeDeliveries(request);
        },
      },
    );
    const { id } = await webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 150 }, () => webhooks.dispatch('user.created', {})));
    now += 31 * DAY_MS;
    await expect(webhooks.purgeDeliveries()).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(failed).toHaveLength(150 - (await webhooks.get(id)).stats.total);
    await webhooks.purgeDeliveries();
    expect(failed).toHaveLength(150);
  });

  it('lets the event loop turn between two batches of a purge', async () => {
    const { webhooks } = engine();
    await webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 300 }, () => webhooks.dispatch('user.created', {})));
    now += 31 * DAY_MS;
    const order: string[] = [];
    const purging = webhooks.purgeDeliveries().then(() => order.push('purged'));
    setImmediate(() => order.push('turned'));
    await purging;
    expect(order).toEqual(['turned', 'purged']);
  });

  it('purges more than one batch in one call', async () => {
    const { webhooks } = engine({ retentionDays: 1 });
    const { id } = await webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 1_201 }, () => webhooks.dispatch('user.created', {})));
    now += DAY_MS + 1;
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 1_201, expired: 1_201 });
    expect((await webhooks.get(id)).stats.total).toBe(0);
  });
});
