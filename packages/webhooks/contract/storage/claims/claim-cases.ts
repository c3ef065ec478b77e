import assert from 'node:assert/strict';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { assertDistinct, type HarnessCases, LEASE_MS, only } from '../contract-harness.ts';

/** Claiming deliveries, each for one runner. */
export const claimCases: HarnessCases = {
  async 'hands out a due delivery with all that an attempt needs'(harness) {
    const webhook = await harness.createWebhook({
      url: 'https://a.example/in',
      secret: 'whsec_abc',
      maxPerMinute: 60,
    });
    const createdAt = harness.at();
    const deliveryId = only((await harness.dispatch({ createdAt, payload: '{"a":[1]}' })).deliveryIds);
    const { id } = only(await harness.history(webhook.id));
    const claimed = await harness.claimOnly({ claimToken: 'mine' });
    const { activation } = claimed.webhook;
    assert.ok(Number.isSafeInteger(activation), 'an activation is a whole number');
    assert.deepEqual(claimed, {
      id,
      claimToken: 'mine',
      deliveryId,
      event: 'order.paid',
      payload: '{"a":[1]}',
      createdAt,
      attempt: 1,
      seriesAttempt: 1,
      deferrals: 0,
      pauses: 0,
      attemptLog: [],
      lostAttempt: null,
      isExhausted: false,
      webhook: {
        id: webhook.id,
        tenant: '',
        url: 'https://a.example/in',
        secret: 'whsec_abc',
        previousSecret: null,
        isActive: true,
        maxPerMinute: 60,
        activation,
      },
    });
    assert.equal((await harness.delivery(webhook.id, deliveryId)).attempts, 1);
  },
  async 'hands out nothing when nothing is due'(harness) {
    assert.deepEqual(await harness.claim(), []);
    await harness.createWebhook();
    assert.deepEqual(await harness.claim(), []);
  },
  async 'hands out the longest due first, equally due ones by id, no more than asked for'(harness) {
    await harness.createWebhook();
    for (let i = 0; i < 4; i++) await harness.dispatch();
    const claims = await harness.claim();
    const retriesInMs = [300, 100, 200, 100];
    const results = claims.map((claim, i) =>
      harness.result(claim, { status: 'pending', retryInMs: retriesInMs[i] ?? 0 }),
    );
    await harness.storage.recordAttempts(results, RESULT_RULES);
    await harness.pass(400);
    const [a, b, c, d] = claims.map(({ id }) => id);
    assert.deepEqual(
      (await harness.claim({ limit: 3 })).map(({ id }) => id),
      [b, d, c],
    );
    assert.equal((await harness.claimOnly({ limit: 3 })).id, a);
  },
  async 'never hands out one delivery twice to runners that claim at once'(harness) {
    for (let i = 0; i < 3; i++) await harness.createWebhook();
    await harness.storage.recordDispatches(Array.from({ length: 20 }, () => harness.dispatchRecord()));
    const claims = await Promise.all(Array.from({ length: 20 }, () => harness.claim({ limit: 7 })));
    for (const claim of claims) assert.ok(claim.length <= 7);
    const handedOut = claims.flat();
    assertDistinct(handedOut.map(({ id }) => id));
    assert.equal(handedOut.length, 60);
    assert.ok(handedOut.every(({ attempt }) => attempt === 1));
  },
  async 'keeps a claimed delivery from others while its lease lasts, then names the lost attempt'(harness) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    // Leased for longer than the case takes: a claim that returns it ignores the lease.
    await harness.claimOnly();
    assert.deepEqual(await harness.claim(), []);
    await harness.dispatch();
    const lost = await harness.claimOnly({ leaseMs: LEASE_MS });
    await harness.pass(LEASE_MS + 100);
    const next = await harness.claimOnly();
    assert.deepEqual(
      [next.id, next.attempt, next.seriesAttempt, next.lostAttempt, next.isExhausted],
      [lost.id, 2, 2, 1, false],
    );
    assert.equal((await harness.delivery(id, lost.deliveryId)).attempts, 2);
  },
  'lets a lease end, and a delivery fall due, at that very millisecond': {
    needs: 'callerClock',
    async run(harness) {
      await harness.createWebhook();
      await harness.dispatch();
      const first = await harness.claimOnly({ leaseMs: LEASE_MS });
      await harness.pass(LEASE_MS - 1);
      assert.deepEqual(await harness.claim(), []);
      await harness.pass(1);
      const second = await harness.claimOnly();
      assert.equal(second.lostAttempt, first.attempt);
      await harness.record(second, { status: 'pending', retryInMs: 30_000 });
      await harness.pass(29_999);
      assert.deepEqual(await harness.claim(), []);
      await harness.pass(1);
      assert.equal((await harness.claimOnly()).attempt, 3);
    },
  },
  async 'counts lost attempts up to the maximum, then hands the delivery out to be ended'(harness) {
    const { id } = await harness.createWebhook();
    await harness.dispatch();
    for (const attempt of [1, 2]) {
      assert.equal((await harness.claimOnly({ leaseMs: LEASE_MS, maxAttempts: 2 })).attempt, attempt);
      await harness.pass(LEASE_MS + 100);
    }
    // The worker that should end it may vanish as well.
    for (let time = 0; time < 2; time++) {
      const exhausted = await harness.claimOnly({ leaseMs: LEASE_MS, maxAttempts: 2 });
      assert.deepEqual(
        [exhausted.attempt, exhausted.seriesAttempt, exhausted.lostAttempt, exhausted.isExhausted],
        [2, 2, 2, true],
      );
      assert.equal(only(await harness.history(id)).attempts, 2);
      await harness.pass(LEASE_MS + 100);
    }
    const last = await harness.claimOnly({ maxAttempts: 2 });
    assert.equal(await harness.record(last, { status: 'failed', error: 'worker_lost' }), 'recorded');
    await harness.pass(LEASE_MS + 100);
    assert.deepEqual(await harness.claim({ maxAttempts: 2 }), []);
  },
  async 'hands out to be ended what already had more attempts than a lowered maximum'(harness) {
    await harness.createWebhook();
    await harness.dispatch();
    for (let attempt = 1; attempt <= 3; attempt++) {
      await harness.record(await harness.claimOnly(), { status: 'pending', retryInMs: 0 });
    }
    const { attempt, lostAttempt, isExhausted } = await harness.claimOnly({
      leaseMs: LEASE_MS,
      maxAttempts: 3,
    });
    assert.deepEqual([attempt, lostAttempt, isExhausted], [3, null, true]);
    await harness.pass(LEASE_MS + 100);
    assert.deepEqual((await harness.claimOnly({ leaseMs: LEASE_MS, maxAttempts: 2 })).isExhausted, true);
    await harness.pass(LEASE_MS + 100);
    // Raised again: the series goes on.
    const raised = await harness.claimOnly({ maxAttempts: 4 });
    assert.deepEqual([raised.attempt, raised.isExhausted], [4, false]);
  },
  async 'forgets a lost attempt once a result was recorded'(harness) {
    await harness.createWebhook();
    await harness.dispatch();
    await harness.claim({ leaseMs: LEASE_MS });
    await harness.pass(LEASE_MS + 100);
    const second = await harness.claimOnly();
    assert.equal(second.lostAttempt, 1);
    await harness.record(second, { status: 'pending', retryInMs: 0 });
    const third = await harness.claimOnly();
    assert.deepEqual([third.attempt, third.lostAttempt], [3, null]);
  },
  async 'hands out the webhook as it is now, inactive ones too'(harness) {
    const { id, tenant } = await harness.createWebhook({ tenant: 'acme', secret: 'whsec_abc' });
    await harness.dispatch({ target: { webhookId: id } });
    const change = {
      url: 'https://moved.example/',
      isActive: false,
      maxPerMinute: 60_000,
      events: ['a.b'],
      updatedAt: harness.at(),
    };
    await harness.change(id, change);
    const { webhook } = await harness.claimOnly();
    assert.deepEqual(webhook, {
      id,
      tenant,
      url: change.url,
      secret: 'whsec_abc',
      previousSecret: null,
      isActive: false,
      maxPerMinute: 60_000,
      activation: webhook.activation,
    });
  },
  async 'never hands out what has ended'(harness) {
    for (let i = 0; i < 2; i++) await harness.createWebhook();
    await harness.dispatch();
    const [first, second] = await harness.claim({ leaseMs: LEASE_MS });
    assert.ok(first && second);
    await harness.record(first, { status: 'success' });
    await harness.record(second, { status: 'failed', error: 'http_500' });
    await harness.pass(LEASE_MS + 100);
    assert.deepEqual(await harness.claim(), []);
  },
};
