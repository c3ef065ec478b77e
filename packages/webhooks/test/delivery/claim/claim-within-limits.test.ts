import { expect, test } from 'vitest';
import { createClaimWithinLimits } from '../../../src/delivery/claim/claim-within-limits.ts';
import { createSlots } from '../../../src/delivery/claim/slots.ts';
import { createWebhookLimits } from '../../../src/delivery/claim/webhook-limits.ts';
import { WebhookError } from '../../../src/errors.ts';
import type { ClaimRequest } from '../../../src/storage/delivery-requests.ts';

const CONCURRENCY = 8;

/** What claims for so many slots leave to suspects, where one webhook has just timed out. */
async function suspectSlotsOf(...claims: readonly number[]): Promise<(number | undefined)[]> {
  const clocks = { clock: () => 0, monotonicClock: () => 0 };
  const limits = createWebhookLimits({ concurrency: CONCURRENCY, maxPerWebhook: 4, ...clocks });
  limits.begin(1)({ isSuccess: false, isAnswered: false, isTimeout: true });
  const requests: ClaimRequest[] = [];
  const { claim } = createClaimWithinLimits({
    storage: {
      async claimDueDeliveries(request) {
        requests.push(request);
        return [];
      },
    },
    ...{ slots: createSlots(CONCURRENCY, () => {}), limits, start: () => {}, ...clocks },
    ...{
      leaseMs: 1_000,
      maxAttempts: 4,
      notifier: { error: (_, error) => new WebhookError('storage_unavailable', String(error)) },
    },
  });
  for (const limit of claims) await claim(limit);
  return requests.map(({ suspectSlots }) => suspectSlots);
}

test('one free slot is for suspects and for the others by turns', async () => {
  expect(await suspectSlotsOf(1, 1, 1, 1)).toEqual([1, 0, 1, 0]);
});

test('suspects get half of what is free, and the odd slot by turns', async () => {
  expect(await suspectSlotsOf(4, 5, 5)).toEqual([2, 2, 3]);
});
