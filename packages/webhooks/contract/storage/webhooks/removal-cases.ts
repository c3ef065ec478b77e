import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HarnessCases, only } from '../contract-harness.ts';

/** Removing webhooks. */
export const removalCases: HarnessCases = {
  async 'removes a webhook with its patterns and deliveries, and nothing of any other'(harness) {
    const gone = await harness.createWebhook();
    const stays = await harness.createWebhook();
    const { deliveryIds } = await harness.dispatch();
    assert.equal(await harness.storage.deleteWebhook(gone.id), true);
    assert.equal(await harness.storage.deleteWebhook(gone.id), false);
    assert.equal(await harness.storage.findWebhook(gone.id), undefined);
    assert.deepEqual(await harness.history(gone.id), []);
    assert.equal((await harness.counts(gone.id)).total, 0);
    for (const deliveryId of deliveryIds) {
      const search = { webhookId: gone.id, deliveryId, limit: 1, maxScanned: 10 };
      assert.deepEqual((await harness.storage.findDeliveries(search)).deliveries, []);
    }
    assert.deepEqual(
      (await harness.claim()).map(({ webhook }) => webhook.id),
      [stays.id],
    );
    assert.equal((await harness.dispatch()).deliveryIds.length, 1);
  },
  async 'removes a long history behind a webhook that is gone for everybody at once'(harness) {
    const { id } = await harness.createWebhook();
    await harness.storage.recordDispatches(Array.from({ length: 350 }, () => harness.dispatchRecord()));
    const claimed = only(await harness.claim({ limit: 1 }));
    let isRemoved = false;
    const removing = harness.storage.deleteWebhook(id).finally(() => {
      isRemoved = true;
    });
    // Bounded by the removal, which cannot outlast the reads forever: a storage serves both.
    do {
      await nextTurn();
      const isThere = (await harness.storage.findWebhook(id)) !== undefined;
      const { total } = await harness.counts(id);
      assert.ok(total === 0 || (isThere && total === 350), `saw ${total} of 350`);
      if (isThere) continue;
      assert.deepEqual(await harness.listIds({}), []);
      assert.deepEqual(await harness.history(id), []);
      assert.deepEqual(await harness.claim(), []);
      assert.equal(await harness.record(claimed), 'gone');
      const now = harness.now;
      assert.equal(await harness.reopen(id, claimed.deliveryId), 'none');
      assert.equal(await harness.overview(id, { lastDelivery: true }), undefined);
      assert.equal((await harness.storage.dueSummary({ now, limit: 10 })).due, 0);
      assert.deepEqual((await harness.dispatch()).deliveryIds, []);
      assert.deepEqual((await harness.dispatch({ target: { webhookId: id } })).deliveryIds, []);
      assert.equal(await harness.change(id, { isActive: true }), undefined);
    } while (!isRemoved);
    assert.equal(await removing, true);
    const purge = { createdBefore: harness.at(-1), now: harness.now, limit: 100 };
    for (let removed = 100, calls = 0; removed === 100; calls++) {
      assert.ok(calls < 5, 'purges do not end');
      const receipt = await harness.storage.purgeDeliveries(purge);
      assert.deepEqual(receipt.expired, []);
      removed = receipt.removed;
    }
    const later = { ...purge, createdBefore: harness.at(1) };
    assert.deepEqual(await harness.storage.purgeDeliveries(later), { removed: 0, expired: [] });
  },
  async "never gives a removed webhook's id again"(harness) {
    const first = await harness.createWebhook();
    await harness.storage.deleteWebhook(first.id);
    assert.ok((await harness.createWebhook()).id > first.id);
  },
};
