import assert from 'node:assert/strict';
import { timestampText } from '../../clock.ts';
import { assertDistinct, only, type StageCase } from './contract-stage.ts';

const DAY_MS = 86_400_000;

/** So many ms before that time, whatever the time is now. */
const before = (time: string, ms: number) => timestampText(Date.parse(time) - ms);

/** Removing what is old. */
export const purgeCases: readonly StageCase[] = [
  {
    name: 'removes what was created before that time, and nothing younger',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const limit = stage.at(-30 * DAY_MS);
      const createdAts = [stage.at(-40 * DAY_MS), before(limit, 1), limit, stage.at()];
      for (const createdAt of createdAts) await stage.dispatch({ createdAt });
      const request = { createdBefore: limit, now: stage.now, limit: 100 };
      assert.equal((await stage.storage.purgeDeliveries(request)).removed, 2);
      const left = (await stage.history(id)).map(({ createdAt }) => createdAt);
      assert.deepEqual(left.reverse(), createdAts.slice(2));
      assert.equal((await stage.storage.countDeliveries(id)).total, 2);
      assert.deepEqual(await stage.storage.purgeDeliveries(request), { removed: 0, expired: [] });
    },
  },
  {
    name: 'removes at most the limit, and fewer only when nothing is left',
    async run(stage) {
      for (let i = 0; i < 3; i++) await stage.createWebhook();
      const createdAt = stage.at(-31 * DAY_MS);
      const group = Array.from({ length: 500 }, () => stage.dispatchRecord({ createdAt }));
      await stage.storage.recordDispatches(group);
      const purge = (limit: number) =>
        stage.storage.purgeDeliveries({ createdBefore: stage.at(-30 * DAY_MS), now: stage.now, limit });
      const receipts = [await purge(1), await purge(1_200), await purge(299), await purge(1)];
      assert.deepEqual(
        receipts.map(({ removed }) => removed),
        [1, 1_200, 299, 0],
      );
      assert.deepEqual(
        receipts.map(({ expired }) => expired.length),
        [1, 1_200, 299, 0],
      );
      assertDistinct(receipts.flatMap(({ expired }) => expired.map(({ deliveryId }) => deliveryId)));
    },
  },
  {
    name: 'ends pending deliveries first, and says which; a result that comes later is discarded',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const createdAt = stage.at(-31 * DAY_MS);
      await stage.dispatch({ createdAt });
      const succeeded = await stage.claimOnly();
      await stage.record(succeeded);
      await stage.dispatch({ createdAt });
      const attempted = await stage.claimOnly();
      const before = (await stage.history(id))[0];
      const now = stage.now;
      const createdBefore = stage.at(-30 * DAY_MS);
      const { removed, expired } = await stage.storage.purgeDeliveries({ createdBefore, now, limit: 10 });
      assert.equal(removed, 2);
      const { completedAt, ...summary } = only(expired);
      assert.ok(completedAt !== null && completedAt >= new Date(now).toISOString());
      const { completedAt: _, ...pending } = before ?? { completedAt: null };
      assert.deepEqual(summary, { ...pending, status: 'failed', error: 'expired', nextAttemptAt: null });
      assert.equal(await stage.record(attempted), 'gone');
      assert.deepEqual(await stage.history(id), []);
      assert.equal(await stage.storage.findDelivery(id, attempted.deliveryId), undefined);
    },
  },
  {
    name: 'leaves idempotency keys alone when it purges deliveries',
    async run(stage) {
      const old = stage.dispatchRecord({ idempotencyKey: 'k', createdAt: stage.at(-31 * DAY_MS) });
      await stage.createWebhook();
      await stage.storage.recordDispatches([old]);
      const request = { createdBefore: stage.at(-30 * DAY_MS), now: stage.now, limit: 10 };
      assert.equal((await stage.storage.purgeDeliveries(request)).removed, 1);
      assert.equal(only(await stage.storage.recordDispatches([old])).repeated, true);
    },
  },
  {
    name: 'forgets idempotency keys that old, at most the limit, and keeps younger ones and deliveries',
    async run(stage) {
      const limit = stage.at(-30 * DAY_MS);
      const keyed = (idempotencyKey: string, createdAt: string) =>
        stage.dispatchRecord({ idempotencyKey, createdAt });
      const old = Array.from({ length: 30 }, (_, i) => keyed(`old-${i}`, before(limit, 1 + i)));
      const young = [keyed('young', limit), keyed('youngest', stage.at())];
      const { id } = await stage.createWebhook();
      await stage.storage.recordDispatches([...old, ...young]);
      const purge = (most: number) =>
        stage.storage.purgeIdempotencyKeys({ createdBefore: limit, limit: most });
      assert.deepEqual([await purge(1), await purge(20), await purge(10), await purge(10)], [1, 20, 9, 0]);
      assert.equal((await stage.storage.countDeliveries(id)).total, 32);
      const receipts = await stage.storage.recordDispatches([...old, ...young]);
      assert.ok(
        receipts.slice(0, 30).every(({ repeated, deliveryIds }) => !repeated && deliveryIds.length === 1),
      );
      assert.ok(receipts.slice(30).every(({ repeated }) => repeated));
    },
  },
  {
    name: 'reports each expired delivery once when purges run at once',
    async run(stage) {
      await stage.createWebhook();
      const createdAt = stage.at(-31 * DAY_MS);
      await stage.storage.recordDispatches(
        Array.from({ length: 50 }, () => stage.dispatchRecord({ createdAt })),
      );
      const request = { createdBefore: stage.at(-30 * DAY_MS), now: stage.now, limit: 20 };
      const receipts = await Promise.all(
        Array.from({ length: 5 }, () => stage.storage.purgeDeliveries(request)),
      );
      assert.equal(
        receipts.reduce((sum, { removed }) => sum + removed, 0),
        50,
      );
      const expired = receipts.flatMap((receipt) => receipt.expired.map(({ deliveryId }) => deliveryId));
      assert.equal(expired.length, 50);
      assertDistinct(expired);
    },
  },
];
