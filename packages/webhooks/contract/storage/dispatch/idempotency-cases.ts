import assert from 'node:assert/strict';
import { AWKWARD_TEXTS, type HarnessCases } from '../contract-harness.ts';

/** Dispatches that carry a key. */
export const idempotencyCases: HarnessCases = {
  async 'writes nothing for a key seen before, for webhooks registered since then neither'(harness) {
    const { id } = await harness.createWebhook();
    const first = await harness.dispatch({ idempotencyKey: 'order-1' });
    assert.deepEqual([first.deliveryIds.length, first.outcome], [1, 'written']);
    const later = await harness.createWebhook();
    const again = await harness.dispatch({ idempotencyKey: 'order-1', payload: '{"changed":true}' });
    assert.deepEqual(again, { outcome: 'repeated', deliveryIds: [] });
    assert.equal((await harness.history(id)).length, 1);
    assert.deepEqual(await harness.history(later.id), []);
  },
  async 'remembers a key that had no subscriber'(harness) {
    assert.deepEqual(await harness.dispatch({ idempotencyKey: 'k' }), {
      outcome: 'written',
      deliveryIds: [],
    });
    await harness.createWebhook();
    assert.equal((await harness.dispatch({ idempotencyKey: 'k' })).outcome, 'repeated');
  },
  async 'tells keys apart by event and by their bytes'(harness) {
    const { id } = await harness.createWebhook();
    const pairs: [event: string, key: string][] = [
      ['order.paid', 'k'],
      ['order.created', 'k'],
      ['order.paid', 'K'],
      ['order.paid', 'k '],
      ['order.paid', 'k\u0301'],
      ['order', '.paidk'],
      ['order.paid', 'x'.repeat(255)],
      ['order.paid', `${'x'.repeat(254)}y`],
      ...AWKWARD_TEXTS.map((text): [string, string] => ['order.paid', text]),
    ];
    for (const expected of ['written', 'repeated']) {
      for (const [event, idempotencyKey] of pairs) {
        assert.equal((await harness.dispatch({ event, idempotencyKey })).outcome, expected, idempotencyKey);
      }
    }
    assert.equal((await harness.history(id)).length, pairs.length);
  },
  async 'keeps a key of a dispatch to one webhook too'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    const once = { idempotencyKey: 'k', target: { webhookId } };
    assert.equal((await harness.dispatch(once)).outcome, 'written');
    assert.deepEqual(await harness.dispatch(once), { outcome: 'repeated', deliveryIds: [] });
    assert.equal((await harness.dispatch({ idempotencyKey: 'k' })).outcome, 'repeated');
    assert.equal((await harness.history(webhookId)).length, 1);
  },
  async 'writes once when a key comes twice in one group'(harness) {
    const { id } = await harness.createWebhook();
    const twice = harness.dispatchRecord({ idempotencyKey: 'k' });
    const receipts = await harness.storage.recordDispatches([twice, harness.dispatchRecord(), twice]);
    assert.deepEqual(
      receipts.map(({ outcome }) => outcome),
      ['written', 'written', 'repeated'],
    );
    assert.equal((await harness.history(id)).length, 2);
  },
  async 'writes once when many bring one key at once'(harness) {
    const { id } = await harness.createWebhook();
    const receipts = await Promise.all(
      Array.from({ length: 20 }, () => harness.dispatch({ idempotencyKey: 'k' })),
    );
    assert.equal(receipts.filter(({ outcome }) => outcome === 'written').length, 1);
    assert.equal((await harness.history(id)).length, 1);
  },
};
