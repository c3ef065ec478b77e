import assert from 'node:assert/strict';
import { deliveryIdOf, generateDispatchId } from '../../../src/storage/delivery-ids.ts';
import type { DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { type ContractHarness, type HarnessCases, only, present } from '../contract-harness.ts';

/** Dispatches that are written again because the answer to the first try was lost. */
export const retryCases: HarnessCases = {
  async 'derives the id of a delivery from those of its dispatch and its webhook, as deliveryIdOf does'(
    harness,
  ) {
    const webhooks = [await harness.createWebhook(), await harness.createWebhook()];
    const id = generateDispatchId({ isTest: true });
    const { deliveryIds } = await harness.dispatch({ id });
    const derived = webhooks.map((webhook) => deliveryIdOf(id, webhook.id));
    assert.deepEqual(
      [...deliveryIds].sort(),
      derived.sort(),
      'an id of its own marks events as tests, and tests as events: derive it by deliveryIdOf(dispatch.id, webhookId)',
    );
  },
  async 'writes nothing for a retry of what was written, and answers as the first time'(harness) {
    const first = await harness.createWebhook();
    const second = await harness.createWebhook();
    const group = [
      named(harness),
      named(harness, { target: { webhookId: second.id } }),
      named(harness, { target: { patterns: ['nobody.*'] } }),
      named(harness),
    ];
    const receipts = await harness.storage.recordDispatches(group);
    assert.deepEqual(await harness.storage.recordDispatches(group.map(retryOf)), receipts);
    for (const [i, dispatch] of group.entries()) {
      assert.deepEqual(only(await harness.storage.recordDispatches([retryOf(dispatch)])), receipts[i]);
    }
    const total = async (id: number) => (await harness.counts(id)).total;
    assert.deepEqual([await total(first.id), await total(second.id)], [2, 3]);
    assert.equal((await harness.claim()).length, 5);
  },
  async 'answers a retry as the first time, whatever became of the webhooks since'(harness) {
    const webhooks = [
      await harness.createWebhook(),
      await harness.createWebhook(),
      await harness.createWebhook(),
    ];
    const [inactive, other] = webhooks.map(({ id }) => id);
    const dispatch = named(harness);
    const receipt = only(await harness.storage.recordDispatches([dispatch]));
    const later = { updatedAt: harness.at() };
    await harness.change(present(inactive), { isActive: false, ...later });
    await harness.change(present(other), { events: ['user.*'], ...later });
    assert.deepEqual(only(await harness.storage.recordDispatches([retryOf(dispatch)])), receipt);
    for (const { id } of webhooks) assert.equal((await harness.history(id)).length, 1);
  },
  async 'answers a retry as the first time where no target is left'(harness) {
    const { id } = await harness.createWebhook();
    const dispatch = named(harness);
    const receipt = only(await harness.storage.recordDispatches([dispatch]));
    await harness.change(id, { isActive: false });
    assert.deepEqual(only(await harness.storage.recordDispatches([retryOf(dispatch)])), receipt);
  },
  async 'sends nothing again for a retry whose deliveries have ended'(harness) {
    const { id } = await harness.createWebhook();
    const dispatch = named(harness);
    const receipt = only(await harness.storage.recordDispatches([dispatch]));
    await harness.end('success');
    assert.deepEqual(only(await harness.storage.recordDispatches([retryOf(dispatch)])), receipt);
    assert.deepEqual(await harness.claim(), []);
    assert.equal((await harness.history(id)).length, 1);
  },
  async 'leaves out of the receipt of a retry what went with its webhook'(harness) {
    const removed = await harness.createWebhook();
    const stays = await harness.createWebhook();
    const dispatch = named(harness);
    await harness.storage.recordDispatches([dispatch]);
    await harness.storage.deleteWebhook(removed.id);
    const { deliveryIds } = only(await harness.storage.recordDispatches([retryOf(dispatch)]));
    assert.deepEqual(
      deliveryIds,
      (await harness.history(stays.id)).map(({ deliveryId }) => deliveryId),
    );
  },
  async 'knows the key of a retry for its own, also where it wrote no delivery'(harness) {
    const unheard = named(harness, { idempotencyKey: 'unheard' });
    assert.deepEqual(await harness.storage.recordDispatches([unheard]), [
      { outcome: 'written', deliveryIds: [] },
    ]);
    const { id } = await harness.createWebhook();
    const heard = named(harness, { idempotencyKey: 'heard' });
    const receipt = only(await harness.storage.recordDispatches([heard]));
    assert.deepEqual(await harness.storage.recordDispatches([retryOf(unheard), retryOf(heard)]), [
      { outcome: 'written', deliveryIds: [] },
      receipt,
    ]);
    assert.equal(receipt.outcome, 'written');
    assert.equal((await harness.history(id)).length, 1);
  },
  async 'says of a retry that its key was seen before where another dispatch brought it'(harness) {
    const { id } = await harness.createWebhook();
    const [first, second] = [
      named(harness, { idempotencyKey: 'k' }),
      named(harness, { idempotencyKey: 'k' }),
    ];
    const receipts = await harness.storage.recordDispatches([first, second]);
    assert.deepEqual(await harness.storage.recordDispatches([retryOf(first), retryOf(second)]), receipts);
    assert.deepEqual(receipts[1], { outcome: 'repeated', deliveryIds: [] });
    assert.equal((await harness.dispatch({ idempotencyKey: 'k' })).outcome, 'repeated');
    assert.equal((await harness.history(id)).length, 1);
  },
  async 'writes a retry of what was never written'(harness) {
    const { id } = await harness.createWebhook();
    const lost = [named(harness), named(harness, { idempotencyKey: 'k' })].map(retryOf);
    const receipts = await harness.storage.recordDispatches(lost);
    assert.deepEqual(
      receipts.map(({ deliveryIds, outcome }) => [deliveryIds.length, outcome]),
      [
        [1, 'written'],
        [1, 'written'],
      ],
    );
    assert.equal((await harness.history(id)).length, 2);
  },
  async 'writes once when a retry runs beside its first try'(harness) {
    const { id } = await harness.createWebhook();
    const rounds = 10;
    for (let round = 0; round < rounds; round++) {
      const dispatch = named(harness, round % 2 === 0 ? {} : { idempotencyKey: `k${round}` });
      const again = harness.storageOf(round).recordDispatches([retryOf(dispatch)]);
      // Its answer is lost anyway: it may find that the retry was faster, and be refused.
      await Promise.allSettled([harness.storage.recordDispatches([dispatch]), again]);
      // The first try may have held the key at that moment.
      const { outcome } = only(await again);
      if (outcome !== 'written') assert.deepEqual([outcome, round % 2], ['blocked', 1]);
    }
    assert.equal((await harness.history(id)).length, rounds);
  },
  'writes once what is given again after the answer to its commit was lost': {
    needs: 'lostAnswers',
    async run(harness) {
      const { storage, loseNextAnswer } = present(harness.underTest.unreliable);
      const { id } = await harness.createWebhook();
      const groups = [
        [named(harness)],
        [named(harness, { idempotencyKey: 'by itself' })],
        [named(harness), named(harness), named(harness, { idempotencyKey: 'in a group' })],
      ];
      for (const group of groups) {
        const before = (await harness.history(id)).length;
        loseNextAnswer();
        await assert.rejects(storage.recordDispatches(group), 'the answer was not lost');
        const written = (await harness.history(id)).length - before;
        assert.equal(written, group.length, 'what was to be committed before the answer was lost was not');
        for (const dispatch of group) {
          const { deliveryIds, outcome } = only(await storage.recordDispatches([retryOf(dispatch)]));
          assert.deepEqual([deliveryIds.length, outcome], [1, 'written']);
          await harness.delivery(id, present(deliveryIds[0]));
        }
        assert.equal((await harness.history(id)).length - before, group.length);
      }
      assert.equal((await harness.counts(id)).pending, 5);
    },
  },
  'takes a result once that is given again after the answer to its commit was lost': {
    needs: 'lostAnswers',
    async run(harness) {
      const { storage, loseNextAnswer } = present(harness.underTest.unreliable);
      const { id } = await harness.createWebhook();
      await harness.dispatch();
      const result = harness.result(await harness.claimOnly());
      loseNextAnswer();
      await assert.rejects(storage.recordAttempts([result], RESULT_RULES), 'the answer was not lost');
      assert.deepEqual(await storage.recordAttempts([result], RESULT_RULES), ['recorded']);
      const counts = { total: 1, success: 1, failed: 0, pending: 0 };
      assert.deepEqual(await harness.counts(id), counts);
    },
  },
};

/** A dispatch with an id, as the engine gives it. */
function named<Transaction>(
  harness: ContractHarness<Transaction>,
  fields: Partial<DispatchRecord> = {},
): DispatchRecord {
  return harness.dispatchRecord({ id: generateDispatchId(), ...fields });
}

function retryOf(dispatch: DispatchRecord): DispatchRecord {
  return { ...dispatch, isRetry: true };
}
