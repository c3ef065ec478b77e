import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { timestampText } from '../../src/clock.ts';
import type { Attempt } from '../../src/delivery/attempt.ts';
import { createRecorder } from '../../src/delivery/attempt-recorder.ts';
import { createRunner } from '../../src/delivery/runner.ts';
import type { Notifier } from '../../src/hooks/notifier.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { generateSecret } from '../../src/signing/secret.ts';
import { createCounters } from '../../src/stats.ts';
import type { AttemptRecord, ClaimedDelivery, ClaimRequest } from '../../src/storage/delivery-requests.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { historyOf } from '../storage/history-of.ts';

const ATTEMPT_TIMEOUT_MS = 15_000;

/**
 * A runner over a real storage, with both clocks in the hands of the test and an attempt that waits
 * to be told. Each webhook has one delivery due.
 */
async function harness({ webhooks = 1 } = {}) {
  const storage = memoryStorage();
  const time = { now: Date.parse('2026-11-20T12:00:00.000Z'), monotonic: 0 };
  const requests: ClaimRequest[] = [];
  /** Whether each attempt that tells something of the network was answered. */
  const answers: boolean[] = [];
  const notifier: Notifier = {
    error: (source) => expect.fail(`an error in ${source}`),
    deliveryFailed() {},
    attempt() {},
    webhookDisabled() {},
    lastError: () => null,
    failures: () => ({ count: 0, last: undefined }),
    lastFailureAt: () => undefined,
  };
  const started: { readonly claimed: ClaimedDelivery; end(change?: Partial<AttemptRecord>): void }[] = [];
  const attempt: Attempt = (claimed) =>
    new Promise((resolve) => {
      const record: AttemptRecord = {
        id: claimed.id,
        claimToken: claimed.claimToken,
        status: 'success',
        statusCode: 204,
        responseBody: '',
        error: '',
        attemptLog: [],
        activation: 0,
        now: time.now,
        retryInMs: 0,
      };
      const sent = { startedAt: timestampText(time.now), durationMs: 0 };
      started.push({ claimed, end: (change) => resolve({ record: { ...record, ...change }, sent }) });
    });
  const createdAt = timestampText(time.now);
  const newWebhook = {
    url: 'http://127.0.0.1/',
    secret: generateSecret(),
    description: '',
    events: ['*'],
    isActive: true,
    createdBy: 0,
    createdByUid: null,
    createdAt,
  };
  const webhook = await storage.createWebhook(newWebhook);
  for (let others = 1; others < webhooks; others += 1) await storage.createWebhook(newWebhook);
  await storage.recordDispatches([
    { event: 'user.created', payload: '{}', createdAt, target: { patterns: ['*'] } },
  ]);

  const newRunner = (
    overrides: { beforeClaim?: () => void; maxPerWebhook?: number; beforeRecord?: () => Promise<void> } = {},
  ) =>
    createRunner({
      storage: {
        async claimDueDeliveries(request) {
          requests.push(request);
          const claimed = await storage.claimDueDeliveries(request);
          overrides.beforeClaim?.();
          return claimed;
        },
      },
      attempt,
      record: createRecorder({
        storage: {
          async recordAttempts(records) {
            await overrides.beforeRecord?.();
            return storage.recordAttempts(records);
          },
        },
        announce() {},
        notifier,
        logger: silentLogger,
        counters: createCounters(),
        disable: async () => {},
        concurrency: 5,
      }),
      clock: () => time.now,
      monotonicClock: () => time.monotonic,
      notifier,
      outages: { attempted: (_, isAnswered) => void answers.push(isAnswered) },
      logger: silentLogger,
      concurrency: 5,
      maxConcurrentPerWebhook: overrides.maxPerWebhook ?? 5,
      maxAttempts: 4,
      attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    });
  const newest = async () => {
    const [delivery] = await historyOf(storage, webhook.id);
    return delivery;
  };
  return { webhook, storage, time, requests, answers, started, newRunner, newest };
}

describe('the runner', () => {
  it('claims for longer than an attempt may take, by half a minute', async () => {
    const { newRunner, requests, started } = await harness();
    const runner = newRunner();
    await runner.poll();
    expect(requests[0]?.leaseMs).toBe(ATTEMPT_TIMEOUT_MS + 30_000);
    started[0]?.end();
    await runner.close();
  });

  it.each([
    [{ statusCode: 500, error: 'http_500' }, [true]],
    [{ statusCode: 0, error: 'timeout' }, [false]],
    [{ statusCode: 0, error: 'dns_error' }, [false]],
    [{ statusCode: 0, error: 'url_not_public' }, []],
    [{ statusCode: 0, error: 'blocked_address' }, []],
  ])('tells of %j whether it was answered, where a connection was tried', async (end, told) => {
    const { answers, newRunner, started } = await harness();
    const runner = newRunner();
    await runner.poll();
    started[0]?.end({ status: 'failed', ...end });
    await runner.close();
    expect(answers).toEqual(told);
  });

  it('makes no attempt when so much time has passed since the claim that somebody else may be sending', async () => {
    const { newRunner, started, newest, time } = await harness();
    const runner = newRunner({
      beforeClaim: () => {
        time.monotonic += 30_001;
      },
    });
    await runner.poll();
    await runner.close();
    expect(started).toEqual([]);
    expect(await newest()).toMatchObject({ status: 'pending', attempts: 1 });
  });

  it('sends once when the clock is set forward beyond the lease of its own attempt', async () => {
    const { newRunner, newest, started, time } = await harness();
    const runner = newRunner();
    await runner.poll();
    time.now += 3_600_000;
    await runner.poll();
    expect(started).toHaveLength(1);
    started[0]?.end();
    await runner.close();
    expect(await newest()).toMatchObject({ status: 'success' });
  });

  it('claims no more than it has free slots', async () => {
    const { newRunner, requests, started } = await harness({ webhooks: 8 });
    const runner = newRunner();
    void runner.poll();
    await expect.poll(() => started.length).toBe(5);
    expect(requests.map(({ limit }) => limit)).toEqual([5]);
    for (const { end } of started.splice(0)) end();
    await expect.poll(() => started.length).toBe(3);
    for (const { end } of started) end();
    await runner.close();
  });

  it('goes on while results wait for the storage, of which there are never more than slots', async () => {
    const { newRunner, started } = await harness({ webhooks: 16 });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const runner = newRunner({ beforeRecord: () => answered });
    void runner.poll();
    await expect.poll(() => started.length).toBe(5);
    for (const { end } of started.slice(0, 5)) end();
    await expect.poll(() => started.length).toBe(10);
    for (const { end } of started.slice(5, 10)) end();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(started).toHaveLength(10);
    expect(runner.openClaims()).toBe(10);
    expect(runner.isIdle()).toBe(false);
    answer();
    await expect.poll(() => started.length).toBe(15);
    for (const { end } of started.slice(10)) end();
    await expect.poll(() => started.length).toBe(16);
    started.at(-1)?.end();
    await runner.close();
    expect(runner.openClaims()).toBe(0);
  });
});

describe('the share of a webhook', () => {
  it('counts what is under way, and is never more than there are slots', async () => {
    const { newRunner, requests, started, storage, time, webhook } = await harness();
    const runner = newRunner({ maxPerWebhook: 1_000 });
    const dispatch = {
      event: 'user.created',
      payload: '{}',
      createdAt: timestampText(time.now),
      target: { patterns: ['*'] },
    };
    await runner.poll();
    await storage.recordDispatches(Array.from({ length: 20 }, () => dispatch));
    await runner.poll();
    const waiting = [{ webhookId: webhook.id, due: 20 }];
    expect(requests.map(({ choose }) => choose(waiting).get(webhook.id))).toEqual([2, 1]);
    expect(runner.openClaims()).toBe(2);
    for (let ended = 0; ended < 10; ended += 1) {
      await expect.poll(() => started.length).toBeGreaterThan(ended);
      started[ended]?.end();
    }
    // From two at once over four to all the slots: no more than there are.
    await expect.poll(() => runner.openClaims()).toBe(5);
    for (let ended = 10; ended < 21; ended += 1) {
      await expect.poll(() => started.length).toBeGreaterThan(ended);
      started[ended]?.end();
    }
    await runner.close();
    expect(runner.openClaims()).toBe(0);
  });

  it('is one after a timeout', async () => {
    const { newRunner, requests, started, storage, time, webhook } = await harness();
    const runner = newRunner();
    await runner.poll();
    started[0]?.end({ status: 'pending', statusCode: 0, error: 'timeout', retryInMs: 1_000 });
    await expect.poll(() => runner.openClaims()).toBe(0);
    await storage.recordDispatches([
      {
        event: 'user.created',
        payload: '{}',
        createdAt: timestampText(time.now),
        target: { patterns: ['*'] },
      },
    ]);
    await runner.poll();
    expect(requests.at(-1)?.choose([{ webhookId: webhook.id, due: 9 }])).toEqual(new Map([[webhook.id, 1]]));
    started[1]?.end();
    await runner.close();
  });

  it('goes beyond half of the slots for webhooks that are only slow, once nobody else has anything due', async () => {
    const { newRunner, requests, started, time } = await harness({ webhooks: 6 });
    const runner = newRunner();
    void runner.poll();
    await expect.poll(() => started.length).toBe(5);
    time.monotonic += 3_000;
    for (const { end } of started.slice(0, 5)) end({ status: 'pending', statusCode: 503, retryInMs: 1_000 });
    await expect.poll(() => runner.openClaims()).toBe(1);
    started[5]?.end({ status: 'pending', statusCode: 503, retryInMs: 1_000 });
    await expect.poll(() => runner.openClaims()).toBe(0);
    time.now += 1_000;
    const before = requests.length;
    await runner.poll();
    const waiting = Array.from({ length: 5 }, (_, n) => ({ webhookId: n + 1, due: 9 }));
    expect(requests.slice(before).map(({ limit, choose }) => [limit, choose(waiting).size])).toEqual([
      [5, 2],
      [2, 2],
    ]);
    expect(runner.openClaims()).toBe(5);
    for (const { end } of started.slice(6)) end();
    await expect.poll(() => started.length).toBe(12);
    for (const { end } of started.slice(11)) end();
    await runner.close();
  });

  it('makes the runner poll again by itself when one of its attempts ends', async () => {
    const { newRunner, started, storage, time } = await harness();
    const dispatch = {
      event: 'user.created',
      payload: '{}',
      createdAt: timestampText(time.now),
      target: { patterns: ['*'] },
    };
    await storage.recordDispatches([dispatch, dispatch]);
    const runner = newRunner({ maxPerWebhook: 1 });
    await runner.poll();
    for (let ended = 0; ended < 3; ended += 1) {
      await expect.poll(() => started.length).toBe(ended + 1);
      started[ended]?.end();
    }
    await runner.close();
  });
});
