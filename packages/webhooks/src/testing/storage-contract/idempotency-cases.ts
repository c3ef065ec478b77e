import assert from 'node:assert/strict';
import { AWKWARD_TEXTS, type StageCase } from './contract-stage.ts';

/** Dispatches that carry a key. */
export const idempotencyCases: readonly StageCase[] = [
  {
    name: 'writes nothing for a key seen before, for webhooks registered since then neither',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const first = await stage.dispatch({ idempotencyKey: 'order-1' });
      assert.deepEqual([first.deliveryIds.length, first.repeated], [1, false]);
      const later = await stage.createWebhook();
      const again = await stage.dispatch({ idempotencyKey: 'order-1', payload: '{"changed":true}' });
      assert.deepEqual(again, { deliveryIds: [], repeated: true });
      assert.equal((await stage.history(id)).length, 1);
      assert.deepEqual(await stage.history(later.id), []);
    },
  },
  {
    name: 'remembers a key that had no subscriber',
    async run(stage) {
      assert.deepEqual(await stage.dispatch({ idempotencyKey: 'k' }), { deliveryIds: [], repeated: false });
      await stage.createWebhook();
      assert.equal((await stage.dispatch({ idempotencyKey: 'k' })).repeated, true);
    },
  },
  {
    name: 'tells keys apart by event and by their bytes',
    async run(stage) {
      const { id } = await stage.createWebhook();
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
      for (const expected of [false, true]) {
        for (const [event, idempotencyKey] of pairs) {
          assert.equal((await stage.dispatch({ event, idempotencyKey })).repeated, expected, idempotencyKey);
        }
      }
      assert.equal((await stage.history(id)).length, pairs.length);
    },
  },
  {
    name: 'keeps a key of a dispatch to one webhook too',
    async run(stage) {
      const { id: webhookId } = await stage.createWebhook();
      const once = { idempotencyKey: 'k', target: { webhookId } };
      assert.equal((await stage.dispatch(once)).repeated, false);
      assert.deepEqual(await stage.dispatch(once), { deliveryIds: [], repeated: true });
      assert.equal((await stage.dispatch({ idempotencyKey: 'k' })).repeated, true);
      assert.equal((await stage.history(webhookId)).length, 1);
    },
  },
  {
    name: 'writes once when a key comes twice in one group',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const twice = stage.dispatchRecord({ idempotencyKey: 'k' });
      const receipts = await stage.storage.recordDispatches([twice, stage.dispatchRecord(), twice]);
      assert.deepEqual(
        receipts.map(({ repeated }) => repeated),
        [false, false, true],
      );
      assert.equal((await stage.history(id)).length, 2);
    },
  },
  {
    name: 'writes once when many bring one key at once',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const receipts = await Promise.all(
        Array.from({ length: 20 }, () => stage.dispatch({ idempotencyKey: 'k' })),
      );
      assert.equal(receipts.filter(({ repeated }) => !repeated).length, 1);
      assert.equal((await stage.history(id)).length, 1);
    },
  },
];
