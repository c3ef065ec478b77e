import assert from 'node:assert/strict';
import { LEASE_MS, only, present, type StageCase } from './contract-stage.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Who comes first, and what is due. */
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
    name: 'keeps the place of a delivery whose worker vanished',
    async run(stage) {
      await stage.createWebhook();
      await stage.dispatch();
      const lost = await stage.claimOnly({ leaseMs: LEASE_MS });
      await stage.pass(LEASE_MS + 100);
      await stage.dispatch();
      const first = await stage.claimOnly({ limit: 1 });
      assert.deepEqual([first.id, first.lostAttempt], [lost.id, 1]);
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
