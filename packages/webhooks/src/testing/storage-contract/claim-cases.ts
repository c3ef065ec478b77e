import assert from 'node:assert/strict';
import { assertDistinct, LEASE_MS, only, type StageCase } from './contract-stage.ts';

/** Handing out deliveries, each to one runner. */
export const claimCases: readonly StageCase[] = [
  {
    name: 'hands out a due delivery with all that an attempt needs',
    async run(stage) {
      const webhook = await stage.createWebhook({ url: 'https://a.example/in', secret: 'whsec_abc' });
      const createdAt = stage.at();
      const deliveryId = only((await stage.dispatch({ createdAt, payload: '{"a":[1]}' })).deliveryIds);
      const { id } = only(await stage.history(webhook.id));
      const claimed = await stage.claimOnly({ claimToken: 'mine' });
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
        attemptLog: [],
        lostAttempt: null,
        isExhausted: false,
        webhook: {
          id: webhook.id,
          url: 'https://a.example/in',
          secret: 'whsec_abc',
          previousSecret: null,
          isActive: true,
          activation,
        },
      });
      assert.equal((await stage.delivery(webhook.id, deliveryId)).attempts, 1);
    },
  },
  {
    name: 'hands out nothing when nothing is due',
    async run(stage) {
      assert.deepEqual(await stage.claim(), []);
      await stage.createWebhook();
      assert.deepEqual(await stage.claim(), []);
    },
  },
  {
    name: 'hands out the longest due first, equally due ones by id, no more than asked for',
    async run(stage) {
      await stage.createWebhook();
      for (let i = 0; i < 4; i++) await stage.dispatch();
      const claims = await stage.claim();
      const retriesInMs = [300, 100, 200, 100];
      const results = claims.map((claim, i) =>
        stage.result(claim, { status: 'pending', retryInMs: retriesInMs[i] ?? 0 }),
      );
      await stage.storage.recordAttempts(results);
      await stage.pass(400);
      const [a, b, c, d] = claims.map(({ id }) => id);
      assert.deepEqual(
        (await stage.claim({ limit: 3 })).map(({ id }) => id),
        [b, d, c],
      );
      assert.equal((await stage.claimOnly({ limit: 3 })).id, a);
    },
  },
  {
    name: 'never hands out one delivery twice to runners that claim at once',
    async run(stage) {
      for (let i = 0; i < 3; i++) await stage.createWebhook();
      await stage.storage.recordDispatches(Array.from({ length: 20 }, () => stage.dispatchRecord()));
      const claims = await Promise.all(Array.from({ length: 20 }, () => stage.claim({ limit: 7 })));
      for (const claim of claims) assert.ok(claim.length <= 7);
      const handedOut = claims.flat();
      assertDistinct(handedOut.map(({ id }) => id));
      assert.equal(handedOut.length, 60);
      assert.ok(handedOut.every(({ attempt }) => attempt === 1));
    },
  },
  {
    name: 'keeps a claimed delivery from others while its lease lasts, then names the lost attempt',
    async run(stage) {
      const { id } = await stage.createWebhook();
      await stage.dispatch();
      // Held for longer than the case takes: whoever gets it ignores the lease.
      await stage.claimOnly();
      assert.deepEqual(await stage.claim(), []);
      await stage.dispatch();
      const lost = await stage.claimOnly({ leaseMs: LEASE_MS });
      await stage.pass(LEASE_MS + 100);
      const next = await stage.claimOnly();
      assert.deepEqual(
        [next.id, next.attempt, next.seriesAttempt, next.lostAttempt, next.isExhausted],
        [lost.id, 2, 2, 1, false],
      );
      assert.equal((await stage.delivery(id, lost.deliveryId)).attempts, 2);
    },
  },
  {
    name: 'lets a lease end, and a delivery fall due, at that very millisecond',
    needs: 'callerClock',
    async run(stage) {
      await stage.createWebhook();
      await stage.dispatch();
      const first = await stage.claimOnly({ leaseMs: LEASE_MS });
      await stage.pass(LEASE_MS - 1);
      assert.deepEqual(await stage.claim(), []);
      await stage.pass(1);
      const second = await stage.claimOnly();
      assert.equal(second.lostAttempt, first.attempt);
      await stage.record(second, { status: 'pending', retryInMs: 30_000 });
      await stage.pass(29_999);
      assert.deepEqual(await stage.claim(), []);
      await stage.pass(1);
      assert.equal((await stage.claimOnly()).attempt, 3);
    },
  },
  {
    name: 'counts lost attempts up to the maximum, then hands the delivery out to be ended',
    async run(stage) {
      const { id } = await stage.createWebhook();
      await stage.dispatch();
      for (const attempt of [1, 2]) {
        assert.equal((await stage.claimOnly({ leaseMs: LEASE_MS, maxAttempts: 2 })).attempt, attempt);
        await stage.pass(LEASE_MS + 100);
      }
      // The one who should end it may vanish as well.
      for (let time = 0; time < 2; time++) {
        const exhausted = await stage.claimOnly({ leaseMs: LEASE_MS, maxAttempts: 2 });
        assert.deepEqual(
          [exhausted.attempt, exhausted.seriesAttempt, exhausted.lostAttempt, exhausted.isExhausted],
          [2, 2, 2, true],
        );
        assert.equal(only(await stage.history(id)).attempts, 2);
        await stage.pass(LEASE_MS + 100);
      }
      const last = await stage.claimOnly({ maxAttempts: 2 });
      assert.equal(await stage.record(last, { status: 'failed', error: 'worker_lost' }), 'recorded');
      await stage.pass(LEASE_MS + 100);
      assert.deepEqual(await stage.claim({ maxAttempts: 2 }), []);
    },
  },
  {
    name: 'hands out to be ended what already had more attempts than a lowered maximum',
    async run(stage) {
      await stage.createWebhook();
      await stage.dispatch();
      for (let attempt = 1; attempt <= 3; attempt++) {
        await stage.record(await stage.claimOnly(), { status: 'pending', retryInMs: 0 });
      }
      const { attempt, lostAttempt, isExhausted } = await stage.claimOnly({
        leaseMs: LEASE_MS,
        maxAttempts: 3,
      });
      assert.deepEqual([attempt, lostAttempt, isExhausted], [3, null, true]);
      await stage.pass(LEASE_MS + 100);
      assert.deepEqual((await stage.claimOnly({ leaseMs: LEASE_MS, maxAttempts: 2 })).isExhausted, true);
      await stage.pass(LEASE_MS + 100);
      // Raised again: the series goes on.
      const raised = await stage.claimOnly({ maxAttempts: 4 });
      assert.deepEqual([raised.attempt, raised.isExhausted], [4, false]);
    },
  },
  {
    name: 'forgets a lost attempt once a result was recorded',
    async run(stage) {
      await stage.createWebhook();
      await stage.dispatch();
      await stage.claim({ leaseMs: LEASE_MS });
      await stage.pass(LEASE_MS + 100);
      const second = await stage.claimOnly();
      assert.equal(second.lostAttempt, 1);
      await stage.record(second, { status: 'pending', retryInMs: 0 });
      const third = await stage.claimOnly();
      assert.deepEqual([third.attempt, third.lostAttempt], [3, null]);
    },
  },
  {
    name: 'hands out the webhook as it is now, inactive ones too',
    async run(stage) {
      const { id } = await stage.createWebhook({ secret: 'whsec_abc' });
      await stage.dispatch();
      const change = {
        url: 'https://moved.example/',
        isActive: false,
        events: ['a.b'],
        updatedAt: stage.at(),
      };
      await stage.storage.updateWebhook(id, change);
      const { webhook } = await stage.claimOnly();
      assert.deepEqual(webhook, {
        id,
        url: change.url,
        secret: 'whsec_abc',
        previousSecret: null,
        isActive: false,
        activation: webhook.activation,
      });
    },
  },
  {
    name: 'never hands out what has ended',
    async run(stage) {
      for (let i = 0; i < 2; i++) await stage.createWebhook();
      await stage.dispatch();
      const [first, second] = await stage.claim({ leaseMs: LEASE_MS });
      assert.ok(first && second);
      await stage.record(first, { status: 'success' });
      await stage.record(second, { status: 'failed', error: 'http_500' });
      await stage.pass(LEASE_MS + 100);
      assert.deepEqual(await stage.claim(), []);
    },
  },
];
