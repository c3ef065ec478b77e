import assert from 'node:assert/strict';
import { shownRun } from '../../../src/storage/failure-run.ts';
import type { ContractHarness, HarnessCases } from '../contract-harness.ts';
import { only } from '../harness-reads.ts';

const HOUR_MS = 3_600_000;

/** Lets hours go by, in each of which a worker claims, and has room for nothing. */
async function workFor<Transaction>(harness: ContractHarness<Transaction>, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    await harness.pass(HOUR_MS);
    await harness.claim({ choose: () => new Map() });
  }
}

/** Ends what has been due for so many hours with claims, and returns their delivery ids. */
async function expire<Transaction>(harness: ContractHarness<Transaction>, dueForHours: number, limit = 10) {
  const request = { dueForHours, now: harness.now, limit };
  const { removed, expired } = await harness.storage.purgeDeliveries(request);
  assert.equal(removed, 0);
  return expired.map(({ deliveryId }) => deliveryId);
}

/** Ending what has been due for too long. */
export const expiryCases: HarnessCases = {
  'ends what was due before so many hours with claims, and keeps it': {
    needs: 'callerClock',
    async run(harness) {
      const { id } = await harness.createWebhook({ maxPerMinute: 1 });
      const old = only((await harness.dispatch()).deliveryIds);
      await workFor(harness, 2);
      // Of the present hour nobody knows yet.
      assert.deepEqual(await expire(harness, 2), []);
      await harness.pass(HOUR_MS);
      const young = only((await harness.dispatch()).deliveryIds);
      assert.deepEqual(await expire(harness, 3), []);
      const { now } = harness;
      const { expired } = await harness.storage.purgeDeliveries({ dueForHours: 2, now, limit: 10 });
      const { completedAt, ...ended } = only(expired);
      assert.equal(completedAt, harness.at());
      const { payload: _, attemptLog: __, ...kept } = await harness.delivery(id, old);
      assert.deepEqual({ ...ended, completedAt }, kept);
      assert.deepEqual(
        [kept.status, kept.error, kept.attempts, kept.nextAttemptAt],
        ['failed', 'expired', 0, null],
      );
      assert.equal((await harness.delivery(id, young)).status, 'pending');
      const overview = await harness.overview(id, { counts: true, failureRun: shownRun });
      assert.deepEqual(
        [overview?.counts, overview?.failureRun],
        [{ success: 0, failed: 1, pending: 1 }, null],
      );
      // A series that begins anew waits as long again.
      await harness.reopen(id, old);
      assert.deepEqual(await expire(harness, 2), []);
    },
  },
  'ends nothing for hours without a claim': {
    needs: 'callerClock',
    async run(harness) {
      await harness.createWebhook({ maxPerMinute: 1 });
      await workFor(harness, 3);
      await harness.dispatch();
      await harness.pass(100 * HOUR_MS);
      assert.deepEqual(await expire(harness, 2), []);
      await workFor(harness, 1);
      await harness.pass(100 * HOUR_MS);
      assert.deepEqual(await expire(harness, 2), []);
      assert.equal((await expire(harness, 1)).length, 1);
    },
  },
  'ends what was tried, and of the rest nothing that only waited for a worker': {
    needs: 'callerClock',
    async run(harness) {
      await harness.createWebhook();
      await harness.dispatch();
      const tried = await harness.claimOnly();
      await harness.record(tried, { status: 'pending', error: 'http_500' });
      await harness.dispatch();
      await workFor(harness, 2);
      await harness.pass(HOUR_MS);
      assert.deepEqual(await expire(harness, 2), [tried.deliveryId]);
      const lost = await harness.claimOnly({ leaseMs: 2 * HOUR_MS });
      assert.deepEqual(await expire(harness, 2), []);
      await harness.pass(2 * HOUR_MS);
      assert.deepEqual(await expire(harness, 2), [lost.deliveryId]);
      assert.equal(await harness.record(lost), 'late');
    },
  },
  'ends what waits, tried or not, for a recipient that fails or is busy': {
    needs: 'callerClock',
    async run(harness) {
      const failing = await harness.createWebhook();
      await harness.dispatch();
      await harness.end('failed');
      const busy = await harness.createWebhook();
      await harness.dispatch({ target: { webhookId: busy.id } });
      const asked = await harness.claimOnly();
      const deferral = { webhookId: busy.id, pauseMs: 60_000 };
      await harness.record(asked, { status: 'pending', error: 'deferred', retryInMs: 60_000, deferral });
      const well = await harness.createWebhook();
      const { deliveryIds } = await harness.dispatch();
      await workFor(harness, 2);
      await harness.pass(HOUR_MS);
      const expired = await expire(harness, 2);
      const ended = await Promise.all([failing, busy, well].map(({ id }) => harness.history(id)));
      const [ofFailing, ofBusy, ofWell] = ended.map((rows) =>
        rows.filter(({ error }) => error === 'expired'),
      );
      assert.deepEqual([ofFailing?.length, ofBusy?.length, ofWell?.length], [1, 2, 0]);
      assert.equal(expired.length, 3);
      assert.ok(expired.includes(asked.deliveryId));
      assert.equal(deliveryIds.filter((id) => expired.includes(id)).length, 2);
    },
  },
  'ends at most the limit, what was due first before the rest': {
    needs: 'callerClock',
    async run(harness) {
      await harness.createWebhook({ maxPerMinute: 1 });
      const due: string[] = [];
      for (let i = 0; i < 3; i++) {
        due.push(only((await harness.dispatch()).deliveryIds));
        await harness.pass(1_000);
      }
      await workFor(harness, 2);
      await harness.pass(HOUR_MS);
      const batches = [await expire(harness, 2, 2), await expire(harness, 2, 2), await expire(harness, 2, 2)];
      assert.deepEqual(batches, [due.slice(0, 2), due.slice(2), []]);
    },
  },
  async 'ends nothing in the first hour in which deliveries are claimed'(harness) {
    await harness.createWebhook({ maxPerMinute: 1 });
    await harness.dispatch();
    await harness.claim({ choose: () => new Map() });
    assert.deepEqual(await expire(harness, 24), []);
  },
};
