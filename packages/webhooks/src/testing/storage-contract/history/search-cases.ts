import assert from 'node:assert/strict';
import { timestampText } from '../../../clock.ts';
import type { DeliveryPlace } from '../../../storage/delivery-requests.ts';
import type { DeliverySearch, FoundDelivery } from '../../../storage/delivery-search.ts';
import { AWKWARD_TEXTS, type ContractHarness, type HarnessCase, only, present } from '../contract-harness.ts';

/** Finding deliveries across webhooks. */
export const searchCases: readonly HarnessCase[] = [
  {
    name: 'finds the deliveries of all webhooks, the latest first, and one by its delivery id',
    async run(harness) {
      const first = await harness.createWebhook();
      const second = await harness.createWebhook();
      for (const offsetMs of [-3_000, -1_000, -2_000])
        await harness.dispatch({ createdAt: harness.at(offsetMs) });
      const all = await search(harness, {});
      const histories: FoundDelivery[] = [];
      for (const { id, url } of [first, second]) {
        const history = await harness.history(id);
        histories.push(...history.map((delivery) => ({ ...delivery, webhookUrl: url })));
      }
      const byPlace = (a: DeliveryPlace, b: DeliveryPlace) =>
        a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1;
      assert.deepEqual(all, histories.sort(byPlace));
      for (const delivery of all) {
        assert.deepEqual(await search(harness, { deliveryId: delivery.deliveryId }), [delivery]);
      }
      const { deliveryId } = present(all[0]);
      assert.deepEqual(await search(harness, { deliveryId, event: 'order.refunded' }), []);
      assert.deepEqual(await search(harness, { deliveryId: '0'.repeat(32) }), []);
    },
  },
  {
    name: 'finds deliveries by status, event, error, HTTP status and time, and by all of them',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const times = [-10_000, -9_000, -8_000, -7_000].map((offsetMs) => harness.at(offsetMs));
      const events = ['order.paid', 'order.refunded', 'order.paid', 'order.paid'];
      for (const [i, event] of events.entries()) {
        await harness.dispatch({ event, createdAt: present(times[i]) });
      }
      const [paid, refunded, other] = await harness.claim({ limit: 3 });
      await harness.record(present(paid), { status: 'failed', error: 'http_500', statusCode: 500 });
      await harness.record(present(refunded), { status: 'failed', error: 'timeout', statusCode: 0 });
      await harness.record(present(other));
      const [d, c, b, a] = (await harness.history(id)).map(({ deliveryId }) => deliveryId);
      const find = async (fields: Partial<DeliverySearch>) =>
        (await search(harness, fields)).map(({ deliveryId }) => deliveryId);
      assert.deepEqual(await find({ status: 'failed' }), [b, a]);
      assert.deepEqual(await find({ status: 'pending' }), [d]);
      assert.deepEqual(await find({ status: 'success' }), [c]);
      assert.deepEqual(await find({ event: 'order.paid' }), [d, c, a]);
      assert.deepEqual(await find({ event: 'order.paid', status: 'failed' }), [a]);
      assert.deepEqual(await find({ event: 'order.paid', status: 'success' }), [c]);
      assert.deepEqual(await find({ error: 'timeout' }), [b]);
      assert.deepEqual(await find({ error: '' }), [d, c]);
      assert.deepEqual(await find({ statusCode: 500 }), [a]);
      assert.deepEqual(await find({ statusCode: 500, error: 'timeout' }), []);
      assert.deepEqual(await find({ createdFrom: present(times[1]) }), [d, c, b]);
      assert.deepEqual(await find({ createdBefore: present(times[2]) }), [b, a]);
      const span = { createdFrom: present(times[1]), createdBefore: present(times[2]) };
      assert.deepEqual(await find({ ...span, status: 'failed', event: 'order.refunded', statusCode: 0 }), [
        b,
      ]);
      for (const text of AWKWARD_TEXTS) {
        assert.deepEqual([await find({ event: text }), await find({ error: text })], [[], []], text);
      }
    },
  },
  {
    name: 'finds each delivery once from page to page, however few it may look at, while others come in',
    async run(harness) {
      await harness.createWebhook();
      const start = harness.now;
      const at = (ms: number) => timestampText(start + ms);
      for (let i = 0; i < 12; i++) {
        const event = i % 3 === 0 ? 'order.paid' : 'order.refunded';
        // Two at a time were created in one millisecond.
        await harness.dispatch({ event, createdAt: at(Math.floor(i / 2) - 1_000) });
      }
      await harness.end('failed', { limit: 6 });
      await harness.end('success', { limit: 3 });
      for (const filter of [
        {},
        { status: 'failed' },
        { event: 'order.paid' },
        { error: 'http_500' },
      ] as const) {
        const expected = (await search(harness, { ...filter, createdBefore: at(0) })).map(({ id }) => id);
        for (const bounds of [
          { limit: 3, maxScanned: 5_000 },
          { limit: 100, maxScanned: 3 },
        ]) {
          const found: number[] = [];
          let before: DeliveryPlace | null = { id: 1, createdAt: at(0) };
          for (let page = 0; before !== null; page++) {
            assert.ok(page < 20, 'pages do not end');
            const { deliveries, next, isCut } = await harness.storage.searchDeliveries({
              ...filter,
              ...bounds,
              before,
            });
            assert.ok(deliveries.length <= bounds.limit);
            assert.ok(!isCut || next !== null, 'a page that was cut says where');
            found.push(...deliveries.map(({ id }) => id));
            before = next;
            if (page === 0) await harness.dispatch({ event: 'order.paid', createdAt: at(10) });
          }
          assert.deepEqual(found, expected);
        }
      }
    },
  },
  {
    name: 'finds each delivery with the present URL of its webhook',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const { url } = await harness.createWebhook();
      await harness.dispatch();
      const moved = 'https://moved.example.com/in';
      await harness.change(id, { url: moved });
      const found = await search(harness, {});
      assert.deepEqual(
        new Map(found.map(({ webhookId, webhookUrl }) => [webhookId === id, webhookUrl])),
        new Map([
          [true, moved],
          [false, url],
        ]),
      );
    },
  },
  {
    name: 'finds nothing of a webhook that was removed',
    async run(harness) {
      const { id } = await harness.createWebhook();
      await harness.createWebhook();
      await harness.dispatch();
      await harness.storage.deleteWebhook(id);
      assert.notEqual(only(await search(harness, {})).webhookId, id);
    },
  },
];

async function search<Transaction>(harness: ContractHarness<Transaction>, fields: Partial<DeliverySearch>) {
  const page = await harness.storage.searchDeliveries({ limit: 100, maxScanned: 5_000, ...fields });
  assert.deepEqual([page.next, page.isCut], [null, false]);
  return page.deliveries;
}
