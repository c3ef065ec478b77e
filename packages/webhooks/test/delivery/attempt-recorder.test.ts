import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hastenTimers } from '../../../toolkit/test/hastened-timers.ts';
import { timestampText } from '../../src/clock.ts';
import type { AttemptResult } from '../../src/delivery/attempt.ts';
import { createRecorder } from '../../src/delivery/attempt-recorder.ts';
import { WebhookError } from '../../src/errors.ts';
import { createNotifier } from '../../src/hooks/notifier.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { createCounters } from '../../src/stats.ts';
import type { AttemptReceipt, AttemptRecord } from '../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { STORAGES } from '../engine/storages.ts';
import { globalTimers } from '../global-timers.ts';
import { claimedDelivery } from './claimed-delivery.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');

describe.each(STORAGES)('the recorder of an engine on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('offers a result again to a storage that refused it', async () => {
    hastenTimers();
    let refusals = 2;
    const { webhooks, ended, errors } = harness.engine(
      {},
      {
        ...harness.storage,
        recordAttempts(records) {
          if (refusals === 0) return harness.storage.recordAttempts(records, RESULT_RULES);
          refusals -= 1;
          return Promise.reject(new Error('no space left'));
        },
      },
    );
    const target = await harness.recipient();
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
    const { webhooks, ended, attempts, failed, disabled, errors } = harness.engine(
      { disableOnGone: true },
      {
        ...harness.storage,
        async recordAttempts(records) {
          const receipts = await harness.storage.recordAttempts(records, RESULT_RULES);
          losses -= 1;
          if (losses >= 0) throw new Error('connection lost after the commit');
          return receipts;
        },
      },
    );
    const failing = await harness.recipient((_, response) => response.writeHead(410).end());
    const { id } = await webhooks.create({ url: failing.url });
    await webhooks.start();
    await webhooks.dispatch('user.created', {});
    expect(await ended(id)).toMatchObject({ status: 'failed', attempts: 1 });
    await expect.poll(() => disabled, { timeout: 60_000 }).toMatchObject([{ webhookId: id }]);
    expect(attempts).toMatchObject([{ webhookId: id, attempt: 1, statusCode: 410 }]);
    expect(failed).toMatchObject([{ webhookId: id, attempts: 1 }]);
    expect(webhooks.stats()).toMatchObject({ attempts: 1, exhausted: 1, discarded: 0, unrecorded: 0 });
    expect(errors).toEqual([]);
  });

  it('takes no result for late whose webhook was deleted while the attempt was under way', async () => {
    const { webhooks, attempts, errors } = harness.engine();
    const held: (() => void)[] = [];
    const slow = await harness.recipient((_, response) => held.push(() => response.writeHead(204).end()));
    const { id } = await webhooks.create({ url: slow.url });
    await webhooks.start();
    await webhooks.dispatch('user.created', {});
    await slow.receivedCount(1);
    await webhooks.delete(id);
    for (const answer of held) answer();
    await webhooks.drain();
    expect(webhooks.stats()).toMatchObject({ attempts: 0, discarded: 0, unrecorded: 0 });
    expect([attempts, errors]).toEqual([[], []]);
  });
});

describe('the recorder', () => {
  const SUCCESS: AttemptRecord = {
    id: 1,
    claimToken: 'token',
    status: 'success',
    statusCode: 204,
    responseBody: '',
    error: '',
    attemptLog: [],
    activation: 0,
    now: NOW,
    retryInMs: 0,
  };
  const SENT = { startedAt: timestampText(NOW - 7), durationMs: 7 };
  const FAILED = { status: 'failed', statusCode: 500, error: 'http_500' } as const;

  /** A recorder over a storage that answers as told, and what the rest of the engine is told. */
  function harness(answer: (records: readonly AttemptRecord[]) => Promise<AttemptReceipt[]>) {
    const commits: (readonly AttemptRecord[])[] = [];
    const told: unknown[][] = [];
    const tell = (what: string) => (given: unknown) => void told.push([what, given]);
    const counters = createCounters();
    const record = createRecorder({
      storage: {
        recordAttempts(records) {
          commits.push(records);
          return answer(records);
        },
      },
      announce: tell('announced'),
      notifier: createNotifier(
        { onError: tell('error'), onDeliveryFailed: tell('failed'), onAttempt: tell('attempt') },
        silentLogger,
      ),
      logger: { ...silentLogger, warn: tell('warned') },
      counters,
      disable: async ({ webhook }) => tell('may disable')(webhook.id),
      concurrency: 3,
      timers: globalTimers(),
    });
    const give = (change: Partial<AttemptRecord> = {}, sent: AttemptResult['sent'] = SENT) =>
      record(claimedDelivery(), { record: { ...SUCCESS, ...change }, sent });
    return { give, commits, told, counters };
  }

  const answered = (receipt: AttemptReceipt) => async (records: readonly AttemptRecord[]) =>
    records.map(() => receipt);

  const DELIVERY = { webhookId: 7, deliveryId: '0'.repeat(32), event: 'user.created' };

  it('reports a success, and nothing follows', async () => {
    const { give, told, counters } = harness(answered('recorded'));
    await give();
    const report = { ...DELIVERY, attempt: 1, statusCode: 204, error: '', ...SENT };
    expect(told).toEqual([['attempt', { ...report, status: 'success', nextAttemptAt: null }]]);
    expect(counters).toMatchObject({ attempts: 1, succeeded: 1, failedAttempts: 0, exhausted: 0 });
  });

  it('announces the next attempt after its delay', async () => {
    const { give, told, counters } = harness(answered('recorded'));
    await give({ status: 'pending', statusCode: 503, error: 'http_503', retryInMs: 30_000 });
    const nextAttemptAt = timestampText(NOW + 30_000);
    expect(told).toMatchObject([
      ['attempt', { status: 'pending', nextAttemptAt }],
      ['announced', [{ deliveryId: DELIVERY.deliveryId, delayMs: 30_000 }]],
    ]);
    expect(counters).toMatchObject({ attempts: 1, failedAttempts: 1, exhausted: 0 });
  });

  it('tells of a delivery that has ended failed, and that its webhook may have to be disabled', async () => {
    const { give, told, counters } = harness(answered('recorded'));
    await give(FAILED);
    expect(told).toMatchObject([
      ['attempt', { status: 'failed', nextAttemptAt: null }],
      ['failed', { ...DELIVERY, attempts: 1, statusCode: 500, error: 'http_500' }],
      ['may disable', 7],
    ]);
    expect(counters).toMatchObject({ attempts: 1, failedAttempts: 1, exhausted: 1 });
  });

  it('reports no attempt where nothing was sent, and holds nothing against the webhook', async () => {
    const { give, told, counters } = harness(answered('recorded'));
    await give({ ...FAILED, statusCode: 0, error: 'worker_lost' }, null);
    expect(told).toEqual([['failed', { ...DELIVERY, attempts: 1, statusCode: 0, error: 'worker_lost' }]]);
    expect(counters).toMatchObject({ attempts: 0, exhausted: 1 });
  });

  it('logs and counts a result that came too late, and tells no hook', async () => {
    const { give, told, counters } = harness(answered('late'));
    await give(FAILED);
    const { deliveryId, webhookId } = DELIVERY;
    expect(told).toEqual([['warned', { deliveryId, webhookId, attempt: 1 }]]);
    expect(counters).toMatchObject({ discarded: 1, attempts: 0, exhausted: 0 });
  });

  it('says nothing of a delivery that is gone', async () => {
    const { give, told, counters } = harness(answered('gone'));
    await give(FAILED);
    expect(told).toEqual([]);
    expect(counters).toEqual(createCounters());
  });

  it('offers a result six times within 16 s, each time twice, then gives it up and says so', async () => {
    const ranMs = hastenTimers();
    const refusal = new WebhookError('storage_unavailable', 'no space left');
    const { give, commits, told, counters } = harness(() => Promise.reject(refusal));
    await give();
    expect(commits).toHaveLength(12);
    expect(ranMs()).toBeGreaterThan(15_000);
    expect(ranMs()).toBeLessThan(17_000);
    expect(told).toEqual([['error', refusal]]);
    expect(counters).toMatchObject({ unrecorded: 1, attempts: 0 });
  });

  it('writes together what comes within 5 ms, or as many results as there are slots at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { give, commits } = harness(answered('recorded'));
    const sizes = () => commits.map((records) => records.length);
    const two = [give(), give()];
    await vi.advanceTimersByTimeAsync(4);
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    expect(sizes()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(two);
    expect(sizes()).toEqual([2]);
    await Promise.all([give(), give(), give()]);
    expect(sizes()).toEqual([2, 3]);
  });
});
