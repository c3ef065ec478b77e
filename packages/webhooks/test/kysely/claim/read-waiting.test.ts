import fc from 'fast-check';
import { expect, test } from 'vitest';
import { waitingIn } from '../../../src/kysely/claim/read-waiting.ts';

/** Enough for a ready queue that is longer than what a claim reads of it. */
const queues = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 700, size: 'max' });

test('a webhook is counted exactly, or not at all where a claim has not read all of it', () => {
  fc.assert(
    fc.property(
      queues,
      fc.nat(60),
      fc.nat(700),
      fc.subarray([1, 2, 3, 4, 5, 6]),
      (ids, limit, firstRetry, looked) => {
        const queue = ids.map((webhookId, n) => ({ id: n + 1, webhookId, tenant: '' }));
        const oldest = queue.slice(0, limit + 1);
        const newest = queue.slice(0, firstRetry).reverse().slice(0, 300);
        const retried = queue.slice(firstRetry).reverse().slice(0, 300);
        const firstOf = (webhookId: number) => queue.find((one) => one.webhookId === webhookId);
        const firsts = looked.flatMap((webhookId) => firstOf(webhookId) ?? []);
        const waiting = waitingIn({ oldest, newest, retried, firsts }, limit);
        const isAllRead = queue.length <= limit || (newest.length < 300 && retried.length < 300);
        const read = isAllRead ? queue : [...oldest, ...newest, ...retried, ...firsts];
        const given = new Set(waiting.map(({ webhookId }) => webhookId));
        expect(given).toEqual(new Set(read.map(({ webhookId }) => webhookId)));
        for (const { webhookId, due } of waiting) {
          const first = firstOf(webhookId);
          const areAllBehindRead =
            retried.some((one) => one === first) ||
            (retried.length < 300 && newest.some((one) => one === first));
          const isKnown = isAllRead || (looked.includes(webhookId) && areAllBehindRead);
          const all = queue.filter((one) => one.webhookId === webhookId).length;
          expect(due).toBe(isKnown ? all : Number.POSITIVE_INFINITY);
        }
      },
    ),
    { numRuns: 300 },
  );
});
