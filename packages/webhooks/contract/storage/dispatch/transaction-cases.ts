import assert from 'node:assert/strict';
import { type HarnessCases, only } from '../contract-harness.ts';

/** Dispatches in a transaction of the host's. */
export const transactionCases: HarnessCases = {
  "writes in the host's transaction, durable when it commits": {
    needs: 'transactions',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const group = [
        harness.dispatchRecord({ idempotencyKey: 'k' }),
        harness.dispatchRecord({ idempotencyKey: 'k' }),
        harness.dispatchRecord({ target: { webhookId: id } }),
      ];
      const receipts = await harness.inTransaction((transaction) =>
        harness.storage.recordDispatches(group, transaction),
      );
      assert.deepEqual(
        receipts.map(({ outcome }) => outcome === 'repeated'),
        [false, true, false],
      );
      const ids = receipts.flatMap(({ deliveryIds }) => deliveryIds);
      assert.deepEqual(
        (await harness.claim()).map(({ deliveryId }) => deliveryId),
        ids,
      );
    },
  },
  "writes nothing, no key either, when the host's transaction rolls back": {
    needs: 'transactions',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const dispatches = [harness.dispatchRecord({ idempotencyKey: 'k' })];
      const rollBack = harness.inTransaction(async (transaction) => {
        const { deliveryIds } = only(await harness.storage.recordDispatches(dispatches, transaction));
        assert.equal(deliveryIds.length, 1);
        throw new Error('the host changes its mind');
      });
      await assert.rejects(rollBack, /changes its mind/);
      assert.deepEqual(await harness.history(id), []);
      assert.deepEqual(await harness.claim(), []);
      assert.equal((await harness.dispatch({ idempotencyKey: 'k' })).outcome, 'written');
    },
  },
  'serves dispatches outside while a transaction is open, before or after it': {
    needs: 'transactions',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const inside = harness.inTransaction((transaction) =>
        harness.storage.recordDispatches([harness.dispatchRecord(), harness.dispatchRecord()], transaction),
      );
      await Promise.all([inside, harness.dispatch(), harness.claim(), harness.dispatch()]);
      assert.equal((await harness.history(id)).length, 4);
    },
  },
};
