import assert from 'node:assert/strict';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { type ContractHarness, type HarnessCases, LEASE_MS, only, present } from '../contract-harness.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The order of the ready queue, and what is due. */
export const readyQueueCases: HarnessCases = {
  async 'hands out a first attempt before a retry that became due up to a minute earlier'(harness) {
    await harness.createWebhook();
    await harness.dispatch();
    const retried = await harness.claimOnly();
    await harness.record(retried, { status: 'pending', retryInMs: 0 });
    await harness.pass(20);
    await harness.dispatch();
    const first = await harness.claimOnly({ limit: 1 });
    assert.deepEqual([first.attempt, first.id > retried.id], [1, true]);
    assert.equal((await harness.claimOnly({ limit: 1 })).id, retried.id);
  },
  'hands out a retry before a first attempt that became due more than a minute later': {
    needs: 'callerClock',
    async run(harness) {
      await harness.createWebhook();
      await harness.dispatch();
      const retried = await harness.claimOnly();
      await harness.record(retried, { status: 'pending', retryInMs: 0 });
      await harness.pass(MINUTE_MS - 1);
      await harness.dispatch();
      await harness.pass(2);
      await harness.dispatch();
      const [before, retry, behind] = await harness.claim();
      assert.deepEqual([before?.attempt, retry?.id, behind?.attempt], [1, retried.id, 1]);
    },
  },
  async 'keeps the place of a delivery whose worker vanished'(harness) {
    await harness.createWebhook();
    await harness.dispatch();
    const lost = await harness.claimOnly({ leaseMs: LEASE_MS });
    await harness.pass(LEASE_MS + 100);
    await harness.dispatch();
    const first = await harness.claimOnly({ limit: 1 });
    assert.deepEqual([first.id, first.lostAttempt], [lost.id, 1]);
  },
  async 'lets the first attempt of a reopened delivery go before a retry that is due as long'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    for (let i = 0; i < 2; i++) await harness.dispatch();
    const [retried, ended] = await harness.claim();
    assert.ok(retried && ended);
    const results = [
      harness.result(retried, { status: 'pending', retryInMs: 0 }),
      harness.result(ended, { status: 'failed' }),
    ];
    await harness.storage.recordAttempts(results, RESULT_RULES);
    const { deliveryId } = ended;
    await harness.reopen(webhookId, deliveryId);
    assert.equal((await harness.claimOnly({ limit: 1 })).id, ended.id);
    assert.equal((await harness.claimOnly({ limit: 1 })).id, retried.id);
  },
  async 'hands out a first attempt before what was recovered up to a minute earlier'(harness) {
    await harness.createWebhook();
    for (let i = 0; i < 2; i++) await harness.dispatch();
    const old = await harness.end('failed');
    await harness.reopenFailed({ createdSince: harness.at(-DAY_MS) });
    await harness.pass(20);
    const { deliveryIds } = await harness.dispatch();
    assert.equal((await harness.claimOnly({ limit: 1 })).deliveryId, deliveryIds[0]);
    const recovered = await harness.claim();
    assert.deepEqual(
      recovered.map(({ deliveryId, seriesAttempt }) => [deliveryId, seriesAttempt]),
      old.map((deliveryId) => [deliveryId, 1]),
    );
  },
  'hands out what was recovered before a first attempt that became due more than a minute later': {
    needs: 'callerClock',
    async run(harness) {
      await harness.createWebhook();
      await harness.dispatch();
      const old = await harness.end('failed');
      await harness.reopenFailed({ createdSince: harness.at(-DAY_MS) });
      await harness.pass(MINUTE_MS - 1);
      const before = await harness.dispatch();
      await harness.pass(2);
      const behind = await harness.dispatch();
      assert.deepEqual(
        (await harness.claim()).map(({ deliveryId }) => deliveryId),
        [...before.deliveryIds, ...old, ...behind.deliveryIds],
      );
    },
  },
  async 'hands out of one webhook no more than asked for, first attempts and retries together, and the oldest'(
    harness,
  ) {
    const { id } = await harness.createWebhook();
    for (let i = 0; i < 8; i++) await harness.dispatch();
    const claims = await harness.claim({ limit: 4, maxPerWebhook: 4 });
    await harness.storage.recordAttempts(
      claims.map((claim) => harness.result(claim, { status: 'pending', retryInMs: 0 })),
      RESULT_RULES,
    );
    const inOrder = (await harness.history(id)).map((delivery) => delivery.id).reverse();
    const take = async () => (await harness.claim({ maxPerWebhook: 3 })).map((claim) => claim.id);
    assert.deepEqual(
      [await take(), await take()],
      [inOrder.slice(4, 7), [inOrder[7], ...inOrder.slice(0, 2)]],
    );
    assert.deepEqual([await take(), await take()], [inOrder.slice(2, 4), []]);
  },
  async 'says since when the longest waiting has been due, and how many are, up to the limit'(harness) {
    await assertDue(harness, null, 0);
    const { id } = await harness.createWebhook();
    for (const ago of [1_000, 3_000, 2_000]) await harness.dispatch({ createdAt: harness.at(-ago) });
    const rows = await harness.history(id);
    const dueTimes = rows.map(({ nextAttemptAt }) => present(nextAttemptAt ?? undefined)).sort();
    await assertDue(harness, dueTimes[0], 3);
    await assertDue(harness, dueTimes[0], 3, { limit: 3 });
    await assertDue(harness, dueTimes[0], 2, { limit: 2 });
    const oldest = await harness.claimOnly({ limit: 1 });
    await assertDue(harness, dueTimes[1], 2);
    await harness.record(oldest, { status: 'pending', retryInMs: 3_600_000 });
    await assertDue(harness, dueTimes[1], 2);
    await harness.end('success');
    await assertDue(harness, null, 0);
  },
  "believes its database's clock, not its caller's": {
    needs: 'databaseClock',
    async run(harness) {
      const { id } = await harness.createWebhook();
      await harness.dispatch();
      const slow = { now: harness.now - DAY_MS };
      const fast = { now: harness.now + DAY_MS };
      const { nextAttemptAt } = only(await harness.history(id));
      for (const caller of [slow, fast]) await assertDue(harness, nextAttemptAt, 1, caller);
      const claim = await harness.claimOnly(slow);
      // Leased for an hour, then due in one: by the caller's clock, a day ahead, both would be
      // over.
      assert.deepEqual(await harness.claim(fast), []);
      await harness.record(claim, { status: 'pending', retryInMs: 3_600_000 });
      assert.deepEqual(await harness.claim(fast), []);
      await assertDue(harness, null, 0, fast);
    },
  },
  async 'counts among what is due a retry, and what a lost worker had leased'(harness) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    const claim = await harness.claimOnly();
    await harness.record(claim, { status: 'pending', retryInMs: 0 });
    const { nextAttemptAt } = only(await harness.history(id));
    await assertDue(harness, nextAttemptAt, 1);
    await harness.claimOnly({ leaseMs: LEASE_MS });
    await harness.pass(LEASE_MS + 100);
    await assertDue(harness, nextAttemptAt, 1);
  },
};

/** A database may run by a clock that differs from this process's by so much. */
const CLOCK_TOLERANCE_MS = 1_000;

async function assertDue(
  harness: ContractHarness<unknown>,
  oldestDueAt: string | null | undefined,
  due: number,
  query: { readonly now?: number; readonly limit?: number } = {},
): Promise<void> {
  const before = harness.now;
  const { oldestDueMs, ...summary } = await harness.storage.dueSummary({ now: before, limit: 100, ...query });
  assert.deepEqual(summary, { due });
  if (oldestDueAt === null || oldestDueMs === null) return assert.equal(oldestDueMs, oldestDueAt);
  const since = Date.parse(present(oldestDueAt));
  assert.ok(oldestDueMs >= before - since - CLOCK_TOLERANCE_MS, `due for ${oldestDueMs} ms`);
  assert.ok(oldestDueMs <= harness.now - since + CLOCK_TOLERANCE_MS, `due for ${oldestDueMs} ms`);
}
