import assert from 'node:assert/strict';
import type { DeliveryQuery } from '../../../storage/delivery-requests.ts';
import { AWKWARD_TEXTS, type HarnessCase, only } from '../contract-harness.ts';

/** Reading what was delivered. */
export const historyCases: readonly HarnessCase[] = [
  {
    name: "shows one webhook's deliveries, newest first, without payload and log",
    async run(harness) {
      const { id } = await harness.createWebhook();
      const other = await harness.createWebhook();
      for (let i = 0; i < 3; i++) await harness.dispatch();
      const page = await harness.history(id);
      assert.equal(page.length, 3);
      assert.deepEqual(
        page.map((delivery) => delivery.id),
        page.map((delivery) => delivery.id).sort((a, b) => b - a),
      );
      for (const delivery of page) {
        assert.equal(delivery.webhookId, id);
        assert.ok(!('payload' in delivery) && !('attemptLog' in delivery));
      }
      assert.equal((await harness.history(other.id)).length, 3);
      assert.deepEqual(await harness.history(other.id + 100), []);
    },
  },
  {
    name: 'pages by id without gap or repeat while deliveries come in',
    async run(harness) {
      const { id } = await harness.createWebhook();
      await harness.storage.recordDispatches(Array.from({ length: 11 }, () => harness.dispatchRecord()));
      const expected = (await harness.history(id)).map((delivery) => delivery.id);
      const seen: number[] = [];
      for (let beforeId: number | undefined, page = 0; page < 5; page++) {
        const query = { webhookId: id, limit: 3, ...(beforeId !== undefined && { beforeId }) };
        const ids = (await harness.storage.listDeliveries(query)).map((delivery) => delivery.id);
        seen.push(...ids);
        beforeId = ids.at(-1) ?? beforeId;
        await harness.dispatch();
      }
      assert.deepEqual(seen, expected);
    },
  },
  {
    name: 'filters by status and by event, together with paging',
    async run(harness) {
      const { id } = await harness.createWebhook();
      for (const event of ['order.paid', 'order.refunded', 'order.paid']) await harness.dispatch({ event });
      const [first, second] = await harness.claim({ limit: 2 });
      assert.ok(first && second);
      await harness.record(first, { status: 'failed', error: 'http_500' });
      await harness.record(second);
      const third = (await harness.history(id))[0]?.id;
      const list = async (fields: object) =>
        (await harness.storage.listDeliveries({ webhookId: id, limit: 101, ...fields })).map(
          (found) => found.id,
        );
      assert.deepEqual(await list({ status: 'pending' }), [third]);
      assert.deepEqual(await list({ status: 'failed' }), [first.id]);
      assert.deepEqual(await list({ status: 'success' }), [second.id]);
      assert.deepEqual(await list({ event: 'order.paid' }), [third, first.id]);
      assert.deepEqual(await list({ event: 'order.paid', status: 'failed' }), [first.id]);
      assert.deepEqual(await list({ event: 'order.paid', beforeId: third }), [first.id]);
      assert.deepEqual(await list({ event: 'order.refunded', status: 'failed' }), []);
      for (const event of ['Order.paid', 'order.%', 'order', ...AWKWARD_TEXTS]) {
        assert.deepEqual(await list({ event }), [], event);
      }
    },
  },
  {
    name: 'pages by id within what a status and an event select',
    async run(harness) {
      const { id } = await harness.createWebhook();
      for (let i = 0; i < 3; i++) {
        for (const event of ['order.paid', 'order.refunded']) await harness.dispatch({ event });
      }
      await harness.end('failed');
      const filters: Partial<DeliveryQuery>[] = [
        { status: 'failed' },
        { event: 'order.paid' },
        { status: 'failed', event: 'order.paid' },
      ];
      for (const filter of filters) {
        const list = async (fields: Partial<DeliveryQuery>) =>
          (await harness.storage.listDeliveries({ webhookId: id, limit: 101, ...filter, ...fields })).map(
            (found) => found.id,
          );
        const all = await list({});
        assert.equal(all.length, filter.event === undefined ? 6 : 3);
        for (const [index, beforeId] of all.entries()) {
          assert.deepEqual(await list({ beforeId }), all.slice(index + 1));
          assert.deepEqual(await list({ beforeId, limit: 1 }), all.slice(index + 1, index + 2));
        }
      }
    },
  },
  {
    name: 'finds a delivery under its own webhook alone, with its payload',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const other = await harness.createWebhook({ events: ['user.*'] });
      const deliveryId = only((await harness.dispatch({ payload: '{"a":1}' })).deliveryIds);
      const found = await harness.delivery(id, deliveryId);
      assert.deepEqual(found, { ...only(await harness.history(id)), payload: '{"a":1}', attemptLog: [] });
      assert.equal(await harness.storage.findDelivery(other.id, deliveryId), undefined);
      assert.equal(await harness.storage.findDelivery(id, deliveryId.toUpperCase()), undefined);
      for (const text of ['', '0'.repeat(32), ...AWKWARD_TEXTS]) {
        assert.equal(await harness.storage.findDelivery(id, text), undefined);
      }
    },
  },
  {
    name: 'counts deliveries by status, zeros where there are none',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const zeros = { total: 0, success: 0, failed: 0, pending: 0 };
      assert.deepEqual(await harness.storage.countDeliveries(id), zeros);
      await harness.storage.recordDispatches(Array.from({ length: 6 }, () => harness.dispatchRecord()));
      const claims = await harness.claim({ limit: 5 });
      const statuses = ['success', 'success', 'success', 'failed', 'pending'] as const;
      const results = claims.map((claim, i) =>
        harness.result(claim, { status: statuses[i] ?? 'pending', retryInMs: 60_000 }),
      );
      await harness.storage.recordAttempts(results);
      assert.deepEqual(await harness.storage.countDeliveries(id), {
        total: 6,
        success: 3,
        failed: 1,
        pending: 2,
      });
      assert.deepEqual(await harness.storage.countDeliveries(id + 100), zeros);
    },
  },
];
