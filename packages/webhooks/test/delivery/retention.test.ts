import { beforeEach, describe, expect, it } from 'vitest';
import { createPurge, PURGE_JOB } from '../../src/delivery/retention.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { createCounters } from '../../src/stats.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { STORAGES } from '../engine/storages.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const URL = 'http://127.0.0.1/hook';
const PUBLIC_URL = 'https://93.184.215.14/';

describe.each(STORAGES)('a purge on $name', ({ open }) => {
  const harness = useEngineHarness(open);
  let now: number;

  beforeEach(() => {
    now = Date.parse('2026-11-20T12:00:00.000Z');
  });

  function engine(options: Parameters<typeof harness.engine>[0] = {}, storage = harness.storage) {
    return harness.engine({ clock: () => now, ...options }, storage);
  }

  it('removes deliveries of hours more than 30 days ago; what is still pending fails as expired first', async () => {
    const { webhooks, failed } = engine();
    const { id } = await webhooks.create({ url: URL });
    await webhooks.dispatch('user.created', { n: 1 });
    now += DAY_MS;
    await webhooks.dispatch('user.created', { n: 2 });
    now += 29 * DAY_MS + HOUR_MS - 1;
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 0, expired: 0 });
    now += 1;
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 1, expired: 1 });
    expect(failed).toMatchObject([{ error: 'expired', event: 'user.created', webhookId: id }]);
    expect((await webhooks.get(id)).stats).toMatchObject({ total: 1, pending: 1 });
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 0, expired: 0 });
  });

  it('ends what a limit has delayed for seven days of claims, logs it once, and keeps it', async () => {
    const warned: object[] = [];
    const warn = (fields: object, message: string) => void warned.push({ ...fields, message });
    const events = defineEvents({ 'order.paid': { label: 'Order paid', audience: 'tenant' } });
    const { webhooks, failed } = engine({ events, logger: { ...silentLogger, warn } });
    const { id } = await webhooks.create({ url: PUBLIC_URL, tenant: 'acme', maxPerMinute: 1 });
    const { id: free } = await webhooks.create({ url: URL });
    const dispatchAll = () => webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
    await Promise.all(Array.from({ length: 501 }, dispatchAll));
    // Workers that claim once an hour, and have room for nothing.
    const workFor = async (hours: number) => {
      for (let hour = 0; hour < hours; hour++) {
        const claim = { now, limit: 1, leaseMs: 1_000, maxAttempts: 4, claimToken: 't', isFromStart: true };
        await harness.storage.claimDueDeliveries({ ...claim, choose: () => new Map() });
        now += HOUR_MS;
      }
    };
    await workFor(7 * 24);
    now += DAY_MS;
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 0, expired: 0 });
    await workFor(1);
    await dispatchAll();
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 0, expired: 501 });
    const message = 'webhook deliveries expired';
    expect(warned).toEqual([{ webhookId: id, tenant: 'acme', deliveries: 501, message }]);
    expect(failed).toHaveLength(501);
    expect(failed[0]).toMatchObject({ webhookId: id, tenant: 'acme', error: 'expired', attempts: 0 });
    expect(webhooks.stats().expired).toBe(501);
    expect((await webhooks.get(id)).stats).toMatchObject({ failed: 501, pending: 1 });
    expect((await webhooks.get(free)).stats).toMatchObject({ failed: 0, pending: 502 });
    expect((await webhooks.get(id)).health).toMatchObject({ level: 'healthy', lastFailureAt: null });
    expect(await webhooks.recover({ webhookId: id, since: new Date(0) })).toMatchObject({ deliveries: 501 });
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 0, expired: 0 });
  });

  it('names its job in the log', async () => {
    const logged: object[] = [];
    const info = (fields: object) => void logged.push(fields);
    const { webhooks } = engine({ logger: { ...silentLogger, info } });
    await webhooks.purgeDeliveries();
    expect(logged).toEqual([{ job: 'purge-old-webhook-deliveries', removed: 0, expired: 0 }]);
  });

  it.each([1, 90])('keeps idempotency keys for 30 days with a retention of %i', async (retentionDays) => {
    const { webhooks } = engine({ retentionDays });
    await webhooks.create({ url: URL });
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
        ...harness.storage,
        purgeDeliveries(request) {
          batches += 1;
          if (batches === 2) return Promise.reject(new Error('no space left'));
          return harness.storage.purgeDeliveries(request);
        },
      },
    );
    const { id } = await webhooks.create({ url: URL });
    await Promise.all(Array.from({ length: 750 }, () => webhooks.dispatch('user.created', {})));
    now += 31 * DAY_MS;
    await expect(webhooks.purgeDeliveries()).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(failed).toHaveLength(750 - (await webhooks.get(id)).stats.total);
    await webhooks.purgeDeliveries();
    expect(failed).toHaveLength(750);
  });

  it('lets the event loop turn between two batches of a purge', async () => {
    const { webhooks } = engine();
    await webhooks.create({ url: URL });
    await Promise.all(Array.from({ length: 1_500 }, () => webhooks.dispatch('user.created', {})));
    now += 31 * DAY_MS;
    const order: string[] = [];
    const purging = webhooks.purgeDeliveries().then(() => order.push('purged'));
    setImmediate(() => order.push('turned'));
    await purging;
    expect(order).toEqual(['turned', 'purged']);
  });

  it('removes more than one batch in one call', async () => {
    const { webhooks } = engine({ retentionDays: 1 });
    const { id } = await webhooks.create({ url: URL });
    await Promise.all(Array.from({ length: 1_201 }, () => webhooks.dispatch('user.created', {})));
    now += DAY_MS + HOUR_MS;
    expect(await webhooks.purgeDeliveries()).toEqual({ removed: 1_201, expired: 1_201 });
    expect((await webhooks.get(id)).stats.total).toBe(0);
  });
});

describe('a purge that is told to end', () => {
  it.each([
    ['deliveries', 1, 0],
    ['idempotency keys', 2, 1],
  ])('stops before its next batch of %s', async (stoppedAt, deliveryBatches, keyBatches) => {
    const ending = new AbortController();
    const batches = { deliveries: 0, keys: 0 };
    const purge = createPurge({
      storage: {
        findWebhook: async () => undefined,
        async purgeDeliveries({ limit }) {
          batches.deliveries += 1;
          if (stoppedAt === 'deliveries') ending.abort();
          return { removed: stoppedAt === 'deliveries' ? limit : 0, expired: [] };
        },
        async purgeIdempotencyKeys({ limit }) {
          batches.keys += 1;
          ending.abort();
          return limit;
        },
      },
      clock: () => 0,
      notifier: { deliveryFailed: () => expect.fail('nothing has expired') },
      logger: silentLogger,
      counters: createCounters(),
      ...{ retentionDays: 30, pendingDays: 7 },
    });
    await purge(ending.signal);
    expect(batches).toEqual({ deliveries: deliveryBatches, keys: keyBatches });
  });
});

describe('the retention job', () => {
  it('has a name and runs once a day, and nobody can change it', () => {
    expect(PURGE_JOB).toEqual({ name: 'purge-old-webhook-deliveries', cron: '17 3 * * *' });
    expect(Object.isFrozen(PURGE_JOB)).toBe(true);
  });
});
