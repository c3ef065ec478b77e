import { expect, test } from 'vitest';
import { createClaimScheduler } from '../../../src/delivery/claim/claim-scheduler.ts';
import { createClaimWithinLimits } from '../../../src/delivery/claim/claim-within-limits.ts';
import { createConcurrencyLimits } from '../../../src/delivery/claim/concurrency-limits.ts';
import { createSlots } from '../../../src/delivery/claim/slots.ts';
import { SLOW_MS } from '../../../src/delivery/claim/slowness.ts';
import { WebhookError } from '../../../src/errors.ts';
import type { ClaimedDelivery } from '../../../src/storage/delivery-requests.ts';
import { claimedDelivery } from '../claimed-delivery.ts';

const CONCURRENCY = 8;

/** How many claims for so many slots choose of suspects, where four webhooks have just timed out. */
async function chosenOfSuspects(...claims: readonly number[]): Promise<number[]> {
  const clocks = { clock: () => 0, monotonicClock: () => 0 };
  const concurrencyLimits = createConcurrencyLimits({
    concurrency: CONCURRENCY,
    maxPerWebhook: 4,
    ...clocks,
  });
  const suspects = [1, 2, 3, 4];
  for (const webhookId of suspects) {
    concurrencyLimits.begin(webhookId)({ isSuccess: false, isAnswered: false, isTimeout: true });
  }
  const others = [5, 6, 7, 8];
  const waiting = [...suspects, ...others].map((webhookId) => ({ webhookId, due: 9 }));
  const counts: number[] = [];
  const { claim } = createClaimWithinLimits({
    storage: {
      async claimDueDeliveries({ choose }) {
        const chosen = choose(waiting);
        counts.push(suspects.filter((webhookId) => chosen.has(webhookId)).length);
        return [];
      },
    },
    slots: createSlots(CONCURRENCY, () => {}),
    concurrencyLimits,
    start: () => {},
    ...clocks,
    leaseMs: 1_000,
    maxAttempts: 4,
    notifier: { error: (_, error) => new WebhookError('storage_unavailable', String(error)) },
  });
  for (const limit of claims) await claim(limit);
  return counts;
}

test('one free slot is for suspects and for the others alternately', async () => {
  expect(await chosenOfSuspects(1, 1, 1, 1)).toEqual([1, 0, 1, 0]);
});

test('suspects get half of what is free, and every other odd slot', async () => {
  expect(await chosenOfSuspects(4, 5, 5)).toEqual([2, 2, 3]);
});

test('where the second of two claims fails, the next poll claims what is left', async () => {
  const time = { now: 0 };
  const clocks = { clock: () => 0, monotonicClock: () => time.now };
  const concurrencyLimits = createConcurrencyLimits({
    concurrency: CONCURRENCY,
    maxPerWebhook: 4,
    ...clocks,
  });
  const end = concurrencyLimits.begin(1);
  time.now = SLOW_MS + 1;
  end({ isSuccess: true, isAnswered: true, isTimeout: false });
  const slots = createSlots(CONCURRENCY, () => {});
  for (let slot = 0; slot < CONCURRENCY / 2; slot += 1) slots.occupy(1);
  const left = claimedDelivery();
  const answers = [[], new Error('the storage is away'), [left]];
  const errors: unknown[] = [];
  const started: ClaimedDelivery[] = [];
  const { claim } = createClaimWithinLimits({
    storage: {
      async claimDueDeliveries() {
        const answer = answers.shift() ?? [];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    slots,
    concurrencyLimits,
    start: (delivery) => void started.push(delivery),
    ...clocks,
    leaseMs: 1_000,
    maxAttempts: 4,
    notifier: {
      error(source, error) {
        errors.push([source, error]);
        return new WebhookError('storage_unavailable', String(error));
      },
    },
  });
  const scheduler = createClaimScheduler({
    claim,
    free: () => slots.free(),
    capacityOf: () => slots.free(),
    concurrency: CONCURRENCY,
    ...clocks,
  });
  await scheduler.poll();
  expect(errors).toEqual([['claim', new Error('the storage is away')]]);
  expect([started, scheduler.isClaiming()]).toEqual([[], false]);
  time.now += 1_000;
  await scheduler.poll();
  expect(started).toEqual([left]);
  await scheduler.stop();
});
