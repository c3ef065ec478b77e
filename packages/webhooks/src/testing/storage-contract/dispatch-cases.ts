import assert from 'node:assert/strict';
import { AWKWARD_TEXTS, assertDistinct, only, type StageCase } from './contract-stage.ts';

/** From an event to the deliveries of its subscribers. */
export const dispatchCases: readonly StageCase[] = [
  {
    name: 'writes a pending delivery, due now, for every subscriber',
    async run(stage) {
      const first = await stage.createWebhook({ events: ['order.paid'] });
      const second = await stage.createWebhook({ events: ['order.*'] });
      const other = await stage.createWebhook({ events: ['user.*', 'order.created'] });
      const createdAt = stage.at();
      const { deliveryIds, repeated } = await stage.dispatch({ createdAt });
      assert.deepEqual([deliveryIds.length, repeated], [2, false]);
      assert.deepEqual(await stage.history(other.id), []);
      for (const webhook of [first, second]) {
        const { id, deliveryId, nextAttemptAt, ...rest } = only(await stage.history(webhook.id));
        assert.ok(deliveryIds.includes(deliveryId) && Number.isInteger(id));
        assert.ok(nextAttemptAt !== null && nextAttemptAt <= stage.at());
        const untouched = { statusCode: 0, responseBody: '', error: '', attempts: 0, completedAt: null };
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
  },
  {
    name: 'writes one delivery per webhook, however many of its patterns match',
    async run(stage) {
      const { id } = await stage.createWebhook({ events: ['*', 'order.*', 'order.paid'] });
      assert.equal((await stage.dispatch()).deliveryIds.length, 1);
      assert.equal((await stage.history(id)).length, 1);
    },
  },
  {
    name: 'compares patterns by their bytes: no case folding, no wildcards, no padding',
    async run(stage) {
      await stage.createWebhook({ events: ['Order.*', 'order.%', 'order._', 'order.* ', 'order'] });
      const { deliveryIds } = await stage.dispatch({ target: { patterns: ['order.*', 'order.paid', '*'] } });
      assert.deepEqual(deliveryIds, []);
    },
  },
  {
    name: 'takes 65 patterns, awkward ones too',
    async run(stage) {
      const patterns = Array.from({ length: 65 }, (_, i) => AWKWARD_TEXTS[i] ?? `level${i}.*`);
      for (const pattern of patterns) await stage.createWebhook({ events: [pattern] });
      assert.equal((await stage.dispatch({ target: { patterns } })).deliveryIds.length, 65);
      assert.deepEqual((await stage.dispatch({ target: { patterns: [] } })).deliveryIds, []);
    },
  },
  {
    name: 'leaves out webhooks that are inactive at that moment',
    async run(stage) {
      const { id } = await stage.createWebhook({ isActive: false });
      assert.deepEqual((await stage.dispatch()).deliveryIds, []);
      await stage.storage.updateWebhook(id, { isActive: true, updatedAt: stage.at() });
      assert.equal((await stage.dispatch()).deliveryIds.length, 1);
      await stage.storage.updateWebhook(id, { isActive: false, updatedAt: stage.at() });
      assert.deepEqual((await stage.dispatch()).deliveryIds, []);
    },
  },
  {
    name: 'writes to one webhook by its id, whatever its patterns, if it is active',
    async run(stage) {
      const target = await stage.createWebhook({ events: ['user.*'] });
      const inactive = await stage.createWebhook({ isActive: false });
      await stage.createWebhook();
      const to = async (webhookId: number) =>
        (await stage.dispatch({ event: 'webhook.test', target: { webhookId } })).deliveryIds.length;
      assert.deepEqual([await to(target.id), await to(inactive.id), await to(inactive.id + 100)], [1, 0, 0]);
      assert.equal((await stage.history(target.id)).length, 1);
    },
  },
  {
    name: 'answers receipts in the order of the dispatches',
    async run(stage) {
      const order = await stage.createWebhook({ events: ['order.*'] });
      const user = await stage.createWebhook({ events: ['user.*'] });
      const to = (pattern: string) => stage.dispatchRecord({ event: 'a.b', target: { patterns: [pattern] } });
      const group = [to('user.*'), to('none.*'), to('order.*'), to('user.*')];
      const receipts = await stage.storage.recordDispatches(group);
      assert.deepEqual(
        receipts.map(({ deliveryIds }) => deliveryIds.length),
        [1, 0, 1, 1],
      );
      const ids = receipts.flatMap(({ deliveryIds }) => deliveryIds);
      const byAge = async (id: number) =>
        (await stage.history(id)).map(({ deliveryId }) => deliveryId).reverse();
      assert.deepEqual([await byAge(user.id), await byAge(order.id)], [[ids[0], ids[2]], [ids[1]]]);
      assert.deepEqual(await stage.storage.recordDispatches([]), []);
    },
  },
  {
    name: 'names each delivery with 32 hex characters of its own',
    async run(stage) {
      for (let i = 0; i < 3; i++) await stage.createWebhook();
      const group = Array.from({ length: 20 }, () => stage.dispatchRecord());
      const receipts = await stage.storage.recordDispatches(group);
      const ids = receipts.flatMap(({ deliveryIds }) => deliveryIds);
      assert.equal(ids.length, 60);
      assertDistinct(ids);
      for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
    },
  },
  {
    name: 'keeps payloads exactly, up to 256 KiB and in every script',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const payloads = [
        ...AWKWARD_TEXTS.map((text) => JSON.stringify({ text })),
        '{ "kept" :  1.0e2, "a":"\\u0000\\u00e9", "a":2 }',
        JSON.stringify({ filling: 'x'.repeat(256 * 1024 - 14) }),
      ];
      for (const payload of payloads) {
        const deliveryId = only((await stage.dispatch({ payload })).deliveryIds);
        assert.equal((await stage.delivery(id, deliveryId)).payload, payload);
      }
      const claimed = await stage.claim();
      assert.deepEqual(
        claimed.map(({ payload }) => payload),
        payloads,
      );
    },
  },
  {
    name: 'writes to 1,000 webhooks in one dispatch',
    async run(stage) {
      const webhookIds: number[] = [];
      for (let i = 0; i < 1_000; i++) webhookIds.push((await stage.createWebhook()).id);
      const { deliveryIds } = await stage.dispatch();
      assert.equal(deliveryIds.length, 1_000);
      assertDistinct(deliveryIds);
      const claims = await stage.claim({ limit: 1_000 });
      assert.deepEqual(
        claims.map(({ webhook }) => webhook.id).sort((a, b) => a - b),
        webhookIds,
      );
    },
  },
  {
    name: 'loses nothing when many dispatches run at once',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const receipts = await Promise.all(Array.from({ length: 50 }, () => stage.dispatch()));
      assertDistinct(receipts.flatMap(({ deliveryIds }) => deliveryIds));
      assert.equal((await stage.storage.countDeliveries(id)).pending, 50);
    },
  },
  {
    name: 'writes a group as a whole: nobody sees a part of it',
    async run(stage) {
      const { id } = await stage.createWebhook();
      let isWritten = false;
      const group = Array.from({ length: 40 }, () => stage.dispatchRecord());
      const writing = stage.storage.recordDispatches(group).finally(() => {
        isWritten = true;
      });
      const seen = new Set<number>();
      // Bounded by the write, which cannot outlast the reads forever: a storage serves both.
      do seen.add((await stage.storage.countDeliveries(id)).total);
      while (!isWritten);
      await writing;
      seen.add((await stage.storage.countDeliveries(id)).total);
      for (const total of seen) assert.ok(total === 0 || total === 40, `saw ${total} of 40`);
      assert.ok(seen.has(40));
    },
  },
  {
    name: 'leaves no delivery behind when the webhook is removed during dispatches',
    async run(stage) {
      for (let round = 0; round < 10; round++) {
        const { id } = await stage.createWebhook();
        const stays = await stage.createWebhook();
        const dispatches = Array.from({ length: 4 }, () => stage.dispatch());
        const [removed] = await Promise.all([
          stage.storage.deleteWebhook(id),
          ...dispatches,
          stage.dispatch(),
        ]);
        assert.equal(removed, true);
        assert.deepEqual(await stage.history(id), []);
        assert.equal((await stage.history(stays.id)).length, 5);
        assert.ok((await stage.claim({ limit: 1_000 })).every(({ webhook }) => webhook.id !== id));
        await stage.storage.deleteWebhook(stays.id);
      }
    },
  },
];
