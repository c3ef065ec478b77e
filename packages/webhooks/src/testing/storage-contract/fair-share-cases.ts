import assert from 'node:assert/strict';
import type { ClaimedDelivery, ClaimRequest } from '../../storage/delivery-requests.ts';
import type { StageCase } from './contract-stage.ts';

const MINUTE_MS = 60_000;

/** How much each webhook may have, and whose turn it is. */
export const fairShareCases: readonly StageCase[] = [
  {
    name: 'counts what a runner holds already towards what it may have of a webhook',
    async run(stage) {
      const ids: number[] = [];
      for (let i = 0; i < 4; i++) ids.push((await stage.createWebhook()).id);
      const [none, one, full, over] = ids.map((id) => ({ id }));
      assert.ok(none && one && full && over);
      for (let i = 0; i < 5; i++) await stage.dispatch();
      const inFlight = new Map([
        [one.id, 1],
        [full.id, 3],
        [over.id, 7],
        ...Array.from({ length: 990 }, (_, i): [number, number] => [over.id + 1 + i, 3]),
      ]);
      const claims = await stage.claim({ maxPerWebhook: 3, inFlight });
      assert.deepEqual(ids.map(claimsOf(claims)), [3, 2, 0, 0]);
      // What one runner holds is nothing to another.
      assert.deepEqual(ids.map(claimsOf(await stage.claim({ maxPerWebhook: 3 }))), [2, 3, 3, 3]);
    },
  },
  {
    name: 'gives single webhooks the limits that are named for them',
    async run(stage) {
      const ids: number[] = [];
      for (let i = 0; i < 4; i++) ids.push((await stage.createWebhook()).id);
      const [few = 0, many = 0, none = 0] = ids;
      for (let i = 0; i < 5; i++) await stage.dispatch();
      const limits = new Map([
        [few, 1],
        [many, 4],
        [none, 0],
      ]);
      const inFlight = new Map([[many, 1]]);
      const claims = await stage.claim({ maxPerWebhook: 2, limits, inFlight });
      assert.deepEqual(ids.map(claimsOf(claims)), [1, 3, 0, 2]);
    },
  },
  {
    name: 'serves webhooks in turn where not everything that is due fits, those with nothing in flight first',
    async run(stage) {
      const busy = await stage.createWebhook({ events: ['busy.*'] });
      const older = { createdAt: stage.at(-MINUTE_MS), target: { patterns: ['busy.*'] } };
      await stage.storage.recordDispatches(Array.from({ length: 40 }, () => stage.dispatchRecord(older)));
      const others: number[] = [];
      for (let i = 0; i < 6; i++) others.push((await stage.createWebhook()).id);
      for (let i = 0; i < 3; i++) await stage.dispatch();
      const ids = [busy.id, ...others];
      const inFlight = new Map([[busy.id, 1]]);
      const served = [
        ...(await stage.claim({ limit: 4, inFlight })),
        ...(await stage.claim({ limit: 2, inFlight })),
      ];
      assert.deepEqual(ids.map(claimsOf(served)), [0, 1, 1, 1, 1, 1, 1]);
      // All of them have nothing in flight again.
      const more = [...(await stage.claim({ limit: 4 })), ...(await stage.claim({ limit: 3 }))];
      assert.deepEqual(ids.map(claimsOf(more)), [1, 1, 1, 1, 1, 1, 1]);
    },
  },
  {
    name: 'hands out of suspects together no more than their slots, to the first of them first',
    async run(stage) {
      const ids: number[] = [];
      for (let i = 0; i < 5; i++) ids.push((await stage.createWebhook()).id);
      const [a = 0, b = 0, c = 0, d = 0] = ids;
      for (let i = 0; i < 8; i++) await stage.dispatch();
      const suspects = { suspects: new Set([d, c, b, a]), maxPerWebhook: 1 };
      const claim = async (fields: Partial<ClaimRequest>) =>
        ids.map(claimsOf(await stage.claim({ ...suspects, ...fields })));
      assert.deepEqual(await claim({ suspectSlots: 2 }), [0, 0, 1, 1, 1]);
      assert.deepEqual(await claim({ suspectSlots: 0 }), [0, 0, 0, 0, 1]);
      assert.deepEqual(await claim({ suspectSlots: 3, inFlight: new Map([[c, 1]]) }), [1, 1, 0, 1, 1]);
      assert.deepEqual(await claim({ suspectSlots: 9, limit: 4 }), [1, 1, 1, 1, 0]);
      // So it is where everything that is due fits.
      assert.deepEqual(await claim({ suspectSlots: 2, limit: 100 }), [0, 0, 1, 1, 1]);
    },
  },
  {
    name: 'hands out others past thousands of older rows of a webhook that has all it may have',
    async run(stage) {
      const slow = await stage.createWebhook({ events: ['slow.*'] });
      const group = Array.from({ length: 500 }, () =>
        stage.dispatchRecord({ createdAt: stage.at(-MINUTE_MS), target: { patterns: ['slow.*'] } }),
      );
      for (let i = 0; i < 6; i++) await stage.storage.recordDispatches(group);
      const many = await stage.createWebhook();
      const few = await stage.createWebhook({ events: ['*', 'few.*'] });
      for (let i = 0; i < 5; i++) await stage.dispatch({ target: { webhookId: many.id } });
      await stage.dispatch({ target: { patterns: ['few.*'] } });
      const ids = [slow.id, many.id, few.id];
      const claims = await stage.claim({ limit: 10, maxPerWebhook: 3 });
      assert.deepEqual(ids.map(claimsOf(claims)), [3, 3, 1]);
      const inFlight = new Map([[slow.id, 3]]);
      const next = await stage.claim({ limit: 10, maxPerWebhook: 3, inFlight });
      assert.deepEqual(ids.map(claimsOf(next)), [0, 2, 0]);
      const { due } = await stage.storage.dueSummary({ now: stage.now, limit: 100_000 });
      assert.equal(due, 3_000 - 3);
    },
  },
  {
    name: 'hands out no delivery twice in one claim past a saturated webhook, and counts each once',
    async run(stage) {
      const slow = await stage.createWebhook({ events: ['slow.*'] });
      const slowDispatch = stage.dispatchRecord({
        ...{ createdAt: stage.at(-MINUTE_MS), target: { patterns: ['slow.*'] } },
      });
      await stage.storage.recordDispatches(Array.from({ length: 190 }, () => slowDispatch));
      const others: number[] = [];
      for (let i = 0; i < 3; i++) others.push((await stage.createWebhook({ events: ['due.*'] })).id);
      // One by one: a storage may leave it to the claim to count these.
      for (let i = 0; i < 12; i++) await stage.dispatch({ target: { patterns: ['due.*'] } });
      const share = { limit: 50, maxPerWebhook: 10, inFlight: new Map([[slow.id, 10]]) };
      const claimed = [...(await stage.claim(share)), ...(await stage.claim(share))];
      assert.equal(new Set(claimed.map(({ id }) => id)).size, claimed.length);
      for (const id of others) {
        const { total, pending } = await stage.storage.countDeliveries(id);
        assert.deepEqual([total, pending], [12, 12]);
      }
    },
  },
  {
    name: 'goes past hundreds of webhooks that wait for a retry',
    async run(stage) {
      const limit = 10;
      const slow = await stage.createWebhook({ events: ['slow.*'] });
      for (let i = 0; i < 700; i++) await stage.createWebhook({ events: ['waiting.*'] });
      for (let i = 0; i < 15; i++) await stage.createWebhook({ events: ['due.*'] });
      await stage.dispatch({ target: { patterns: ['waiting.*'] } });
      const retryLater = { status: 'pending', error: 'http_503', retryInMs: 3_600_000 } as const;
      const waiting = await stage.claim({ limit: 1_000 });
      await stage.storage.recordAttempts(waiting.map((claim) => stage.result(claim, retryLater)));
      const createdAt = stage.at(-MINUTE_MS);
      const slowDispatch = stage.dispatchRecord({ createdAt, target: { patterns: ['slow.*'] } });
      await stage.storage.recordDispatches(Array.from({ length: 100 }, () => slowDispatch));
      await stage.dispatch({ target: { patterns: ['due.*'] } });
      const claimed: number[] = [];
      for (let claims = 0; claims < 50; claims++) {
        const share = { maxPerWebhook: 3, inFlight: new Map([[slow.id, 3]]) };
        const some = await stage.claim({ limit, ...share });
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
