import fc from 'fast-check';
import { expect, test } from 'vitest';
import { waitingIn } from '../../../src/kysely/claim/read-waiting.ts';

/** A ready queue by its webhooks' ids, in the order of priority. */
const queues = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 40 });

test('a webhook is counted exactly or not at all, and those that have waited longest come first', () => {
  fc.assert(
    fc.property(
      queues,
      fc.nat(40),
      fc.nat(40),
      fc.subarray([1, 2, 3, 4, 5, 6]),
      (ids, first, last, scanned) => {
        const queue = ids.map((webhookId, n) => ({
          id: n + 1,
          webhookId,
          priorityAt: String(n).padStart(2, '0'),
        }));
        const oldest = queue.slice(0, first);
        const newest = queue.toReversed().slice(0, last);
        const firsts = scanned.flatMap((webhookId) => queue.find((one) => one.webhookId === webhookId) ?? []);
        const waiting = waitingIn({ oldest, newest, firsts });
        const read = [...oldest, ...newest, ...firsts].sort((a, b) => a.id - b.id);
        expect(waiting.map(({ webhookId }) => webhookId)).toEqual([
          ...new Set(read.map((one) => one.webhookId)),
        ]);
        for (const { webhookId, due } of waiting) {
          const all = queue.filter((one) => one.webhookId === webhookId);
          const isSeen = scanned.includes(webhookId) && newest.some(({ id }) => id === all[0]?.id);
          expect(due).toBe(isSeen ? all.length : Number.POSITIVE_INFINITY);
        }
      },
    ),
  );
});
