import assert from 'node:assert/strict';
import type { ClaimedDelivery, ClaimRequest } from '../../../storage/delivery-requests.ts';
import type { HarnessCase } from '../contract-harness.ts';

const MINUTE_MS = 60_000;

/** How much each webhook gets of a claim, and in which order. */
export const webhookLimitCases: readonly HarnessCase[] = [
  {
    name: 'counts what a runner has in flight towards the limits of its webhooks',
    async run(harness) {
      const ids: number[] = [];
      for (let i = 0; i < 4; i++) ids.push((await harness.createWebhook()).id);
      const [none, one, full, over] = ids.map((id) => ({ id }));
      assert.ok(none && one && full && over);
      for (let i = 0; i < 5; i++) await harness.dispatch();
      const inFlight = new Map([
        [one.id, 1],
        [full.id, 3],
        [over.id, 7],
        ...Array.from({ length: 990 }, (_, i): [number, number] => [over.id + 1 + i, 3]),
      ]);
      const claims = await harness.claim({ maxPerWebhook: 3, inFlight });
      assert.deepEqual(ids.map(claimsOf(claims)), [3, 2, 0, 0]);
      // A runner's limits do not count what another has in flight.
      assert.deepEqual(ids.map(claimsOf(await harness.claim({ maxPerWebhook: 3 }))), [2, 3, 3, 3]);
    },
  },
  {
    name: 'gives single webhooks the limits that are named for them',
    async run(harness) {
      const ids: number[] = [];
      for (let i = 0; i < 4; i++) ids.push((await harness.createWebhook()).id);
      const [few = 0, many = 0, none = 0] = ids;
      for (let i = 0; i < 5; i++) await harness.dispatch();
      const limits = new Map([
        [few, 1],
        [many, 4],
        [none, 0],
      ]);
      const inFlight = new Map([[many, 1]]);
      const claims = await harness.claim({ maxPerWebhook: 2, webhookLimits: limits, inFlight });
      assert.deepEqual(ids.map(claimsOf(claims)), [1, 3, 0, 2]);
    },
  },
  {
    name: 'serves webhooks in turn where not everything that is due fits, those with nothing in flight first',
    async run(harness) {
      const busy = await harness.createWebhook({ events: ['busy.*'] });
      const older = { createdAt: harness.at(-MINUTE_MS), target: { patterns: ['busy.*'] } };
      await harness.storage.recordDispatches(Array.from({ length: 40 }, () => harness.dispatchRecord(older)));
      const others: number[] = [];
      for (let i = 0; i < 6; i++) others.push((await harness.createWebhook()).id);
      for (let i = 0; i < 3; i++) await harness.dispatch();
      const ids = [busy.id, ...others];
      const inFlight = new Map([[busy.id, 1]]);
      const served = [
        ...(await harness.claim({ limit: 4, inFlight })),
        ...(await harness.claim({ limit: 2, inFlight })),
      ];
      assert.deepEqual(ids.map(claimsOf(served)), [0, 1, 1, 1, 1, 1, 1]);
      // All of them have nothing in flight again.
      const more = [...(await harness.claim({ limit: 4 })), ...(await harness.claim({ limit: 3 }))];
      assert.deepEqual(ids.map(claimsOf(more)), [1, 1, 1, 1, 1, 1, 1]);
    },
  },
  {
    name: 'hands out of suspects together no more than their slots, to the first of them first',
    async run(harness) {
      const ids: number[] = [];
      for (let i = 0; i < 5; i++) ids.push((await harness.createWebhook()).id);
      const [a = 0, b = 0, c = 0, d = 0] = ids;
      for (let i = 0; i < 8; i++) await harness.dispatch();
      const suspects = { suspects: new Set([d, c, b, a]), maxPerWebhook: 1 };
      const claim = async (fields: Partial<ClaimRequest>) =>
        ids.map(claimsOf(await harness.claim({ ...suspects, ...fields })));
      assert.deepEqual(await claim({ suspectSlots: 2 }), [0, 0, 1, 1, 1]);
      assert.deepEqual(await claim({ suspectSlots: 0 }), [0, 0, 0, 0, 1]);
      assert.deepEqual(await claim({ suspectSlots: 3, inFlight: new Map([[c, 1]]) }), [1, 1, 0, 1, 1]);
      assert.deepEqual(await claim({ suspectSlots: 9, limit: 4 }), [1, 1, 1, 1, 0]);
      // The same where everything that is due fits.
      assert.deepEqual(await claim({ suspectSlots: 2, limit: 100 }), [0, 0, 1, 1, 1]);
    },
  },
  {
    name: 'hands out others past thousands of older rows of a saturated webhook',
    async run(harness) {
      const slow = await harness.createWebhook({ events: ['slow.*'] });
      const group = Array.from({ length: 500 }, () =>
        harness.dispatchRecord({ createdAt: harness.at(-MINUTE_MS), target: { patterns: ['slow.*'] } }),
      );
      for (let i = 0; i < 6; i++) await harness.storage.recordDispatches(group);
      const many = await harness.createWebhook();
      const few = await harness.createWebhook({ events: ['*', 'few.*'] });
      for (let i = 0; i < 5; i++) await harness.dispatch({ target: { webhookId: many.id } });
      await harness.dispatch({ target: { patterns: ['few.*'] } });
      const ids = [slow.id, many.id, few.id];
      const claims = await harness.claim({ limit: 10, maxPerWebhook: 3 });
      assert.deepEqual(ids.map(claimsOf(claims)), [3, 3, 1]);
      const inFlight = new Map([[slow.id, 3]]);
      const next = await harness.claim({ limit: 10, maxPerWebhook: 3, inFlight });
      assert.deepEqual(ids.map(claimsOf(next)), [0, 2, 0]);
      const { due } = await harness.storage.dueSummary({ now: harness.now, limit: 100_000 });
      assert.equal(due, 3_000 - 3);
    },
  },
  {
    name: 'hands out no delivery twice in one claim past a saturated webhook, and counts each once',
    async run(harness) {
      const slow = await harness.createWebhook({ events: ['slow.*'] });
      const slowDispatch = harness.dispatchRecord({
        createdAt: harness.at(-MINUTE_MS),
        target: { patterns: ['slow.*'] },
      });
      await harness.storage.recordDispatches(Array.from({ length: 190 }, () => slowDispatch));
      const others: number[] = [];
      for (let i = 0; i < 3; i++) others.push((await harness.createWebhook({ events: ['due.*'] })).id);
      // One by one: a storage may leave it to the claim to count these.
      for (let i = 0; i < 12; i++) await harness.dispatch({ target: { patterns: ['due.*'] } });
      const limits = { limit: 50, maxPerWebhook: 10, inFlight: new Map([[slow.id, 10]]) };
      const claimed = [...(await harness.claim(limits)), ...(await harness.claim(limits))];
      assert.equal(new Set(claimed.map(({ id }) => id)).size, claimed.length);
      for (const id of others) {
        const { total, pending } = await harness.counts(id);
        assert.deepEqual([total, pending], [12, 12]);
      }
    },
  },
  {
    name: 'goes past hundreds of webhooks that wait for a retry',
    async run(harness) {
      const limit = 10;
      const slow = await harness.createWebhook({ events: ['slow.*'] });
      for (let i = 0; i < 700; i++) await harness.createWebhook({ events: ['waiting.*'] });
      for (let i = 0; i < 15; i++) await harness.createWebhook({ events: ['due.*'] });
      await harness.dispatch({ target: { patterns: ['waiting.*'] } });
      const retryLater = { status: 'pending', error: 'http_503', retryInMs: 3_600_000 } as const;
      const waiting = await harness.claim({ limit: 1_000 });
      await harness.storage.recordAttempts(waiting.map((claim) => harness.result(claim, retryLater)));
      const createdAt = harness.at(-MINUTE_MS);
      const slowDispatch = harness.dispatchRecord({ createdAt, target: { patterns: ['slow.*'] } });
      await harness.storage.recordDispatches(Array.from({ length: 100 }, () => slowDispatch));
      await harness.dispatch({ target: { patterns: ['due.*'] } });
      const claimed: number[] = [];
      for (let claims = 0; claims < 50; claims++) {
        const limits = { maxPerWebhook: 3, inFlight: new Map([[slow.id, 3]]) };
        const some = await harness.claim({ limit, ...limits });
        for (const { webhook } of some) claimed.push(webhook.id);
        if (some.length < limit) break;
      }
      assert.equal(new Set(claimed).size, 15);
      assert.equal(claimed.length, 15);
    },
  },
];

function claimsOf(claims: readonly ClaimedDelivery[]): (webhookId: number) => number {
  return (webhookId) => claims.filter(({ webhook }) => webhook.id === webhookId).length;
}
