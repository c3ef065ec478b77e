import assert from 'node:assert/strict';
import type { ClaimedDelivery, ClaimRequest } from '../../storage/delivery-requests.ts';
import { LEASE_MS, only, present, type StageCase } from './contract-stage.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Who comes first, and how much each webhook may have. */
export const lineCases: readonly StageCase[] = [
  {
    name: 'hands out a first attempt before a retry that became due up to a minute earlier',
    async run(stage) {
      await stage.createWebhook();
      await stage.dispatch();
      const retried = await stage.claimOnly();
      await stage.record(retried, { status: 'pending', retryInMs: 0 });
      await stage.pass(20);
      await stage.dispatch();
      const first = await stage.claimOnly({ limit: 1 });
      assert.deepEqual([first.attempt, first.id > retried.id], [1, true]);
      assert.equal((await stage.claimOnly({ limit: 1 })).id, retried.id);
    },
  },
  {
    name: 'hands out a retry before a first attempt that became due more than a minute later',
    needs: 'callerClock',
    async run(stage) {
      await stage.createWebhook();
      await stage.dispatch();
      const retried = await stage.claimOnly();
      await stage.record(retried, { status: 'pending', retryInMs: 0 });
      await stage.pass(MINUTE_MS - 1);
      await stage.dispatch();
      await stage.pass(2);
      await stage.dispatch();
      const [before, retry, behind] = await stage.claim();
      assert.deepEqual([before?.attempt, retry?.id, behind?.attempt], [1, retried.id, 1]);
    },
  },
  {
    name: 'lets the first attempt of a reopened delivery go before a retry that is due as long',
    async run(stage) {
      const { id: webhookId } = await stage.createWebhook();
      for (let i = 0; i < 2; i++) await stage.dispatch();
      const [retried, ended] = await stage.claim();
      assert.ok(retried && ended);
      const results = [
        stage.result(retried, { status: 'pending', retryInMs: 0 }),
        stage.result(ended, { status: 'failed' }),
      ];
      await stage.storage.recordAttempts(results);
      const { deliveryId } = ended;
      await stage.storage.reopenDelivery({ webhookId, deliveryId, now: stage.now });
      assert.equal((await stage.claimOnly({ limit: 1 })).id, ended.id);
      assert.equal((await stage.claimOnly({ limit: 1 })).id, retried.id);
    },
  },
  {
    name: 'hands out a first attempt before what was recovered up to a minute earlier',
    async run(stage) {
      await stage.createWebhook();
      for (let i = 0; i < 2; i++) await stage.dispatch();
      const old = await stage.end('failed');
      await stage.storage.reopenFailed({ createdSince: stage.at(-DAY_MS), now: stage.now, limit: 10 });
      await stage.pass(20);
      const { deliveryIds } = await stage.dispatch();
      assert.equal((await stage.claimOnly({ limit: 1 })).deliveryId, deliveryIds[0]);
      const recovered = await stage.claim();
      assert.deepEqual(
        recovered.map(({ deliveryId, seriesAttempt }) => [deliveryId, seriesAttempt]),
        old.map((deliveryId) => [deliveryId, 1]),
      );
    },
  },
  {
    name: 'hands out what was recovered before a first attempt that became due more than a minute later',
    needs: 'callerClock',
    async run(stage) {
      await stage.createWebhook();
      await stage.dispatch();
      const old = await stage.end('failed');
      await stage.storage.reopenFailed({ createdSince: stage.at(-DAY_MS), now: stage.now, limit: 10 });
      await stage.pass(MINUTE_MS - 1);
      const before = await stage.dispatch();
      await stage.pass(2);
      const behind = await stage.dispatch();
      assert.deepEqual(
        (await stage.claim()).map(({ deliveryId }) => deliveryId),
        [...before.deliveryIds, ...old, ...behind.deliveryIds],
      );
    },
  },
  {
    name: 'hands out of one webhook no more than asked for, first attempts and retries together, and the oldest',
    async run(stage) {
      const { id } = await stage.createWebhook();
      for (let i = 0; i < 8; i++) await stage.dispatch();
      const claims = await stage.claim({ limit: 4, maxPerWebhook: 4 });
      await stage.storage.recordAttempts(
        claims.map((claim) => stage.result(claim, { status: 'pending', retryInMs: 0 })),
      );
      const inOrder = (await stage.history(id)).map((delivery) => delivery.id).reverse();
      const take = async () => (await stage.claim({ maxPerWebhook: 3 })).map((claim) => claim.id);
      assert.deepEqual(
        [await take(), await take()],
        [inOrder.slice(4, 7), [inOrder[7], ...inOrder.slice(0, 2)]],
      );
      assert.deepEqual([await take(), await take()], [inOrder.slice(2, 4), []]);
    },
  },
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
    name: 'goes past hundreds of webhooks that wait for a retry, or says that it has not looked at all of them',
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
        let isComplete = true;
        const onIncomplete = () => {
          isComplete = false;
        };
        const share = { maxPerWebhook: 3, inFlight: new Map([[slow.id, 3]]) };
        const some = await stage.claim({ limit, ...share, onIncomplete });
        for (const { webhook } of some) claimed.push(webhook.id);
        if (some.length < limit && isComplete) break;
      }
      assert.equal(new Set(claimed).size, 15);
      assert.equal(claimed.length, 15);
    },
  },
  {
    name: 'says since when the longest waiting has been due, and how many are, up to the limit',
    async run(stage) {
      const summary = (limit = 100) => stage.storage.dueSummary({ now: stage.now, limit });
      assert.deepEqual(await summary(), NOTHING_DUE);
      const { id } = await stage.createWebhook();
      for (const ago of [1_000, 3_000, 2_000]) await stage.dispatch({ createdAt: stage.at(-ago) });
      const rows = await stage.history(id);
      const dueTimes = rows.map(({ nextAttemptAt }) => present(nextAttemptAt ?? undefined)).sort();
      assert.deepEqual(await summary(), dueSince(dueTimes[0], 3));
      assert.deepEqual(await summary(3), dueSince(dueTimes[0], 3));
      assert.deepEqual(await summary(2), dueSince(dueTimes[0], 2));
      const oldest = await stage.claimOnly({ limit: 1 });
      assert.deepEqual(await summary(), dueSince(dueTimes[1], 2));
      await stage.record(oldest, { status: 'pending', retryInMs: 3_600_000 });
      assert.deepEqual(await summary(), dueSince(dueTimes[1], 2));
      await stage.end('success');
      assert.deepEqual(await summary(), NOTHING_DUE);
    },
  },
  {
    name: 'says since when the longest waiting outside of the limited webhooks has been due, past all rows of theirs',
    async run(stage) {
      const slow = await stage.createWebhook({ events: ['slow.*'] });
      const other = await stage.createWebhook();
      const ofSlow = { createdAt: stage.at(-MINUTE_MS), target: { patterns: ['slow.*'] } };
      for (let i = 0; i < 3; i++) {
        await stage.storage.recordDispatches(Array.from({ length: 500 }, () => stage.dispatchRecord(ofSlow)));
      }
      const limited = new Set([slow.id]);
      const summary = (limit: number) => stage.storage.dueSummary({ now: stage.now, limit, limited });
      assert.deepEqual([(await summary(5_000)).oldestOtherDueAt, (await summary(10)).due], [null, 10]);
      for (const ago of [1_000, 2_000]) await stage.dispatch({ createdAt: stage.at(-ago) });
      const rows = await stage.history(other.id);
      const [oldest] = rows.map(({ nextAttemptAt }) => present(nextAttemptAt ?? undefined)).sort();
      assert.equal((await summary(5_000)).oldestOtherDueAt, oldest);
      // Of each webhook it may be the first of the ready queue, which here is the oldest.
      await stage.end('success', { limits: new Map([[slow.id, 0]]) });
      await stage.dispatch({ createdAt: stage.at(-3_000) });
      const [last] = await stage.history(other.id);
      assert.equal((await summary(1_200)).oldestOtherDueAt, last?.nextAttemptAt);
      assert.equal((await summary(1_200)).due, 1_200);
    },
  },
  {
    name: "believes its database's clock, not its caller's",
    needs: 'databaseClock',
    async run(stage) {
      await stage.createWebhook();
      await stage.dispatch();
      const slow = { now: stage.now - DAY_MS };
      const fast = { now: stage.now + DAY_MS };
      assert.equal((await stage.storage.dueSummary({ ...slow, limit: 10 })).due, 1);
      const claim = await stage.claimOnly(slow);
      // Held for an hour, then due in one: a day later neither would keep it back.
      assert.deepEqual(await stage.claim(fast), []);
      await stage.record(claim, { status: 'pending', retryInMs: 3_600_000 });
      assert.deepEqual(await stage.claim(fast), []);
      assert.deepEqual(await stage.storage.dueSummary({ ...fast, limit: 10 }), NOTHING_DUE);
    },
  },
  {
    name: 'counts among what is due a retry, and what a lost worker held',
    async run(stage) {
      const { id } = await stage.createWebhook();
      await stage.dispatch();
      const claim = await stage.claimOnly();
      await stage.record(claim, { status: 'pending', retryInMs: 0 });
      const { nextAttemptAt } = only(await stage.history(id));
      const expected = dueSince(nextAttemptAt, 1);
      assert.deepEqual(await stage.storage.dueSummary({ now: stage.now, limit: 10 }), expected);
      await stage.claimOnly({ leaseMs: LEASE_MS });
      await stage.pass(LEASE_MS + 100);
      assert.deepEqual(await stage.storage.dueSummary({ now: stage.now, limit: 10 }), expected);
    },
  },
];

const NOTHING_DUE = dueSince(null, 0);

function dueSince(oldestDueAt: string | null | undefined, due: number) {
  return { oldestDueAt, oldestOtherDueAt: oldestDueAt, due };
}

function claimsOf(claims: readonly ClaimedDelivery[]): (webhookId: number) => number {
  return (webhookId) => claims.filter(({ webhook }) => webhook.id === webhookId).length;
}
