import assert from 'node:assert/strict';
import { only, type StageCase } from './contract-stage.ts';

const HOUR_MS = 3_600_000;

/** New series of attempts on deliveries that have ended. */
export const reopenCases: readonly StageCase[] = [
  {
    name: 'reopens a delivery that has ended, due now, and changes nothing else of it',
    async run(stage) {
      for (const status of ['success', 'failed'] as const) {
        const { id: webhookId } = await stage.createWebhook({ events: [status] });
        await stage.dispatch({ target: { patterns: [status] } });
        const { deliveryId, ...claim } = await stage.claimOnly();
        await stage.record({ deliveryId, ...claim }, { status, statusCode: 418, error: 'http_418' });
        const ended = await stage.delivery(webhookId, deliveryId);
        await stage.pass(10);
        const now = stage.now;
        assert.equal(await stage.storage.reopenDelivery({ webhookId, deliveryId, now }), 'reopened');
        const { nextAttemptAt, ...reopened } = await stage.delivery(webhookId, deliveryId);
        const { nextAttemptAt: _, ...before } = ended;
        assert.deepEqual(reopened, { ...before, status: 'pending', completedAt: null });
        assert.ok(nextAttemptAt !== null && nextAttemptAt >= new Date(now).toISOString());
        const again = await stage.claimOnly();
        assert.deepEqual(
          [again.id, again.attempt, again.seriesAttempt, again.lostAttempt, again.isExhausted],
          [claim.id, 2, 1, null, false],
        );
        assert.deepEqual(again.attemptLog, before.attemptLog);
        assert.equal(await stage.record(again), 'recorded');
        assert.equal((await stage.delivery(webhookId, deliveryId)).attempts, 2);
      }
    },
  },
  {
    name: 'gives a reopened delivery as many attempts as a new one',
    async run(stage) {
      const { id: webhookId } = await stage.createWebhook();
      const deliveryId = only((await stage.dispatch()).deliveryIds);
      const attempt = async () => {
        const claim = await stage.claimOnly({ maxAttempts: 2 });
        const status = claim.seriesAttempt === 2 ? 'failed' : 'pending';
        assert.equal(await stage.record(claim, { status, retryInMs: 0 }), 'recorded');
        return [claim.attempt, claim.seriesAttempt, claim.isExhausted];
      };
      const made = [await attempt(), await attempt()];
      for (let series = 0; series < 2; series++) {
        await stage.storage.reopenDelivery({ webhookId, deliveryId, now: stage.now });
        made.push(await attempt(), await attempt());
      }
      assert.deepEqual(
        made,
        [1, 2, 3, 4, 5, 6].map((number) => [number, number % 2 === 1 ? 1 : 2, false]),
      );
    },
  },
  {
    name: 'reopens nothing that has not ended, and nothing of another webhook',
    async run(stage) {
      const { id: webhookId } = await stage.createWebhook();
      const other = await stage.createWebhook({ events: ['user.*'] });
      const deliveryId = only((await stage.dispatch()).deliveryIds);
      const reopen = (fields: object = {}) =>
        stage.storage.reopenDelivery({ webhookId, deliveryId, now: stage.now, ...fields });
      const claim = await stage.claimOnly();
      const before = await stage.delivery(webhookId, deliveryId);
      assert.equal(await reopen(), 'pending');
      assert.deepEqual(await stage.delivery(webhookId, deliveryId), before);
      assert.equal(await stage.record(claim, { status: 'failed' }), 'recorded');
      const ended = await stage.delivery(webhookId, deliveryId);
      assert.equal(await reopen({ webhookId: other.id }), undefined);
      assert.equal(await reopen({ deliveryId: '0'.repeat(32) }), undefined);
      assert.deepEqual(await stage.delivery(webhookId, deliveryId), ended);
      assert.deepEqual(await stage.claim(), []);
      assert.equal(await reopen(), 'reopened');
      assert.equal(await reopen(), 'pending');
      // The claim of the series before is nobody's claim any more: its result is known, and changes nothing.
      const reopened = await stage.delivery(webhookId, deliveryId);
      assert.equal(await stage.record(claim, { status: 'success' }), 'recorded');
      assert.deepEqual(await stage.delivery(webhookId, deliveryId), reopened);
    },
  },
  {
    name: 'reopens a delivery once for many that ask at once',
    async run(stage) {
      const { id: webhookId } = await stage.createWebhook();
      for (let round = 0; round < 5; round++) {
        const deliveryId = only((await stage.dispatch()).deliveryIds);
        await stage.end('failed');
        const request = { webhookId, deliveryId, now: stage.now };
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, i) => stage.anywhere(i).reopenDelivery(request)),
        );
        assert.deepEqual(answers.toSorted(), [...Array(9).fill('pending'), 'reopened']);
        assert.equal((await stage.claimOnly()).attempt, 2);
        assert.equal((await stage.storage.countDeliveries(webhookId)).pending, round + 1);
      }
    },
  },
  {
    name: 'reopens before or after a result that is recorded at the same time, never in between',
    async run(stage) {
      const { id: webhookId } = await stage.createWebhook();
      for (let round = 0; round < 10; round++) {
        await stage.dispatch();
        const claim = await stage.claimOnly();
        const { deliveryId } = claim;
        const reopen = () => stage.anywhere(round).reopenDelivery({ webhookId, deliveryId, now: stage.now });
        const record = () => stage.record(claim, { status: 'failed' });
        const [first, second] = round % 4 < 2 ? [record, reopen] : [reopen, record];
        const answers = await Promise.all([first(), second()]);
        const outcome = answers.find((answer) => answer !== 'recorded');
        assert.ok(answers.includes('recorded'), 'the result was refused');
        const { status, nextAttemptAt, completedAt } = await stage.delivery(webhookId, deliveryId);
        assert.equal(status, outcome === 'reopened' ? 'pending' : 'failed');
        assert.equal(nextAttemptAt === null, status === 'failed');
        assert.equal(completedAt === null, status === 'pending');
        const { pending, failed } = await stage.storage.countDeliveries(webhookId);
        assert.deepEqual([pending, failed], status === 'pending' ? [1, 0] : [0, 1]);
        const later = { createdBefore: stage.at(1_000), now: stage.now, limit: 10 };
        assert.equal((await stage.storage.purgeDeliveries(later)).removed, 1);
      }
    },
  },
  {
    name: 'reports as expired what was reopened before a purge at the same time, and nothing else',
    async run(stage) {
      const { id: webhookId } = await stage.createWebhook();
      for (let round = 0; round < 10; round++) {
        const deliveryId = only((await stage.dispatch({ createdAt: stage.at(-HOUR_MS) })).deliveryIds);
        await stage.end('failed');
        const request = { createdBefore: stage.at(-1_000), now: stage.now, limit: 10 };
        const reopen = () => stage.anywhere(round).reopenDelivery({ webhookId, deliveryId, now: stage.now });
        const early = round % 4 < 2 ? reopen() : undefined;
        const purging = stage.storage.purgeDeliveries(request);
        const [outcome, receipt] = await Promise.all([early ?? reopen(), purging]);
        assert.equal(receipt.removed, 1);
        assert.deepEqual(
          receipt.expired.map((expired) => expired.deliveryId),
          outcome === 'reopened' ? [deliveryId] : [],
        );
        assert.equal(outcome === 'pending', false);
        assert.deepEqual(await stage.claim(), []);
        assert.equal((await stage.storage.countDeliveries(webhookId)).total, 0);
      }
    },
  },
];
