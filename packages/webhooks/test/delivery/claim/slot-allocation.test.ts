import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allocateSlots,
  hasNothingInFlight,
  isSaturated,
  type SlotLimits,
  withClaimed,
} from '../../../src/delivery/claim/slot-allocation.ts';

const WEBHOOKS = 8;
const webhookId = fc.integer({ min: 1, max: WEBHOOKS });
const counts = fc.array(fc.tuple(webhookId, fc.integer({ min: 0, max: 5 }))).map((pairs) => new Map(pairs));

const limits: fc.Arbitrary<SlotLimits> = fc.record({
  maxPerWebhook: fc.integer({ min: 0, max: 4 }),
  webhookLimits: counts,
  inFlight: counts,
  suspects: fc.uniqueArray(webhookId).map((ids) => new Set(ids)),
  suspectSlots: fc.integer({ min: 0, max: 6 }),
});
const waitings = fc.uniqueArray(webhookId).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(Number.POSITIVE_INFINITY)).map((due) => ({
        webhookId: id,
        due,
      })),
    ),
  ),
);
const free = fc.integer({ min: 0, max: 30 });

const listOf = (slots: ReadonlyMap<number, number>) =>
  [...slots].flatMap(([id, count]) => Array.from({ length: count }, () => id));
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

describe('allocateSlots', () => {
  it('gives no webhook more than is due and its limit allows, and suspects no more than their slots', () => {
    fc.assert(
      fc.property(waitings, free, limits, (waiting, count, request) => {
        const slots = allocateSlots(waiting, count, request);
        expect(sum(slots.values())).toBeLessThanOrEqual(count);
        for (const [id, given] of slots) {
          const limit = request.webhookLimits?.get(id) ?? request.maxPerWebhook;
          expect(given).toBeGreaterThan(0);
          expect(given + (request.inFlight.get(id) ?? 0)).toBeLessThanOrEqual(limit);
          expect(given).toBeLessThanOrEqual(waiting.find((one) => one.webhookId === id)?.due ?? 0);
        }
        const ofSuspects = listOf(slots).filter((id) => request.suspects?.has(id));
        expect(ofSuspects.length).toBeLessThanOrEqual(request.suspectSlots ?? 0);
      }),
    );
  });

  it('leaves no slot free while a webhook that is not saturated has more due', () => {
    fc.assert(
      fc.property(waitings, free, limits, (waiting, count, request) => {
        const slots = allocateSlots(waiting, count, request);
        if (sum(slots.values()) === count) return;
        const after = withClaimed(request, listOf(slots));
        const more = waiting.filter((one) => one.due > (slots.get(one.webhookId) ?? 0));
        expect(more.filter((one) => !isSaturated(one.webhookId, after))).toEqual([]);
      }),
    );
  });

  it('serves every idle webhook once before it serves any webhook again', () => {
    fc.assert(
      fc.property(waitings, free, limits, (waiting, count, request) => {
        const withoutSuspects = { ...request, suspects: new Set<number>() };
        const slots = allocateSlots(waiting, count, withoutSuspects);
        const isServedAgain = [...slots].some(([id, given]) => given + (request.inFlight.get(id) ?? 0) > 1);
        if (!isServedAgain) return;
        const unserved = waiting.filter(
          (one) =>
            hasNothingInFlight(one.webhookId, request) &&
            !isSaturated(one.webhookId, withoutSuspects) &&
            !slots.has(one.webhookId),
        );
        expect(unserved).toEqual([]);
      }),
    );
  });

  it('serves idle webhooks in the order of the scan, and no webhook twice more than another that has more due', () => {
    const waiting = [7, 3, 5, 1].map((id) => ({ webhookId: id, due: Number.POSITIVE_INFINITY }));
    const request = { maxPerWebhook: 4, inFlight: new Map([[3, 1]]) };
    expect([...allocateSlots(waiting, 2, request).keys()]).toEqual([7, 5]);
    expect(new Map(allocateSlots(waiting, 9, request))).toEqual(
      new Map([
        [7, 3],
        [5, 2],
        [1, 2],
        [3, 2],
      ]),
    );
  });

  it('serves suspects first, in their order, as far as their slots go', () => {
    const request = { maxPerWebhook: 2, inFlight: new Map(), suspects: new Set([3, 1, 2]), suspectSlots: 2 };
    const waiting = [1, 2, 3, 4].map((id) => ({ webhookId: id, due: 3 }));
    expect([...allocateSlots(waiting, 10, request)]).toEqual([
      [3, 1],
      [1, 1],
      [4, 2],
    ]);
  });
});
