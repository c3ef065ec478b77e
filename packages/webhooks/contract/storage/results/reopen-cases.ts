import assert from 'node:assert/strict';
import { type HarnessCases, only } from '../contract-harness.ts';

const HOUR_MS = 3_600_000;

/** New series of attempts on deliveries that have ended. */
export const reopenCases: HarnessCases = {
  async 'reopens a delivery that has ended, due now, and changes nothing else of it'(harness) {
    for (const status of ['success', 'failed'] as const) {
      const { id: webhookId } = await harness.createWebhook({ events: [status] });
      await harness.dispatch({ target: { patterns: [status] } });
      const { deliveryId, ...claim } = await harness.claimOnly();
      await harness.record({ deliveryId, ...claim }, { status, statusCode: 418, error: 'http_418' });
      const ended = await harness.delivery(webhookId, deliveryId);
      await harness.pass(10);
      const now = harness.now;
      assert.equal(await harness.reopen(webhookId, deliveryId), 'reopened');
      const { nextAttemptAt, ...reopened } = await harness.delivery(webhookId, deliveryId);
      const { nextAttemptAt: _, ...before } = ended;
      assert.deepEqual(reopened, { ...before, status: 'pending', completedAt: null });
      assert.ok(nextAttemptAt !== null && nextAttemptAt >= new Date(now).toISOString());
      const again = await harness.claimOnly();
      assert.deepEqual(
        [again.id, again.attempt, again.seriesAttempt, again.lostAttempt, again.isExhausted],
        [claim.id, 2, 1, null, false],
      );
      assert.deepEqual(again.attemptLog, before.attemptLog);
      assert.equal(await harness.record(again), 'recorded');
      assert.equal((await harness.delivery(webhookId, deliveryId)).attempts, 2);
    }
  },
  async 'gives a reopened delivery as many attempts as a new one'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    const deliveryId = only((await harness.dispatch()).deliveryIds);
    const attempt = async () => {
      const claim = await harness.claimOnly({ maxAttempts: 2 });
      const status = claim.seriesAttempt === 2 ? 'failed' : 'pending';
      assert.equal(await harness.record(claim, { status, retryInMs: 0 }), 'recorded');
      return [claim.attempt, claim.seriesAttempt, claim.isExhausted];
    };
    const made = [await attempt(), await attempt()];
    for (let series = 0; series < 2; series++) {
      await harness.reopen(webhookId, deliveryId);
      made.push(await attempt(), await attempt());
    }
    assert.deepEqual(
      made,
      [1, 2, 3, 4, 5, 6].map((number) => [number, number % 2 === 1 ? 1 : 2, false]),
    );
  },
  async 'reopens nothing that has not ended, and nothing of another webhook'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    const other = await harness.createWebhook({ events: ['user.*'] });
    const deliveryId = only((await harness.dispatch()).deliveryIds);
    const reopen = () => harness.reopen(webhookId, deliveryId);
    const claim = await harness.claimOnly();
    const before = await harness.delivery(webhookId, deliveryId);
    assert.equal(await reopen(), 'pending');
    assert.deepEqual(await harness.delivery(webhookId, deliveryId), before);
    assert.equal(await harness.record(claim, { status: 'failed' }), 'recorded');
    const ended = await harness.delivery(webhookId, deliveryId);
    assert.equal(await harness.reopen(other.id, deliveryId), 'none');
    assert.equal(await harness.reopen(webhookId, '0'.repeat(32)), 'none');
    assert.deepEqual(await harness.delivery(webhookId, deliveryId), ended);
    assert.deepEqual(await harness.claim(), []);
    assert.equal(await reopen(), 'reopened');
    assert.equal(await reopen(), 'pending');
    // The claim of the series before has ended: its result is recognised, and changes nothing.
    const reopened = await harness.delivery(webhookId, deliveryId);
    assert.equal(await harness.record(claim, { status: 'success' }), 'recorded');
    assert.deepEqual(await harness.delivery(webhookId, deliveryId), reopened);
  },
  async 'reopens a delivery once for many that ask at once'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    for (let round = 0; round < 5; round++) {
      const deliveryId = only((await harness.dispatch()).deliveryIds);
      await harness.end('failed');
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => harness.reopen(webhookId, deliveryId, harness.storageOf(i))),
      );
      assert.deepEqual(answers.toSorted(), [...Array(9).fill('pending'), 'reopened']);
      assert.equal((await harness.claimOnly()).attempt, 2);
      assert.equal((await harness.counts(webhookId)).pending, round + 1);
    }
  },
  async 'reopens before or after a result that is recorded at the same time, never in between'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    for (let round = 0; round < 10; round++) {
      await harness.dispatch();
      const claim = await harness.claimOnly();
      const { deliveryId } = claim;
      const reopen = () => harness.reopen(webhookId, deliveryId, harness.storageOf(round));
      const record = () => harness.record(claim, { status: 'failed' });
      const [first, second] = round % 4 < 2 ? [record, reopen] : [reopen, record];
      const answers = await Promise.all([first(), second()]);
      const outcome = answers.find((answer) => answer !== 'recorded');
      assert.ok(answers.includes('recorded'), 'the result was refused');
      const { status, nextAttemptAt, completedAt } = await harness.delivery(webhookId, deliveryId);
      assert.equal(status, outcome === 'reopened' ? 'pending' : 'failed');
      assert.equal(nextAttemptAt === null, status === 'failed');
      assert.equal(completedAt === null, status === 'pending');
      const { pending, failed } = await harness.counts(webhookId);
      assert.deepEqual([pending, failed], status === 'pending' ? [1, 0] : [0, 1]);
      // The counters of an hour go once all of it has.
      const later = { createdBefore: harness.at(3_600_000), now: harness.now, limit: 10 };
      assert.equal((await harness.storage.purgeDeliveries(later)).removed, 1);
    }
  },
  async 'reports as expired what was reopened before a purge at the same time, and nothing else'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    for (let round = 0; round < 10; round++) {
      const deliveryId = only((await harness.dispatch({ createdAt: harness.at(-HOUR_MS) })).deliveryIds);
      await harness.end('failed');
      const request = { createdBefore: harness.at(-1_000), now: harness.now, limit: 10 };
      const reopen = () => harness.reopen(webhookId, deliveryId, harness.storageOf(round));
      const early = round % 4 < 2 ? reopen() : undefined;
      const purging = harness.storage.purgeDeliveries(request);
      const [outcome, receipt] = await Promise.all([early ?? reopen(), purging]);
      assert.equal(receipt.removed, 1);
      assert.deepEqual(
        receipt.expired.map((expired) => expired.deliveryId),
        outcome === 'reopened' ? [deliveryId] : [],
      );
      assert.equal(outcome === 'pending', false);
      assert.deepEqual(await harness.claim(), []);
      assert.equal((await harness.counts(webhookId)).total, 0);
    }
  },
};
