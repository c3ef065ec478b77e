import assert from 'node:assert/strict';
import { timestampText } from '../../../src/clock.ts';
import type { DeliveryPlace } from '../../../src/storage/delivery-requests.ts';
import type { DeliverySearch } from '../../../src/storage/delivery-search.ts';
import {
  AWKWARD_TEXTS,
  type ContractHarness,
  type HarnessCases,
  only,
  present,
} from '../contract-harness.ts';

const DAY_MS = 86_400_000;

/** Finding deliveries, of one webhook and of all. */
export const findCases: HarnessCases = {
  async "finds one webhook's deliveries, newest first, without payload and log"(harness) {
    const { id, url } = await harness.createWebhook();
    const other = await harness.createWebhook();
    for (const hours of [3, 1, 2]) {
      await harness.dispatch({ createdAt: harness.at(-hours * 3_600_000) });
    }
    const page = await search(harness, { webhookId: id });
    assert.equal(page.length, 3);
    assert.deepEqual(
      page.map((delivery) => delivery.id),
      page.map((delivery) => delivery.id).sort((a, b) => b - a),
    );
    for (const delivery of page) {
      assert.deepEqual([delivery.webhookId, delivery.webhookUrl], [id, url]);
      assert.ok(!('payload' in delivery || 'attemptLog' in delivery || 'content' in delivery));
    }
    assert.equal((await harness.history(other.id)).length, 3);
    assert.deepEqual(await harness.history(other.id + 100), []);
  },
  async 'finds a delivery under its own webhook alone, with its payload'(harness) {
    const { id } = await harness.createWebhook();
    const other = await harness.createWebhook({ events: ['user.*'] });
    const deliveryId = only((await harness.dispatch({ payload: '{"a":1}' })).deliveryIds);
    const found = await harness.delivery(id, deliveryId);
    assert.deepEqual(found, { ...only(await harness.history(id)), payload: '{"a":1}', attemptLog: [] });
    const [withAttempts] = await search(harness, { webhookId: id, withContent: 'attempts' });
    assert.deepEqual(withAttempts?.content?.attemptLog, []);
    const find = async (webhookId: number, text: string) =>
      search(harness, { webhookId, deliveryId: text, withContent: true });
    assert.deepEqual(await find(other.id, deliveryId), []);
    for (const text of [deliveryId.toUpperCase(), '', '0'.repeat(32), ...AWKWARD_TEXTS]) {
      assert.deepEqual(await find(id, text), [], text);
    }
  },
  async 'finds the deliveries of all webhooks, the latest first, and one by its delivery id'(harness) {
    const first = await harness.createWebhook();
    const second = await harness.createWebhook();
    for (const offsetMs of [-3_000, -1_000, -2_000])
      await harness.dispatch({ createdAt: harness.at(offsetMs) });
    const all = await search(harness, {});
    const histories = [
      ...(await search(harness, { webhookId: first.id })),
      ...(await search(harness, { webhookId: second.id })),
    ];
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
  async 'finds deliveries by status, event, error, HTTP status and time, and by all of them'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    const times = [-10_000, -9_000, -8_000, -7_000].map((offsetMs) => harness.at(offsetMs));
    const events = ['order.paid', 'order.refunded', 'order.paid', 'order.paid'];
    for (const [i, event] of events.entries()) {
      await harness.dispatch({ event, createdAt: present(times[i]) });
    }
    const [paid, refunded, other] = await harness.claim({ limit: 3 });
    await harness.record(present(paid), { status: 'failed', error: 'http_500', statusCode: 500 });
    await harness.record(present(refunded), { status: 'failed', error: 'timeout', statusCode: 0 });
    await harness.record(present(other));
    const [d, c, b, a] = (await harness.history(webhookId)).map(({ deliveryId }) => deliveryId);
    for (const of of [{}, { webhookId }]) {
      const find = async (fields: Partial<DeliverySearch>) =>
        (await search(harness, { ...of, ...fields })).map(({ deliveryId }) => deliveryId);
      assert.deepEqual(await find({ status: 'failed' }), [b, a]);
      assert.deepEqual(await find({ status: 'pending' }), [d]);
      assert.deepEqual(await find({ status: 'success' }), [c]);
      assert.deepEqual(await find({ event: 'order.paid' }), [d, c, a]);
      assert.deepEqual(await find({ event: 'order.paid', status: 'failed' }), [a]);
      assert.deepEqual(await find({ event: 'order.*' }), [d, c, b, a]);
      assert.deepEqual(await find({ event: 'order.paid.*' }), []);
      assert.deepEqual(await find({ event: 'orde.*' }), []);
      assert.deepEqual(await find({ event: '*' }), []);
      assert.deepEqual(await find({ event: 'order.paid', status: 'success' }), [c]);
      assert.deepEqual(await find({ error: 'timeout' }), [b]);
      assert.deepEqual(await find({ error: '' }), [d, c]);
      assert.deepEqual(await find({ hasError: true }), [b, a]);
      assert.deepEqual(await find({ hasError: true, createdFrom: present(times[1]) }), [b]);
      assert.deepEqual(await find({ statusCode: 500 }), [a]);
      assert.deepEqual(await find({ statusCode: 500, error: 'timeout' }), []);
      assert.deepEqual(await find({ createdFrom: present(times[1]) }), [d, c, b]);
      assert.deepEqual(await find({ createdBefore: present(times[2]) }), [b, a]);
      const span = { createdFrom: present(times[1]), createdBefore: present(times[2]) };
      assert.deepEqual(await find({ ...span, status: 'failed', event: 'order.refunded', statusCode: 0 }), [
        b,
      ]);
      for (const text of ['Order.paid', 'order.%', 'order', ...AWKWARD_TEXTS]) {
        assert.deepEqual([await find({ event: text }), await find({ error: text })], [[], []], text);
      }
    }
  },
  async 'finds each delivery once from page to page, however few it may read, while others come in'(harness) {
    const { id: webhookId } = await harness.createWebhook();
    const start = harness.now;
    const at = (ms: number) => timestampText(start + ms);
    for (let i = 0; i < 12; i++) {
      const event = i % 3 === 0 ? 'order.paid' : 'order.refunded';
      // Two at a time were created in one millisecond.
      await harness.dispatch({ event, createdAt: at(Math.floor(i / 2) - 1_000) });
    }
    await harness.end('failed', { limit: 6 });
    await harness.end('success', { limit: 3 });
    const filters = [
      {},
      { status: 'failed' },
      { status: 'pending', createdBefore: at(0) },
      { event: 'order.paid' },
      { error: 'http_500' },
      { status: 'failed', event: 'order.paid' },
    ] as const;
    for (const filter of filters.flatMap((one) => [one, { ...one, webhookId }])) {
      for (const bounds of [
        { limit: 3, maxScanned: 5_000 },
        { limit: 1, maxScanned: 5_000 },
        { limit: 100, maxScanned: 3 },
      ]) {
        const expected = await search(harness, filter);
        const found: number[] = [];
        let before: DeliveryPlace | null | undefined;
        for (let page = 0; before !== null; page++) {
          assert.ok(page < 100, 'pages do not end');
          const { deliveries, next, isCut } = await harness.storage.findDeliveries({
            ...filter,
            ...bounds,
            ...(before && { before }),
          });
          assert.ok(deliveries.length <= bounds.limit);
          assert.ok(!isCut || next !== null, 'a page that was cut says where');
          found.push(...deliveries.map(({ id }) => id));
          before = next;
          if (page === 0) await harness.dispatch({ event: 'order.paid', createdAt: at(10) });
        }
        assert.deepEqual(
          found,
          expected.map(({ id }) => id),
        );
      }
    }
  },
  async "finds a webhook's deliveries of a range of times, however many are newer or older"(harness) {
    const { id: webhookId } = await harness.createWebhook();
    for (let i = 0; i < 4; i++) await harness.createWebhook();
    const atDay = (day: number) => harness.at((day - 10) * DAY_MS);
    for (let day = 1; day <= 7; day++) {
      await harness.storage.recordDispatches(
        [0, 1, 2, 3].map(() => harness.dispatchRecord({ createdAt: atDay(day + 0.5) })),
      );
    }
    const ids = (await harness.history(webhookId)).map(({ id }) => id);
    for (let day = 1; day <= 7; day++) {
      const expected = ids.slice(28 - 4 * day, 32 - 4 * day);
      // Of each day beside it, three may be read.
      const span = {
        ...{ webhookId, limit: 4, maxScanned: 11 },
        ...(day > 1 && { createdFrom: atDay(day) }),
        ...(day < 7 && { createdBefore: atDay(day + 1) }),
      };
      const { deliveries, next, isCut } = await harness.storage.findDeliveries(span);
      const found = deliveries.map(({ id }) => id);
      assert.deepEqual([found, next, isCut], [expected, null, false], `day ${day}`);
      const first = await harness.storage.findDeliveries({ ...span, limit: 3 });
      assert.ok(first.next);
      const rest = await harness.storage.findDeliveries({ ...span, before: first.next });
      assert.deepEqual(
        [...first.deliveries, ...rest.deliveries].map(({ id }) => id),
        expected,
      );
      assert.deepEqual([rest.next, rest.isCut], [null, false]);
    }
  },
  async 'finds each delivery with the present URL and name of its webhook'(harness) {
    const { id } = await harness.createWebhook();
    const { url } = await harness.createWebhook();
    await harness.dispatch();
    const moved = 'https://moved.example.com/in';
    await harness.change(id, { url: moved, name: 'Moved' });
    const found = await search(harness, {});
    assert.deepEqual(
      new Map(
        found.map(({ webhookId, webhookUrl, webhookName }) => [webhookId === id, [webhookUrl, webhookName]]),
      ),
      new Map([
        [true, [moved, 'Moved']],
        [false, [url, '']],
      ]),
    );
  },
  async 'finds the deliveries of the webhooks of one tenant'(harness) {
    const { id: own } = await harness.createWebhook();
    const { id: theirs } = await harness.createWebhook({ tenant: 'acme' });
    for (const webhookId of [own, theirs]) await harness.dispatch({ target: { webhookId } });
    const find = async (fields: Partial<DeliverySearch>) =>
      (await search(harness, fields)).map(({ webhookId }) => webhookId);
    assert.deepEqual(await find({ tenant: '' }), [own]);
    assert.deepEqual(await find({ tenant: 'acme' }), [theirs]);
    assert.deepEqual(await find({ tenant: 'acme', webhookId: theirs, status: 'pending' }), [theirs]);
    assert.deepEqual(await find({ tenant: '', webhookId: theirs }), []);
    for (const tenant of ['Acme', 'acm']) assert.deepEqual(await find({ tenant }), [], tenant);
    const { deliveryId } = only(await search(harness, { tenant: 'acme' }));
    assert.deepEqual(await find({ tenant: '', deliveryId }), []);
  },
  async 'finds nothing of a webhook that was removed'(harness) {
    const { id } = await harness.createWebhook();
    await harness.createWebhook();
    await harness.dispatch();
    await harness.storage.deleteWebhook(id);
    assert.notEqual(only(await search(harness, {})).webhookId, id);
    assert.deepEqual(await harness.history(id), []);
  },
};

async function search<Transaction>(harness: ContractHarness<Transaction>, fields: Partial<DeliverySearch>) {
  const page = await harness.storage.findDeliveries({ limit: 100, maxScanned: 5_000, ...fields });
  assert.deepEqual([page.next, page.isCut], [null, false]);
  return page.deliveries;
}
