import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairShare, inTurn, type ShareRequest, takeWithRoom } from '../../src/storage/fair-share.ts';

const WEBHOOKS = 8;
const webhookId = fc.integer({ min: 1, max: WEBHOOKS });
const counts = fc.array(fc.tuple(webhookId, fc.integer({ min: 0, max: 5 }))).map((pairs) => new Map(pairs));

const requests: fc.Arbitrary<ShareRequest> = fc.record({
  maxPerWebhook: fc.integer({ min: 0, max: 4 }),
  limits: counts,
  inFlight: counts,
  suspects: fc.uniqueArray(webhookId).map((ids) => new Set(ids)),
  suspectSlots: fc.integer({ min: 0, max: 6 }),
});
/** Due deliveries, in any order. */
const queues = fc.array(
  webhookId.map((id) => ({ webhookId: id })),
  { maxLength: 40 },
);
const limits = fc.integer({ min: 1, max: 30 });

function choose(request: ShareRequest, due: readonly { webhookId: number }[], limit: number) {
  const share = createFairShare(request);
  return takeWithRoom(inTurn(due, share), limit, share);
}

function countOf(deliveries: readonly { webhookId: number }[], id: number): number {
  return deliveries.filter((delivery) => delivery.webhookId === id).length;
}

const all = Array.from({ length: WEBHOOKS }, (_, index) => index + 1);

describe('the choice of a claim', () => {
  it('gives no webhook more than its limit, and the suspects together no more than their slots', () => {
    fc.assert(
      fc.property(requests, queues, limits, (request, due, limit) => {
        const taken = choose(request, due, limit);
        expect(taken.length).toBeLessThanOrEqual(limit);
        for (const id of all) {
          const room = (request.limits?.get(id) ?? request.maxPerWebhook) - (request.inFlight.get(id) ?? 0);
          expect(countOf(taken, id)).toBeLessThanOrEqual(Math.max(room, 0));
        }
        const ofSuspects = taken.filter((delivery) => request.suspects?.has(delivery.webhookId));
        expect(ofSuspects.length).toBeLessThanOrEqual(request.suspectSlots ?? 0);
      }),
    );
  });

  it('leaves nothing that has room while a slot is free', () => {
    fc.assert(
      fc.property(requests, queues, limits, (request, due, limit) => {
        const taken = choose(request, due, limit);
        const share = createFairShare(request);
        for (const delivery of taken) share.add(delivery.webhookId);
        const left = due.filter((delivery) => !taken.includes(delivery));
        if (taken.length < limit) expect(left.filter((one) => share.roomOf(one.webhookId) > 0)).toEqual([]);
      }),
    );
  });

  it('gives nobody a second delivery before everybody with nothing in flight has a first', () => {
    fc.assert(
      fc.property(requests, queues, limits, (request, due, limit) => {
        const taken = choose({ ...request, suspects: new Set() }, due, limit);
        const hasSecond = all.some((id) => countOf(taken, id) + (request.inFlight.get(id) ?? 0) > 1);
        if (!hasSecond || taken.length === 0) return;
        const waiting = all.filter((id) => {
          const share = createFairShare({ ...request, suspects: new Set() });
          return share.isIdle(id) && share.roomOf(id) > 0 && countOf(due, id) > 0 && countOf(taken, id) === 0;
        });
        const tookSecond = taken.some(
          ({ webhookId: id }, index) =>
            (request.inFlight.get(id) ?? 0) > 0 || countOf(taken.slice(0, index), id) > 0,
        );
        if (tookSecond) expect(waiting).toEqual([]);
      }),
    );
  });

  it('keeps the order of what is due within a webhook', () => {
    fc.assert(
      fc.property(requests, queues, limits, (request, due, limit) => {
        const taken = choose(request, due, limit);
        for (const id of all) {
          const ofWebhook = (delivery: { webhookId: number }) => delivery.webhookId === id;
          expect(taken.filter(ofWebhook)).toEqual(due.filter(ofWebhook).slice(0, countOf(taken, id)));
        }
      }),
    );
  });

  it('gives the slots of the suspects to those that come first among them', () => {
    const request = { maxPerWebhook: 2, inFlight: new Map(), suspects: new Set([3, 1, 2]), suspectSlots: 2 };
    const due = [1, 2, 3, 4, 4, 4].map((id) => ({ webhookId: id }));
    expect(choose(request, due, 10).map((delivery) => delivery.webhookId)).toEqual([3, 1, 4, 4]);
  });

  it('counts in a copy without counting in the original', () => {
    const share = createFairShare({
      ...{ maxPerWebhook: 2, inFlight: new Map([[1, 1]]), suspects: new Set([1]), suspectSlots: 1 },
    });
    share.copy().add(1);
    expect(share.roomOf(1)).toBe(1);
    share.add(1);
    expect([share.roomOf(1), share.copy().roomOf(1), share.isIdle(1), share.isIdle(2)]).toEqual([
      ...[0, 0, false, true],
    ]);
  });
});
