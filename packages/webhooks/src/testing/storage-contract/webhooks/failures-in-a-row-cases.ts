import assert from 'node:assert/strict';
import { deactivation, type HarnessCase, present, WEBHOOK_URL } from '../contract-harness.ts';

/**
 * Counting failures since the last success, by which the engine decides to deactivate a webhook.
 */
export const failuresInARowCases: readonly HarnessCase[] = [
  {
    name: 'counts failures in a row back to the last success, past pending deliveries, up to the limit',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const count = (limit = 1_000) => harness.failuresInARow(id, limit);
      assert.equal(await count(), 0);
      const end = async (status: 'success' | 'failed') => {
        await harness.dispatch();
        await harness.end(status);
        await harness.pass(10);
      };
      await end('failed');
      assert.equal(await count(), 1);
      await end('success');
      assert.equal(await count(), 0);
      await end('failed');
      await harness.dispatch();
      const waiting = await harness.claimOnly();
      await end('failed');
      assert.deepEqual([await count(), await count(2), await count(1)], [2, 2, 1]);
      await harness.record(waiting, { status: 'pending', retryInMs: 3_600_000 });
      assert.equal(await count(), 2);
      assert.equal(await harness.failuresInARow(id + 100, 10), 0);
    },
  },
  {
    name: 'counts failures in a row by when they ended, whatever is older, and whatever becomes of the success',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const count = () => harness.failuresInARow(id, 10);
      const claimNext = async () => {
        await harness.dispatch();
        return harness.claimOnly();
      };
      const [oldest, older] = [await claimNext(), await claimNext()];
      for (const claim of [await claimNext(), await claimNext()]) {
        await harness.record(claim, { status: 'failed', error: 'http_500' });
      }
      assert.equal(await count(), 2);
      await harness.pass(10);
      await harness.record(older);
      assert.equal(await count(), 0, 'an older delivery succeeded after they had failed');
      await harness.pass(10);
      await harness.record(oldest, { status: 'failed', error: 'http_500' });
      assert.equal(await count(), 1, 'the oldest failed after that');
      await harness.reopen(id, older.deliveryId);
      assert.equal(await count(), 1, 'the success is reopened');
    },
  },
  {
    name: 'counts failures in a row by webhook, the reopened no longer among them',
    async run(harness) {
      const { id } = await harness.createWebhook({ events: ['a.*'] });
      const other = await harness.createWebhook({ events: ['b.*'] });
      for (const pattern of ['a.*', 'b.*', 'a.*'])
        await harness.dispatch({ target: { patterns: [pattern] } });
      const [deliveryId] = await harness.end('failed');
      const counts = async () => [
        await harness.failuresInARow(id, 10),
        await harness.failuresInARow(other.id, 10),
      ];
      assert.deepEqual(await counts(), [2, 1]);
      await harness.reopen(id, present(deliveryId));
      assert.deepEqual(await counts(), [1, 1]);
    },
  },
  {
    name: 'begins a new count of failures in a row when a webhook is activated that was inactive',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const count = () => harness.failuresInARow(id, 10);
      const fail = async (times: number) => {
        for (let i = 0; i < times; i++) await harness.dispatch();
        await harness.end('failed');
        await harness.pass(10);
      };
      const update = async (isActive: boolean) => {
        await harness.change(id, { isActive });
        await harness.pass(10);
      };
      const activation = await harness.activationOf(id);
      await harness.pass(10);
      await fail(3);
      await update(true);
      assert.equal(await count(), 3, 'it was active already');
      assert.ok(await harness.change(id, deactivation(activation, 'failing')));
      await update(true);
      assert.equal(await count(), 0, 'the engine had deactivated it');
      await fail(2);
      assert.equal(await count(), 2);
      await update(false);
      await update(true);
      assert.equal(await count(), 0, 'an administrator had deactivated it');
      await fail(1);
      assert.equal(await count(), 1);
      await harness.change(id, { url: WEBHOOK_URL });
      assert.equal(await count(), 1, 'it had this URL already');
      await harness.change(id, { url: 'https://recipient.example/new' });
      assert.equal(await count(), 0, 'it has another URL');
      const { isActive, inactiveReason } = present(await harness.storage.findWebhook(id));
      assert.deepEqual([isActive, inactiveReason], [true, '']);
    },
  },
  {
    name: 'counts a failure in a row with the activation of its claim, whatever was activated since',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const count = () => harness.failuresInARow(id, 10);
      for (let i = 0; i < 3; i++) await harness.dispatch();
      const [late, retried, success] = await harness.claim();
      await harness.change(id, { isActive: false });
      await harness.change(id, { isActive: true });
      await harness.record(present(late), { status: 'failed', error: 'http_500' });
      assert.equal(await count(), 0, 'it was sent before the activation');
      await harness.record(present(retried), { status: 'pending', retryInMs: 0 });
      await harness.record(await harness.claimOnly(), { status: 'failed', error: 'http_500' });
      assert.equal(await count(), 1, 'it was sent again after it');
      await harness.pass(10);
      await harness.record(present(success));
      assert.equal(await count(), 0, 'a success counts whenever it was sent');
    },
  },
];
