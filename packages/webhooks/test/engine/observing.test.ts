import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../src/logging/logger.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { useEngineHarness } from './engine-harness.ts';
import { STORAGES } from './storages.ts';

const HOUR_MS = 3_600_000;

describe.each(STORAGES)('what an engine tells of itself on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('counts what it has done', async () => {
    let status = 500;
    const target = await harness.recipient((_, response) => response.writeHead(status).end());
    let now = Date.parse('2026-11-20T12:00:00.000Z');
    const { webhooks } = harness.engine({ clock: () => now, retry: { maxAttempts: 2, delaysMs: [1_000] } });
    expect(new Set(Object.values(webhooks.stats()))).toEqual(new Set([0]));
    await webhooks.start();
    await webhooks.create({ url: target.url, events: ['user.*'] });
    await webhooks.dispatch('user.created', {}, { idempotencyKey: 'k' });
    await webhooks.dispatch('user.created', {}, { idempotencyKey: 'k' });
    await webhooks.dispatch('order.created', {});
    await webhooks.dispatch('nonsense', {}).catch(() => {});
    await webhooks.drain();
    expect(webhooks.stats()).toMatchObject({ attempts: 1, failedAttempts: 1, exhausted: 0 });
    now += HOUR_MS;
    await webhooks.drain();
    status = 204;
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    const before = webhooks.stats();
    expect(before).toEqual({
      dispatched: 4,
      repeated: 1,
      refused: 1,
      deliveries: 2,
      attempts: 3,
      succeeded: 1,
      failedAttempts: 2,
      deferred: 0,
      exhausted: 1,
      expired: 0,
      discarded: 0,
      unrecorded: 0,
      reopened: 0,
      disabled: 0,
    });
    await webhooks.dispatch('user.created', {});
    await webhooks.close();
    // A snapshot stays what it was, and the counters are there after the close.
    expect(before.dispatched).toBe(4);
    expect(webhooks.stats()).toMatchObject({ dispatched: 5 });
    now += 31 * 24 * HOUR_MS;
    const { webhooks: purging } = harness.engine({ clock: () => now });
    await purging.dispatch('user.created', {});
    now += 31 * 24 * HOUR_MS;
    await purging.purgeDeliveries();
    expect(purging.stats().expired).toBeGreaterThanOrEqual(1);
  });

  it('reports every attempt once its result is durable', async () => {
    const target = await harness.recipient((_, response, n) => response.writeHead(n < 2 ? 500 : 204).end());
    let now = Date.parse('2026-11-20T12:00:00.000Z');
    const { webhooks, attempts } = harness.engine({ clock: () => now, retry: { delaysMs: [1_000] } });
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    const [waiting] = (await webhooks.deliveries(id)).deliveries;
    now += 2_000;
    await webhooks.drain();
    const shared = { webhookId: id, deliveryId: waiting?.deliveryId, event: 'user.created', durationMs: 0 };
    expect(attempts).toEqual([
      {
        ...shared,
        attempt: 1,
        statusCode: 500,
        error: 'http_500',
        startedAt: '2026-11-20T12:00:00.000Z',
        status: 'pending',
        nextAttemptAt: waiting?.nextAttemptAt,
      },
      {
        ...shared,
        attempt: 2,
        statusCode: 204,
        error: '',
        startedAt: '2026-11-20T12:00:02.000Z',
        status: 'success',
        nextAttemptAt: null,
      },
    ]);
    expect(waiting?.nextAttemptAt).not.toBeNull();
  });

  it('reports no attempt where none was sent', async () => {
    const target = await harness.recipient();
    const { webhooks, attempts, failed } = harness.engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.update(id, { isActive: false });
    await webhooks.start();
    await webhooks.drain();
    expect(failed).toMatchObject([{ error: 'webhook_inactive' }]);
    expect(attempts).toEqual([]);
    expect(webhooks.stats()).toMatchObject({ attempts: 0, exhausted: 1 });
  });

  it('says how it is: running, busy, behind, closed', async () => {
    const held: ServerResponse[] = [];
    const target = await harness.recipient((_, response) => held.push(response));
    let now = Date.parse('2026-11-20T12:00:00.000Z');
    const { webhooks } = harness.engine({ clock: () => now, concurrency: 2, sweepIntervalMs: 3_600_000 });
    expect(await webhooks.health()).toEqual({
      status: 'ok',
      reasons: [],
      isRunning: false,
      inFlight: 0,
      waitingDispatches: 0,
      backlog: 0,
      oldestDueMs: null,
      tenantBacklogs: { largest: [], others: 0 },
      recovering: 0,
      lastError: null,
    });
    await webhooks.create({ url: target.url, events: ['user.created'] });
    await Promise.all(Array.from({ length: 5 }, () => webhooks.dispatch('user.created', {})));
    now += 1_000;
    await webhooks.start();
    await target.receivedCount(2);
    expect(await webhooks.health()).toMatchObject({
      status: 'ok',
      isRunning: true,
      inFlight: 2,
      backlog: 3,
      oldestDueMs: 1_000,
    });
    // Its limit explains that the others wait, however long.
    now += 24 * HOUR_MS;
    expect(await webhooks.health()).toMatchObject({ status: 'ok' });
    const closing = webhooks.close();
    expect(await webhooks.health()).toMatchObject({ status: 'closed', isRunning: false, inFlight: 2 });
    for (const response of held) response.writeHead(204).end();
    await closing;
    expect(await webhooks.health()).toMatchObject({ status: 'closed', inFlight: 0, backlog: 3 });
  });

  it('answers that the storage is away instead of rejecting, and which error was the last', async () => {
    const { webhooks } = harness.engine(
      {},
      {
        ...harness.storage,
        dueSummary: () => Promise.reject(new Error('connection lost')),
        claimDueDeliveries: () => Promise.reject(new Error('connection lost')),
      },
    );
    await webhooks.start();
    await expect
      .poll(() => webhooks.health())
      .toMatchObject({
        status: 'unavailable',
        isRunning: true,
        backlog: null,
        oldestDueMs: null,
        lastError: { code: 'storage_unavailable', source: 'claim', at: expect.stringMatching(/Z$/) },
      });
  });

  it('is degraded by a refused dispatch until one is taken', async () => {
    let isAway = false;
    const { webhooks } = harness.engine(
      {},
      {
        ...harness.storage,
        recordDispatches: (...given) =>
          isAway ? Promise.reject(new Error('connection lost')) : harness.storage.recordDispatches(...given),
      },
    );
    isAway = true;
    await webhooks.dispatch('user.created', {}).catch(() => {});
    const refused = { status: 'degraded', reasons: ['dispatches_refused'] };
    expect(await webhooks.health()).toMatchObject(refused);
    isAway = false;
    await webhooks.dispatch('nonsense', {}).catch(() => {});
    expect(await webhooks.health()).toMatchObject(refused);
    await webhooks.dispatch('user.created', {});
    expect(await webhooks.health()).toMatchObject({ status: 'ok', reasons: [] });
  });

  it('does not take the mistakes of callers for errors of its own', async () => {
    const { webhooks } = harness.engine();
    await webhooks.dispatch('nonsense', {}).catch(() => {});
    expect((await webhooks.health()).lastError).toBeNull();
  });

  it('tells neither log nor hooks a payload, a secret or an answer', async () => {
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => logged.push(line);
    const logger: Logger = { debug: log, info: log, warn: log, error: log };
    const target = await harness.recipient((_, response) => response.writeHead(410).end('the-answer'));
    /** A driver's error as mysql2 makes it: with the statement and its parameters. */
    const leaking = Object.assign(new Error('deadlock'), { code: 'ER_LOCK_DEADLOCK', sql: 'the-payload' });
    // Twice: a dispatch alone is tried once more.
    let refusals = 2;
    const storage: WebhookStorage<never> = {
      ...harness.storage,
      recordDispatches(dispatches) {
        if (refusals === 0) return harness.storage.recordDispatches(dispatches);
        refusals -= 1;
        return Promise.reject(leaking);
      },
    };
    const { webhooks, attempts, failed, disabled } = harness.engine({ logger, disableOnGone: true }, storage);
    await webhooks.start();
    const { id, secret } = await webhooks.create({ url: target.url });
    const rotated = await webhooks.rotateSecret(id);
    await webhooks.dispatch('user.created', { text: 'the-payload' }).catch(() => {});
    await webhooks.dispatch('user.created', { text: 'the-payload' });
    await webhooks.drain();
    await webhooks.close();
    expect(disabled).toHaveLength(1);
    expect((await webhooks.deliveries(id)).deliveries).toMatchObject([{ responseBody: 'the-answer' }]);
    const told = JSON.stringify([logged, attempts, failed, disabled]);
    for (const message of [
      'webhook engine started',
      'webhook engine error',
      'webhook attempt recorded',
      'webhook delivery failed',
      'webhook disabled',
      'webhook engine closed',
    ]) {
      expect(told).toContain(message);
    }
    expect(told).toContain('ER_LOCK_DEADLOCK');
    for (const hidden of ['the-payload', 'the-answer', secret.slice(6), rotated.secret.slice(6)]) {
      expect(told).not.toContain(hidden);
    }
  });
});
