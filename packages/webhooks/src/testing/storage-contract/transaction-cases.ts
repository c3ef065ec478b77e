import assert from 'node:assert/strict';
import { only, type StageCase } from './contract-stage.ts';

/** Dispatches in a transaction of the host's. */
export const transactionCases: readonly StageCase[] = [
  {
    name: "writes in the host's transaction, durable when it commits",
    needs: 'transactions',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const group = [
        stage.dispatchRecord({ idempotencyKey: 'k' }),
        stage.dispatchRecord({ idempotencyKey: 'k' }),
        stage.dispatchRecord({ target: { webhookId: id } }),
      ];
      const receipts = await stage.inTransaction((transaction) =>
        stage.storage.recordDispatches(group, transaction),
      );
      assert.deepEqual(
        receipts.map(({ repeated }) => repeated),
        [false, true, false],
      );
      const ids = receipts.flatMap(({ deliveryIds }) => deliveryIds);
      assert.deepEqual(
        (await stage.claim()).map(({ deliveryId }) => deliveryId),
        ids,
      );
    },
  },
  {
    name: "writes nothing, no key either, when the host's transaction rolls back",
    needs: 'transactions',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const dispatches = [stage.dispatchRecord({ idempotencyKey: 'k' })];
      const rollBack = stage.inTransaction(async (transaction) => {
        const { deliveryIds } = only(await stage.storage.recordDispatches(dispatches, transaction));
        assert.equal(deliveryIds.length, 1);
        throw new Error('the host changes its mind');
      });
      await assert.rejects(rollBack, /changes its mind/);
      assert.deepEqual(await stage.history(id), []);
      assert.deepEqual(await stage.claim(), []);
      assert.equal((await stage.dispatch({ idempotencyKey: 'k' })).repeated, false);
    },
  },
  {
    name: 'serves dispatches outside while a transaction is open, before or after it',
    needs: 'transactions',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const inside = stage.inTransaction((transaction) =>
        stage.storage.recordDispatches([stage.dispatchRecord(), stage.dispatchRecord()], transaction),
      );
      await Promise.all([inside, stage.dispatch(), stage.claim(), stage.dispatch()]);
      assert.equal((await stage.history(id)).length, 4);
    },
  },
];
