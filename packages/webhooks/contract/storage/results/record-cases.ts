import assert from 'node:assert/strict';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { AWKWARD_TEXTS, type HarnessCases, isRecorded, LEASE_MS, only } from '../contract-harness.ts';

/** Recording results, each at most once and only for the current claim. */
export const recordCases: HarnessCases = {
  async 'ends a delivery with its result'(harness) {
    for (const status of ['success', 'failed'] as const) {
      const { id } = await harness.createWebhook({ events: [status] });
      await harness.dispatch({ target: { patterns: [status] } });
      const claim = await harness.claimOnly();
      await harness.pass(20);
      const result = { status, statusCode: 204, responseBody: 'body', error: 'code' };
      const completedAt = harness.at();
      assert.equal(await harness.record(claim, { ...result, now: Date.parse(completedAt) }), 'recorded');
      const delivery = await harness.delivery(id, claim.deliveryId);
      const { createdAt, event, payload, deliveryId } = claim;
      assert.deepEqual(delivery, {
        id: claim.id,
        webhookId: id,
        deliveryId,
        event,
        payload,
        createdAt,
        ...result,
        attempts: 1,
        deferrals: 0,
        completedAt: delivery.completedAt,
        nextAttemptAt: null,
        attemptLog: delivery.attemptLog,
      });
      assert.ok(delivery.completedAt !== null && delivery.completedAt >= completedAt);
      assert.deepEqual(only(delivery.attemptLog).attempt, 1);
    }
  },
  async 'keeps the headers of an answer in the log, with characters of every plane'(harness) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    const claim = await harness.claimOnly();
    const responseHeaders = { server: 'é \uFFFD \u{1F600}', 'x-request-id': `"${"'"}\\` };
    const attemptLog = [{ ...harness.logEntry(1), responseHeaders }, harness.logEntry(2)];
    await harness.record(claim, { status: 'pending', retryInMs: 0, attemptLog });
    assert.deepEqual((await harness.delivery(id, claim.deliveryId)).attemptLog, attemptLog);
    await harness.pass(20);
    assert.deepEqual((await harness.claimOnly()).attemptLog, attemptLog, 'a claim carries the log on');
  },
  async 'gives a pending delivery back and hands it out again when it is due'(harness) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    const first = await harness.claimOnly();
    await harness.dispatch();
    const other = await harness.claimOnly();
    const result = {
      status: 'pending',
      statusCode: 503,
      responseBody: 'later',
      error: 'http_503',
    } as const;
    const dueFrom = harness.at(1_000);
    assert.equal(await harness.record(first, { ...result, retryInMs: 1_000 }), 'recorded');
    // Due long after the case has ended: a claim that returns it ignores the due time.
    assert.equal(await harness.record(other, { ...result, retryInMs: 3_600_000 }), 'recorded');
    const waiting = await harness.delivery(id, first.deliveryId);
    assert.deepEqual(
      [waiting.status, waiting.statusCode, waiting.responseBody, waiting.error, waiting.completedAt],
      ['pending', 503, 'later', 'http_503', null],
    );
    assert.ok(waiting.nextAttemptAt !== null && waiting.nextAttemptAt >= dueFrom);
    await harness.pass(1_100);
    const second = await harness.claimOnly();
    assert.deepEqual([second.id, second.attempt, second.lostAttempt], [first.id, 2, null]);
    assert.deepEqual(
      second.attemptLog.map(({ attempt }) => attempt),
      [1],
    );
  },
  async 'writes a result once, and knows it again when it is offered again'(harness) {
    const { id } = await harness.createWebhook();
    for (const status of ['success', 'failed', 'pending'] as const) {
      await harness.dispatch();
      const claim = await harness.claimOnly();
      assert.equal(await harness.record(claim, { status, retryInMs: 3_600_000 }), 'recorded');
      const recorded = await harness.delivery(id, claim.deliveryId);
      const again = await harness.record(claim, { status: 'failed', error: 'again', attemptLog: [] });
      assert.equal(again, 'recorded', 'its first answer may have been lost');
      assert.deepEqual(await harness.delivery(id, claim.deliveryId), recorded);
    }
  },
  async 'knows a result again while the next attempt is under way, and takes that one'(harness) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    const first = await harness.claimOnly();
    assert.equal(await harness.record(first, { status: 'pending', error: 'http_503' }), 'recorded');
    const second = await harness.claimOnly();
    const before = await harness.delivery(id, first.deliveryId);
    assert.equal(await harness.record(first, { status: 'failed', error: 'again' }), 'recorded');
    assert.deepEqual(await harness.delivery(id, first.deliveryId), before);
    assert.deepEqual(await harness.claim(), []);
    assert.equal(await harness.record(second), 'recorded');
  },
  async 'writes one of many results that come at once for one claim'(harness) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    const claim = await harness.claimOnly();
    const recordings = Array.from({ length: 20 }, (_, i) =>
      harness.record(claim, i % 2 === 0 ? { status: 'success' } : { status: 'pending', retryInMs: 60_000 }),
    );
    const receipts = await Promise.all(recordings);
    assert.ok(receipts.every(isRecorded));
    const { status } = await harness.delivery(id, claim.deliveryId);
    const counts = { total: 1, success: 0, failed: 0, pending: 0 };
    assert.deepEqual(await harness.counts(id), { ...counts, [status]: 1 });
  },
  async 'writes one of two results for one claim in one group'(harness) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    const claim = await harness.claimOnly();
    const results = [harness.result(claim), harness.result(claim, { status: 'failed', error: 'again' })];
    assert.deepEqual(await harness.storage.recordAttempts(results, RESULT_RULES), ['recorded', 'recorded']);
    assert.equal((await harness.delivery(id, claim.deliveryId)).status, 'success');
  },
  async 'discards the late result of a delivery that another worker has claimed, and takes that of the other'(
    harness,
  ) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    const late = await harness.claimOnly({ leaseMs: LEASE_MS });
    await harness.pass(LEASE_MS + 100);
    const current = await harness.claimOnly();
    const before = await harness.delivery(id, late.deliveryId);
    for (const status of ['success', 'failed', 'pending'] as const) {
      assert.equal(await harness.record(late, { status, attemptLog: [] }), 'late');
    }
    assert.deepEqual(await harness.delivery(id, late.deliveryId), before);
    assert.deepEqual(await harness.claim(), []);
    assert.equal(await harness.record(current), 'recorded');
    assert.equal((await harness.delivery(id, late.deliveryId)).status, 'success');
  },
  async 'accepts a result after the lease while no other worker has claimed'(harness) {
    await harness.createWebhook();
    await harness.dispatch();
    const claim = await harness.claimOnly({ leaseMs: LEASE_MS });
    await harness.pass(LEASE_MS + 100);
    assert.equal(await harness.record(claim), 'recorded');
    assert.deepEqual(await harness.claim(), []);
  },
  async 'answers a mixed group in its order'(harness) {
    for (let i = 0; i < 3; i++) await harness.createWebhook();
    await harness.dispatch();
    const claims = await harness.claim();
    const results = claims.map((claim) => harness.result(claim));
    const [first, second, third] = results;
    assert.ok(first && second && third);
    const group = [
      { ...first, claimToken: 'forged' },
      second,
      { ...first, claimToken: "' OR '1'='1" },
      third,
      { ...third, id: third.id + 1_000 },
      first,
    ];
    const receipts = ['late', 'recorded', 'late', 'recorded', 'gone', 'recorded'];
    assert.deepEqual(await harness.storage.recordAttempts(group, RESULT_RULES), receipts);
    assert.deepEqual(await harness.storage.recordAttempts([], RESULT_RULES), []);
  },
  async 'writes nothing for a webhook removed meanwhile, and says that it is gone'(harness) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    const claim = await harness.claimOnly();
    await harness.storage.deleteWebhook(id);
    assert.equal(await harness.record(claim), 'gone');
    assert.equal(await harness.record(claim, { status: 'pending' }), 'gone');
    assert.deepEqual(await harness.history(id), []);
  },
  async 'says of a result whose delivery was purged that it is gone'(harness) {
    await harness.createWebhook();
    await harness.dispatch();
    const claim = await harness.claimOnly();
    await harness.storage.purgeDeliveries({ createdBefore: harness.at(1), now: harness.now, limit: 10 });
    assert.equal(await harness.record(claim), 'gone');
  },
  async 'keeps what the recipient said exactly, and the whole log'(harness) {
    const { id } = await harness.createWebhook();
    for (const text of [...AWKWARD_TEXTS, '世'.repeat(1_365)]) {
      await harness.dispatch();
      const claim = await harness.claimOnly();
      const attemptLog = Array.from({ length: 20 }, (_, i) => ({
        ...harness.logEntry(i + 1),
        responseBody: text,
      }));
      await harness.record(claim, { status: 'pending', responseBody: text, attemptLog, retryInMs: 0 });
      const delivery = await harness.delivery(id, claim.deliveryId);
      assert.equal(delivery.responseBody, text);
      assert.deepEqual(delivery.attemptLog, attemptLog);
      const again = await harness.claimOnly();
      assert.deepEqual(again.attemptLog, attemptLog);
      await harness.record(again);
    }
  },
  async 'records a group as a whole: no reader sees a part of it'(harness) {
    const { id } = await harness.createWebhook();
    await harness.storage.recordDispatches(Array.from({ length: 40 }, () => harness.dispatchRecord()));
    const results = (await harness.claim()).map((claim) => harness.result(claim));
    let isDone = false;
    const recording = harness.storage.recordAttempts(results, RESULT_RULES).finally(() => {
      isDone = true;
    });
    const seen = new Set<number>();
    do seen.add((await harness.counts(id)).success);
    while (!isDone);
    assert.ok((await recording).every(isRecorded));
    for (const success of seen) assert.ok(success === 0 || success === 40, `saw ${success} of 40`);
    assert.equal((await harness.counts(id)).success, 40);
  },
};
