import assert from 'node:assert/strict';
import { AWKWARD_TEXTS, assertDistinct, type HarnessCases, only } from '../contract-harness.ts';

/** From an event to the deliveries of its subscribers. */
export const dispatchCases: HarnessCases = {
  async 'writes a pending delivery, due now, for every subscriber'(harness) {
    const first = await harness.createWebhook({ events: ['order.paid'] });
    const second = await harness.createWebhook({ events: ['order.*'] });
    const other = await harness.createWebhook({ events: ['user.*', 'order.created'] });
    const createdAt = harness.at();
    const { deliveryIds, outcome } = await harness.dispatch({ createdAt });
    assert.deepEqual([deliveryIds.length, outcome], [2, 'written']);
    assert.deepEqual(await harness.history(other.id), []);
    for (const webhook of [first, second]) {
      const { id, deliveryId, nextAttemptAt, ...rest } = only(await harness.history(webhook.id));
      assert.ok(deliveryIds.includes(deliveryId) && Number.isInteger(id));
      assert.ok(nextAttemptAt !== null && nextAttemptAt <= harness.at());
      const untouched = {
        statusCode: 0,
        responseBody: '',
        error: '',
        attempts: 0,
        deferrals: 0,
        completedAt: null,
      };
      const expected = {
        webhookId: webhook.id,
        event: 'order.paid',
        status: 'pending',
        createdAt,
        ...untouched,
      };
      assert.deepEqual(rest, expected);
    }
  },
  async 'writes one delivery per webhook, however many of its patterns match'(harness) {
    const { id } = await harness.createWebhook({ events: ['*', 'order.*', 'order.paid'] });
    assert.equal((await harness.dispatch()).deliveryIds.length, 1);
    assert.equal((await harness.history(id)).length, 1);
  },
  async 'compares patterns by their bytes: no case folding, no wildcards, no padding'(harness) {
    await harness.createWebhook({ events: ['Order.*', 'order.%', 'order._', 'order.* ', 'order'] });
    const { deliveryIds } = await harness.dispatch({
      target: { patterns: ['order.*', 'order.paid', '*'] },
    });
    assert.deepEqual(deliveryIds, []);
  },
  async 'takes 65 patterns, awkward ones too'(harness) {
    const patterns = Array.from({ length: 65 }, (_, i) => AWKWARD_TEXTS[i] ?? `level${i}.*`);
    for (const pattern of patterns) await harness.createWebhook({ events: [pattern] });
    assert.equal((await harness.dispatch({ target: { patterns } })).deliveryIds.length, 65);
    assert.deepEqual((await harness.dispatch({ target: { patterns: [] } })).deliveryIds, []);
  },
  async 'leaves out webhooks that are inactive at that time'(harness) {
    const { id } = await harness.createWebhook({ isActive: false });
    assert.deepEqual((await harness.dispatch()).deliveryIds, []);
    await harness.change(id, { isActive: true });
    assert.equal((await harness.dispatch()).deliveryIds.length, 1);
    await harness.change(id, { isActive: false });
    assert.deepEqual((await harness.dispatch()).deliveryIds, []);
  },
  async 'writes to one webhook by its id, whatever its patterns, if it is active'(harness) {
    const target = await harness.createWebhook({ events: ['user.*'] });
    const inactive = await harness.createWebhook({ isActive: false });
    await harness.createWebhook();
    const to = async (webhookId: number) =>
      (await harness.dispatch({ event: 'webhook.test', target: { webhookId } })).deliveryIds.length;
    assert.deepEqual([await to(target.id), await to(inactive.id), await to(inactive.id + 100)], [1, 0, 0]);
    assert.equal((await harness.history(target.id)).length, 1);
  },
  async 'answers receipts in the order of the dispatches'(harness) {
    const order = await harness.createWebhook({ events: ['order.*'] });
    const user = await harness.createWebhook({ events: ['user.*'] });
    const to = (pattern: string) => harness.dispatchRecord({ event: 'a.b', target: { patterns: [pattern] } });
    const group = [to('user.*'), to('none.*'), to('order.*'), to('user.*')];
    const receipts = await harness.storage.recordDispatches(group);
    assert.deepEqual(
      receipts.map(({ deliveryIds }) => deliveryIds.length),
      [1, 0, 1, 1],
    );
    const ids = receipts.flatMap(({ deliveryIds }) => deliveryIds);
    const byAge = async (id: number) =>
      (await harness.history(id)).map(({ deliveryId }) => deliveryId).reverse();
    assert.deepEqual([await byAge(user.id), await byAge(order.id)], [[ids[0], ids[2]], [ids[1]]]);
    assert.deepEqual(await harness.storage.recordDispatches([]), []);
  },
  async 'names each delivery with 32 hex characters of its own'(harness) {
    for (let i = 0; i < 3; i++) await harness.createWebhook();
    const group = Array.from({ length: 20 }, () => harness.dispatchRecord());
    const receipts = await harness.storage.recordDispatches(group);
    const ids = receipts.flatMap(({ deliveryIds }) => deliveryIds);
    assert.equal(ids.length, 60);
    assertDistinct(ids);
    for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
  },
  async 'keeps payloads exactly, up to 256 KiB and in every script'(harness) {
    const { id } = await harness.createWebhook();
    const payloads = [
      ...AWKWARD_TEXTS.map((text) => JSON.stringify({ text })),
      '{ "kept" :  1.0e2, "a":"\\u0000\\u00e9", "a":2 }',
      JSON.stringify({ filling: 'x'.repeat(256 * 1024 - 14) }),
    ];
    for (const payload of payloads) {
      const deliveryId = only((await harness.dispatch({ payload })).deliveryIds);
      assert.equal((await harness.delivery(id, deliveryId)).payload, payload);
    }
    const claimed = await harness.claim();
    assert.deepEqual(
      claimed.map(({ payload }) => payload),
      payloads,
    );
  },
  async 'writes to 1,000 webhooks in one dispatch'(harness) {
    const webhookIds: number[] = [];
    for (let i = 0; i < 1_000; i++) webhookIds.push((await harness.createWebhook()).id);
    const { deliveryIds } = await harness.dispatch();
    assert.equal(deliveryIds.length, 1_000);
    assertDistinct(deliveryIds);
    const claims = await harness.claim({ limit: 1_000 });
    assert.deepEqual(
      claims.map(({ webhook }) => webhook.id).sort((a, b) => a - b),
      webhookIds,
    );
  },
  async 'loses nothing when many dispatches run at once'(harness) {
    const { id } = await harness.createWebhook();
    const receipts = await Promise.all(Array.from({ length: 50 }, () => harness.dispatch()));
    assertDistinct(receipts.flatMap(({ deliveryIds }) => deliveryIds));
    assert.equal((await harness.counts(id)).pending, 50);
  },
  async 'writes a group as a whole: no reader sees a part of it'(harness) {
    const { id } = await harness.createWebhook();
    let isWritten = false;
    const group = Array.from({ length: 40 }, () => harness.dispatchRecord());
    const writing = harness.storage.recordDispatches(group).finally(() => {
      isWritten = true;
    });
    const seen = new Set<number>();
    // Bounded by the write, which cannot outlast the reads forever: a storage serves both.
    do seen.add((await harness.counts(id)).total);
    while (!isWritten);
    await writing;
    seen.add((await harness.counts(id)).total);
    for (const total of seen) assert.ok(total === 0 || total === 40, `saw ${total} of 40`);
    assert.ok(seen.has(40));
  },
  async 'leaves no delivery behind when the webhook is removed during dispatches'(harness) {
    for (let round = 0; round < 10; round++) {
      const { id } = await harness.createWebhook();
      const stays = await harness.createWebhook();
      const dispatches = Array.from({ length: 4 }, () => harness.dispatch());
      const [removed] = await Promise.all([
        harness.storage.deleteWebhook(id),
        ...dispatches,
        harness.dispatch(),
      ]);
      assert.equal(removed, true);
      assert.deepEqual(await harness.history(id), []);
      assert.equal((await harness.history(stays.id)).length, 5);
      assert.ok((await harness.claim({ limit: 1_000 })).every(({ webhook }) => webhook.id !== id));
      await harness.storage.deleteWebhook(stays.id);
    }
  },
};
