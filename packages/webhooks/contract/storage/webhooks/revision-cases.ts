import assert from 'node:assert/strict';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { deactivation, type HarnessCases, only } from '../contract-harness.ts';

/** Telling cheaply that something has changed. */
export const revisionCases: HarnessCases = {
  async 'has another revision after every change of a webhook, and the same after none'(harness) {
    const { storage } = harness;
    const { id } = await harness.createWebhook();
    const activation = await harness.activationOf(id);
    const changes: readonly (() => Promise<unknown>)[] = [
      () => harness.createWebhook(),
      () => harness.change(id, { description: 'new' }),
      () => harness.change(id, deactivation(activation)),
      () => storage.deleteWebhook(id),
    ];
    for (const webhookIds of [undefined, [id]]) {
      assert.equal(await storage.readRevision(webhookIds), await storage.readRevision(webhookIds));
    }
    for (const [index, change] of changes.entries()) {
      const before = await bothRevisions(storage, id);
      await change();
      const after = await bothRevisions(storage, id);
      assert.ok(
        before.every((revision, i) => revision !== after[i]),
        `change ${index} is not seen`,
      );
    }
  },
  async 'has another revision after a delivery of one of the webhooks was written, ended, reopened or purged'(
    harness,
  ) {
    const { storage } = harness;
    const { id } = await harness.createWebhook();
    const other = await harness.createWebhook();
    const seen: string[] = [];
    const note = async () => seen.push(await storage.readRevision([id]));
    await note();
    const deliveryId = only((await harness.dispatch({ target: { webhookId: id } })).deliveryIds);
    await note();
    const claim = await harness.claimOnly();
    await harness.record(claim, { status: 'failed', error: 'http_500' });
    await note();
    await harness.reopen(id, deliveryId);
    await note();
    await harness.record(await harness.claimOnly(), { status: 'failed', error: 'http_500' });
    await note();
    await harness.reopenFailed({ createdSince: harness.at(-10_000) });
    await note();
    await harness.end('success');
    await note();
    await storage.purgeDeliveries({ createdBefore: harness.at(10_000), now: harness.now, limit: 10 });
    await note();
    assert.equal(new Set(seen).size, seen.length, 'two states have one revision');
    const [ofOther, ofBoth] = [
      await storage.readRevision([other.id]),
      await storage.readRevision([id, other.id]),
    ];
    await harness.dispatch({ target: { webhookId: other.id } });
    assert.notEqual(await storage.readRevision([other.id]), ofOther);
    assert.notEqual(await storage.readRevision([id, other.id]), ofBoth);
  },
  async 'has another revision of all webhooks after a delivery was written to any'(harness) {
    await harness.createWebhook();
    const before = await harness.storage.readRevision();
    await harness.dispatch();
    assert.notEqual(await harness.storage.readRevision(), before);
  },
  "has another revision after a host's transaction wrote a delivery, and after that ended": {
    needs: 'transactions',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const seen = [await harness.storage.readRevision([id])];
      for (let i = 0; i < 2; i++) {
        await harness.inTransaction((transaction) =>
          harness.storage.recordDispatches([harness.dispatchRecord()], transaction),
        );
        seen.push(await harness.storage.readRevision([id]));
      }
      await harness.end('success');
      seen.push(await harness.storage.readRevision([id]));
      assert.equal(new Set(seen).size, seen.length, 'two states have one revision');
    },
  },
};

/** Of all webhooks, and of one. */
function bothRevisions<Transaction>(
  storage: Pick<WebhookStorage<Transaction>, 'readRevision'>,
  id: number,
): Promise<string[]> {
  return Promise.all([storage.readRevision(), storage.readRevision([id])]);
}
