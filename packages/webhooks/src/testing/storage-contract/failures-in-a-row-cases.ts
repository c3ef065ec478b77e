import assert from 'node:assert/strict';
import { present, type StageCase, WEBHOOK_URL } from './contract-stage.ts';

/** How the engine learns that it should deactivate a webhook: so many failures since something went right. */
export const failuresInARowCases: readonly StageCase[] = [
  {
    name: 'counts failures in a row back to the last success, past pending deliveries, up to the limit',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const count = (limit = 1_000) => stage.storage.countFailuresInARow(id, limit);
      assert.equal(await count(), 0);
      const end = async (status: 'success' | 'failed') => {
        await stage.dispatch();
        await stage.end(status);
        await stage.pass(10);
      };
      await end('failed');
      assert.equal(await count(), 1);
      await end('success');
      assert.equal(await count(), 0);
      await end('failed');
      await stage.dispatch();
      const waiting = await stage.claimOnly();
      await end('failed');
      assert.deepEqual([await count(), await count(2), await count(1)], [2, 2, 1]);
      await stage.record(waiting, { status: 'pending', retryInMs: 3_600_000 });
      assert.equal(await count(), 2);
      assert.equal(await stage.storage.countFailuresInARow(id + 100, 10), 0);
    },
  },
  {
    name: 'counts failures in a row by when they ended, whatever is older, and whatever becomes of the success',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const count = () => stage.storage.countFailuresInARow(id, 10);
      const claimNext = async () => {
        await stage.dispatch();
        return stage.claimOnly();
      };
      const [oldest, older] = [await claimNext(), await claimNext()];
      for (const claim of [await claimNext(), await claimNext()]) {
        await stage.record(claim, { status: 'failed', error: 'http_500' });
      }
      assert.equal(await count(), 2);
      await stage.pass(10);
      await stage.record(older);
      assert.equal(await count(), 0, 'an older delivery succeeded after they had failed');
      await stage.pass(10);
      await stage.record(oldest, { status: 'failed', error: 'http_500' });
      assert.equal(await count(), 1, 'the oldest failed after that');
      await stage.storage.reopenDelivery({ webhookId: id, deliveryId: older.deliveryId, now: stage.now });
      assert.equal(await count(), 1, 'the success is reopened');
    },
  },
  {
    name: 'counts failures in a row by webhook, the reopened no longer among them',
    async run(stage) {
      const { id } = await stage.createWebhook({ events: ['a.*'] });
      const other = await stage.createWebhook({ events: ['b.*'] });
      for (const pattern of ['a.*', 'b.*', 'a.*']) await stage.dispatch({ target: { patterns: [pattern] } });
      const [deliveryId] = await stage.end('failed');
      const counts = async () => [
        await stage.storage.countFailuresInARow(id, 10),
        await stage.storage.countFailuresInARow(other.id, 10),
      ];
      assert.deepEqual(await counts(), [2, 1]);
      const reopening = { webhookId: id, deliveryId: present(deliveryId), now: stage.now };
      await stage.storage.reopenDelivery(reopening);
      assert.deepEqual(await counts(), [1, 1]);
    },
  },
  {
    name: 'begins a new count of failures in a row when a webhook is activated that was inactive',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const count = () => stage.storage.countFailuresInARow(id, 10);
      const fail = async (times: number) => {
        for (let i = 0; i < times; i++) await stage.dispatch();
        await stage.end('failed');
        await stage.pass(10);
      };
      const update = async (isActive: boolean) => {
        await stage.storage.updateWebhook(id, { isActive, updatedAt: stage.at() });
        await stage.pass(10);
      };
      const activation = await stage.activationOf(id);
      await stage.pass(10);
      await fail(3);
      await update(true);
      assert.equal(await count(), 3, 'it was active already');
      const deactivation = { activation, reason: 'failing', updatedAt: stage.at() } as const;
      assert.equal(await stage.storage.deactivateWebhook(id, deactivation), true);
      await update(true);
      assert.equal(await count(), 0, 'the engine had deactivated it');
      await fail(2);
      assert.equal(await count(), 2);
      await update(false);
      await update(true);
      assert.equal(await count(), 0, 'an administrator had deactivated it');
      await fail(1);
      assert.equal(await count(), 1);
      await stage.storage.updateWebhook(id, { url: WEBHOOK_URL, updatedAt: stage.at() });
      assert.equal(await count(), 1, 'it had this URL already');
      await stage.storage.updateWebhook(id, { url: 'https://recipient.example/new', updatedAt: stage.at() });
      assert.equal(await count(), 0, 'it has another URL');
      const { isActive, inactiveReason } = present(await stage.storage.findWebhook(id));
      assert.deepEqual([isActive, inactiveReason], [true, '']);
    },
  },
  {
    name: 'counts a failure in a row with the activation of its claim, whatever was activated since',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const count = () => stage.storage.countFailuresInARow(id, 10);
      for (let i = 0; i < 3; i++) await stage.dispatch();
      const [late, retried, success] = await stage.claim();
      await stage.storage.updateWebhook(id, { isActive: false, updatedAt: stage.at() });
      await stage.storage.updateWebhook(id, { isActive: true, updatedAt: stage.at() });
      await stage.record(present(late), { status: 'failed', error: 'http_500' });
      assert.equal(await count(), 0, 'it was sent before the activation');
      await stage.record(present(retried), { status: 'pending', retryInMs: 0 });
      await stage.record(await stage.claimOnly(), { status: 'failed', error: 'http_500' });
      assert.equal(await count(), 1, 'it was sent again after it');
      await stage.pass(10);
      await stage.record(present(success));
      assert.equal(await count(), 0, 'a success counts whenever it was sent');
    },
  },
];
