import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { timestampText } from '../../src/clock.ts';
import type { Attempt } from '../../src/delivery/attempt.ts';
import { createRecorder } from '../../src/delivery/attempt-recorder.ts';
import { createRunner } from '../../src/delivery/runner.ts';
import type { Notifier } from '../../src/hooks/notifier.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { progressTimers } from '../../src/progress-timers.ts';
import { generateSecret } from '../../src/signing/secret.ts';
import { createCounters } from '../../src/stats.ts';
import type { AttemptRecord, ClaimedDelivery, ClaimRequest } from '../../src/storage/delivery-requests.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import { historyOf } from '../storage/history-of.ts';

const ATTEMPT_TIMEOUT_MS = 15_000;

/**
 * A runner over a real storage, with both clocks in the hands of the test and an attempt that waits
 * to be told. Each webhook has one delivery due.
 */
async function harness({ webhooks = 1, slots = 5 } = {}) {
  const storage = memoryStorage();
  const time = { now: Date.parse('2026-11-20T12:00:00.000Z'), monotonic: 0 };
  const requests: ClaimRequest[] = [];
  /** Whether each attempt that tells something of the network was answered. */
  const answers: boolean[] = [];
  /** The moves to the slow pool, which the test makes. */
  const outlasting: { readonly run: () => void; readonly ms: number }[] = [];
  const notifier: Notifier = {
    error: (source) => expect.fail(`an error in ${source}`),
    deliveryFailed() {},
    attempt() {},
    webhookDisabled() {},
    webhookFailing() {},
    isToldOfFailing: false,
    backlog() {},
    isToldOfBacklogs: false,
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
            return storage.recordAttempts(records, RESULT_RULES);
          },
        },
        announce() {},
        notifier,
        logger: silentLogger,
        counters: createCounters(),
        disable: async () => {},
        concurrency: slots,
      }),
      clock: () => time.now,
      monotonicClock: () => time.monotonic,
      notifier,
      outages: { attempted: (_, isAnswered) => void answers.push(isAnswered) },
      logger: silentLogger,
      concurrency: slots,
      maxConcurrentPerWebhook: overrides.maxPerWebhook ?? 5,
      maxAttempts: 4,
      attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
      timers: {
        ...progressTimers,
        setTimeout: ((run: () => void, ms: number) =>
          ms < 200 ? setTimeout(run, ms) : outlasting.push({ run, ms })) as typeof setTimeout,
      },
    });
  const newest = async () => {
    const [delivery] = await historyOf(storage, webhook.id);
    return delivery;
  };
  return { webhook, storage, time, requests, answers, started, outlasting, newRunner, newest };
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

  it('goes on where it has claimed what is in flight already', async () => {
    const { newRunner, storage, started, time } = await harness();
    const runner = newRunner();
    await runner.poll();
    time.now += 3_600_000;
    await storage.recordDispatches([
      {
        event: 'user.created',
        payload: '{}',
        createdAt: timestampText(time.now),
        target: { patterns: ['*'] },
      },
    ]);
    await runner.poll();
    await expect.poll(() => started.length).toBe(2);
    for (const { end } of started) end();
    await runner.close();
  });

  it('claims no more than it has free slots, of which half are for recipients that are not proven', async () => {
    const { newRunner, requests, started } = await harness({ webhooks: 8, slots: 4 });
    const runner = newRunner();
    void runner.poll();
    await expect.poll(() => started.length).toBe(2);
    expect(requests.map(({ limit }) => limit)).toEqual([4]);
    for (const { end } of started.splice(0)) end();
    await expect.poll(() => started.length).toBe(2);
    for (const { end } of started.splice(0)) end();
    await expect.poll(() => started.length).toBe(2);
    for (const { end } of started.splice(0)) end();
    await expect.poll(() => started.length).toBe(2);
    for (const { end } of started) end();
    await runner.close();
  });

  it('goes on when slow attempts leave their slots, and waits for them when it closes', async () => {
    const { newRunner, started, outlasting, time } = await harness({ webhooks: 6, slots: 4 });
    const runner = newRunner();
    void runner.poll();
    for (let running = 2; running <= 6; running += 2) {
      await expect.poll(() => started.length).toBe(running);
      expect(outlasting.map(({ ms }) => ms)).toEqual([250, 250]);
      time.monotonic += 250;
      for (const { run } of outlasting.splice(0)) run();
    }
    expect(runner.inFlight()).toBe(6);
    const closed = runner.close();
    for (const { end } of started) end();
    await closed;
    expect(runner.inFlight()).toBe(0);
  });

  it('goes on while results wait for the storage, of which there are never more than slots', async () => {
    const { newRunner, started } = await harness({ webhooks: 8, slots: 4 });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const runner = newRunner({ beforeRecord: () => answered });
    void runner.poll();
    for (const running of [2, 4, 6]) {
      await expect.poll(() => started.length).toBe(running);
      for (const { end } of started.slice(running - 2)) end();
    }
    // The results of four wait, and the third two keep their slots.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(started).toHaveLength(6);
    expect(runner.inFlight()).toBe(6);
    expect(runner.isIdle()).toBe(false);
    answer();
    await expect.poll(() => started.length).toBe(8);
    for (const { end } of started.slice(6)) end();
    await runner.close();
    expect(runner.inFlight()).toBe(0);
  });
});
