import assert from 'node:assert/strict';
import { timestampText } from '../../../src/clock.ts';
import { assertDistinct, type HarnessCases, only } from '../contract-harness.ts';

const DAY_MS = 86_400_000;

/** The time `ms` milliseconds before another one, whatever the clock says. */
const before = (time: string, ms: number) => timestampText(Date.parse(time) - ms);

/** Removing old deliveries. */
export const purgeCases: HarnessCases = {
  async 'removes what was created before that time, and nothing younger'(harness) {
    const { id } = await harness.createWebhook();
    const limit = harness.at(-30 * DAY_MS);
    const createdAts = [harness.at(-40 * DAY_MS), before(limit, 1), limit, harness.at()];
    for (const createdAt of createdAts) await harness.dispatch({ createdAt });
    const request = { createdBefore: limit, now: harness.now, limit: 100 };
    assert.equal((await harness.storage.purgeDeliveries(request)).removed, 2);
    const left = (await harness.history(id)).map(({ createdAt }) => createdAt);
    assert.deepEqual(left.reverse(), createdAts.slice(2));
    assert.equal((await harness.counts(id)).total, 2);
    assert.deepEqual(await harness.storage.purgeDeliveries(request), { removed: 0, expired: [] });
  },
  async 'removes at most the limit, and fewer only when nothing is left'(harness) {
    for (let i = 0; i < 3; i++) await harness.createWebhook();
    const createdAt = harness.at(-31 * DAY_MS);
    const group = Array.from({ length: 500 }, () => harness.dispatchRecord({ createdAt }));
    await harness.storage.recordDispatches(group);
    const purge = (limit: number) =>
      harness.storage.purgeDeliveries({ createdBefore: harness.at(-30 * DAY_MS), now: harness.now, limit });
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
  async 'ends pending deliveries first, and says which; a result that comes later is discarded'(harness) {
    const { id } = await harness.createWebhook();
    const createdAt = harness.at(-31 * DAY_MS);
    await harness.dispatch({ createdAt });
    const succeeded = await harness.claimOnly();
    await harness.record(succeeded);
    await harness.dispatch({ createdAt });
    const attempted = await harness.claimOnly();
    const before = (await harness.history(id))[0];
    const now = harness.now;
    const createdBefore = harness.at(-30 * DAY_MS);
    const { removed, expired } = await harness.storage.purgeDeliveries({ createdBefore, now, limit: 10 });
    assert.equal(removed, 2);
    const { completedAt, ...summary } = only(expired);
    assert.ok(completedAt !== null && completedAt >= new Date(now).toISOString());
    const { completedAt: _, ...pending } = before ?? { completedAt: null };
    assert.deepEqual(summary, { ...pending, status: 'failed', error: 'expired', nextAttemptAt: null });
    assert.equal(await harness.record(attempted), 'gone');
    assert.deepEqual(await harness.history(id), []);
  },
  async 'leaves idempotency keys alone when it purges deliveries'(harness) {
    const old = harness.dispatchRecord({ idempotencyKey: 'k', createdAt: harness.at(-31 * DAY_MS) });
    await harness.createWebhook();
    await harness.storage.recordDispatches([old]);
    const request = { createdBefore: harness.at(-30 * DAY_MS), now: harness.now, limit: 10 };
    assert.equal((await harness.storage.purgeDeliveries(request)).removed, 1);
    assert.equal(only(await harness.storage.recordDispatches([old])).outcome, 'repeated');
  },
  async 'forgets idempotency keys that old, at most the limit, and keeps younger ones and deliveries'(
    harness,
  ) {
    const limit = harness.at(-30 * DAY_MS);
    const keyed = (idempotencyKey: string, createdAt: string) =>
      harness.dispatchRecord({ idempotencyKey, createdAt });
    const old = Array.from({ length: 30 }, (_, i) => keyed(`old-${i}`, before(limit, 1 + i)));
    const young = [keyed('young', limit), keyed('youngest', harness.at())];
    const { id } = await harness.createWebhook();
    await harness.storage.recordDispatches([...old, ...young]);
    const purge = (most: number) =>
      harness.storage.purgeIdempotencyKeys({ createdBefore: limit, limit: most });
    assert.deepEqual([await purge(1), await purge(20), await purge(10), await purge(10)], [1, 20, 9, 0]);
    assert.equal((await harness.counts(id)).total, 32);
    const receipts = await harness.storage.recordDispatches([...old, ...young]);
    assert.ok(
      receipts
        .slice(0, 30)
        .every(({ outcome, deliveryIds }) => outcome === 'written' && deliveryIds.length === 1),
    );
    assert.ok(receipts.slice(30).every(({ outcome }) => outcome === 'repeated'));
  },
  async 'reports each expired delivery once when purges run at once'(harness) {
    await harness.createWebhook();
    const createdAt = harness.at(-31 * DAY_MS);
    await harness.storage.recordDispatches(
      Array.from({ length: 50 }, () => harness.dispatchRecord({ createdAt })),
    );
    const request = { createdBefore: harness.at(-30 * DAY_MS), now: harness.now, limit: 20 };
    const receipts = await Promise.all(
      Array.from({ length: 5 }, () => harness.storage.purgeDeliveries(request)),
    );
    assert.equal(
      receipts.reduce((sum, { removed }) => sum + removed, 0),
      50,
    );
    const expired = receipts.flatMap((receipt) => receipt.expired.map(({ deliveryId }) => deliveryId));
    assert.equal(expired.length, 50);
    assertDistinct(expired);
  },
};
