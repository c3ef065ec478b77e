import assert from 'node:assert/strict';
import { drawDispatchId } from '../../storage/delivery-ids.ts';
import type { DispatchRecord } from '../../storage/delivery-requests.ts';
import { type ContractStage, only, present, type StageCase } from './contract-stage.ts';

/** Dispatches that are given again because the answer to the first time was lost. */
export const retryCases: readonly StageCase[] = [
  {
    name: 'writes nothing for a retry of what was written, and answers as the first time',
    async run(stage) {
      const first = await stage.createWebhook();
      const second = await stage.createWebhook();
      const group = [
        named(stage),
        named(stage, { target: { webhookId: second.id } }),
        named(stage, { target: { patterns: ['nobody.*'] } }),
        named(stage),
      ];
      const receipts = await stage.storage.recordDispatches(group);
      assert.deepEqual(await stage.storage.recordDispatches(group.map(retryOf)), receipts);
      for (const [i, dispatch] of group.entries()) {
        assert.deepEqual(only(await stage.storage.recordDispatches([retryOf(dispatch)])), receipts[i]);
      }
      const total = async (id: number) => (await stage.storage.countDeliveries(id)).total;
      assert.deepEqual([await total(first.id), await total(second.id)], [2, 3]);
      assert.equal((await stage.claim()).length, 5);
    },
  },
  {
    name: 'answers a retry as the first time, whatever became of the webhooks since',
    async run(stage) {
      const webhooks = [
        await stage.createWebhook(),
        await stage.createWebhook(),
        await stage.createWebhook(),
      ];
      const [inactive, other] = webhooks.map(({ id }) => id);
      const dispatch = named(stage);
      const receipt = only(await stage.storage.recordDispatches([dispatch]));
      const later = { updatedAt: stage.at() };
      await stage.storage.updateWebhook(present(inactive), { isActive: false, ...later });
      await stage.storage.updateWebhook(present(other), { events: ['user.*'], ...later });
      const created = await stage.createWebhook();
      assert.deepEqual(only(await stage.storage.recordDispatches([retryOf(dispatch)])), receipt);
      for (const { id } of webhooks) assert.equal((await stage.history(id)).length, 1);
      assert.deepEqual(await stage.history(created.id), []);
    },
  },
  {
    name: 'answers a retry as the first time where no target is left',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const dispatch = named(stage);
      const receipt = only(await stage.storage.recordDispatches([dispatch]));
      await stage.storage.updateWebhook(id, { isActive: false, updatedAt: stage.at() });
      assert.deepEqual(only(await stage.storage.recordDispatches([retryOf(dispatch)])), receipt);
    },
  },
  {
    name: 'sends nothing again for a retry whose deliveries have ended',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const dispatch = named(stage);
      const receipt = only(await stage.storage.recordDispatches([dispatch]));
      await stage.end('success');
      assert.deepEqual(only(await stage.storage.recordDispatches([retryOf(dispatch)])), receipt);
      assert.deepEqual(await stage.claim(), []);
      assert.equal((await stage.history(id)).length, 1);
    },
  },
  {
    name: 'leaves out of the receipt of a retry what went with its webhook',
    async run(stage) {
      const removed = await stage.createWebhook();
      const stays = await stage.createWebhook();
      const dispatch = named(stage);
      await stage.storage.recordDispatches([dispatch]);
      await stage.storage.deleteWebhook(removed.id);
      const { deliveryIds } = only(await stage.storage.recordDispatches([retryOf(dispatch)]));
      assert.deepEqual(
        deliveryIds,
        (await stage.history(stays.id)).map(({ deliveryId }) => deliveryId),
      );
    },
  },
  {
    name: 'knows the key of a retry for its own, also where it wrote no delivery',
    async run(stage) {
      const unheard = named(stage, { idempotencyKey: 'unheard' });
      assert.deepEqual(await stage.storage.recordDispatches([unheard]), [
        { deliveryIds: [], repeated: false },
      ]);
      const { id } = await stage.createWebhook();
      const heard = named(stage, { idempotencyKey: 'heard' });
      const receipt = only(await stage.storage.recordDispatches([heard]));
      assert.deepEqual(await stage.storage.recordDispatches([retryOf(unheard), retryOf(heard)]), [
        { deliveryIds: [], repeated: false },
        receipt,
      ]);
      assert.equal(receipt.repeated, false);
      assert.equal((await stage.history(id)).length, 1);
    },
  },
  {
    name: 'says of a retry that its key was seen before where another dispatch brought it',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const [first, second] = [named(stage, { idempotencyKey: 'k' }), named(stage, { idempotencyKey: 'k' })];
      const receipts = await stage.storage.recordDispatches([first, second]);
      assert.deepEqual(await stage.storage.recordDispatches([retryOf(first), retryOf(second)]), receipts);
      assert.deepEqual(receipts[1], { deliveryIds: [], repeated: true });
      assert.equal((await stage.dispatch({ idempotencyKey: 'k' })).repeated, true);
      assert.equal((await stage.history(id)).length, 1);
    },
  },
  {
    name: 'writes a retry of what was never written',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const lost = [named(stage), named(stage, { idempotencyKey: 'k' })].map(retryOf);
      const receipts = await stage.storage.recordDispatches(lost);
      assert.deepEqual(
        receipts.map(({ deliveryIds, repeated }) => [deliveryIds.length, repeated]),
        [
          [1, false],
          [1, false],
        ],
      );
      assert.equal((await stage.history(id)).length, 2);
    },
  },
  {
    name: 'writes once when a retry runs beside its first try',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const rounds = 10;
      for (let round = 0; round < rounds; round++) {
        const dispatch = named(stage, round % 2 === 0 ? {} : { idempotencyKey: `k${round}` });
        const again = stage.anywhere(round).recordDispatches([retryOf(dispatch)]);
        // Its answer is lost anyway: it may find that the retry was faster, and be refused.
        await Promise.allSettled([stage.storage.recordDispatches([dispatch]), again]);
        assert.equal(only(await again).repeated, false);
      }
      assert.equal((await stage.history(id)).length, rounds);
    },
  },
  {
    name: 'writes once what is given again after the answer to its commit was lost',
    needs: 'lostAnswers',
    async run(stage) {
      const { storage, loseNextAnswer } = present(stage.underTest.unreliable);
      const { id } = await stage.createWebhook();
      const groups = [
        [named(stage)],
        [named(stage, { idempotencyKey: 'by itself' })],
        [named(stage), named(stage), named(stage, { idempotencyKey: 'in a group' })],
      ];
      for (const group of groups) {
        const before = (await stage.history(id)).length;
        loseNextAnswer();
        await assert.rejects(storage.recordDispatches(group), 'the answer was not lost');
        const written = (await stage.history(id)).length - before;
        assert.equal(written, group.length, 'what was to be committed before the answer was lost was not');
        for (const dispatch of group) {
          const { deliveryIds, repeated } = only(await storage.recordDispatches([retryOf(dispatch)]));
          assert.deepEqual([deliveryIds.length, repeated], [1, false]);
          await stage.delivery(id, present(deliveryIds[0]));
        }
        assert.equal((await stage.history(id)).length - before, group.length);
      }
      assert.equal((await stage.storage.countDeliveries(id)).pending, 5);
    },
  },
  {
    name: 'takes a result once that is given again after the answer to its commit was lost',
    needs: 'lostAnswers',
    async run(stage) {
      const { storage, loseNextAnswer } = present(stage.underTest.unreliable);
      const { id } = await stage.createWebhook();
      await stage.dispatch();
      const result = stage.result(await stage.claimOnly());
      loseNextAnswer();
      await assert.rejects(storage.recordAttempts([result]), 'the answer was not lost');
      assert.deepEqual(await storage.recordAttempts([result]), ['recorded']);
      const counts = { total: 1, success: 1, failed: 0, pending: 0 };
      assert.deepEqual(await stage.storage.countDeliveries(id), counts);
    },
  },
];

/** A dispatch with an id, as the engine gives it. */
function named<Transaction>(
  stage: ContractStage<Transaction>,
  fields: Partial<DispatchRecord> = {},
): DispatchRecord {
  return stage.dispatchRecord({ id: drawDispatchId(), ...fields });
}

function retryOf(dispatch: DispatchRecord): DispatchRecord {
  return { ...dispatch, isRetry: true };
}
