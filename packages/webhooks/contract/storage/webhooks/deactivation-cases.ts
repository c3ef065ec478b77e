import assert from 'node:assert/strict';
import { changing } from '../../../src/storage/changed-state.ts';
import type { WebhookChange } from '../../../src/storage/webhook-requests.ts';
import { deactivation, type HarnessCases, only, present, WEBHOOK_URL } from '../contract-harness.ts';

/** Webhooks that the engine deactivates. */
export const deactivationCases: HarnessCases = {
  async 'deactivates a webhook and keeps the reason until it is activated again'(harness) {
    const webhook = await harness.createWebhook();
    for (const reason of ['gone', 'failing'] as const) {
      await harness.pass(10);
      const updatedAt = harness.at();
      const change = { ...deactivation(await harness.activationOf(webhook.id), reason), updatedAt };
      const changed = await harness.change(webhook.id, change);
      const deactivated = {
        ...webhook,
        isActive: false,
        inactiveReason: reason,
        inactiveSince: updatedAt,
        updatedAt,
      };
      assert.deepEqual(changed, deactivated);
      assert.deepEqual(await harness.storage.findWebhook(webhook.id), deactivated);
      assert.deepEqual((await harness.dispatch()).deliveryIds, []);
      const described = await harness.change(webhook.id, { description: 'x', updatedAt });
      assert.equal(described?.inactiveReason, reason);
      await harness.pass(10);
      const activation = { description: '', isActive: true, updatedAt: harness.at() };
      const activated = await harness.change(webhook.id, activation);
      assert.deepEqual(activated, { ...webhook, updatedAt: activation.updatedAt });
      assert.deepEqual(await harness.storage.findWebhook(webhook.id), activated);
      assert.equal((await harness.dispatch()).deliveryIds.length, 1);
    }
  },
  async 'deactivates nothing that is inactive or gone, and keeps the reason there was'(harness) {
    const { id: off } = await harness.createWebhook();
    const { id: gone } = await harness.createWebhook();
    const other = await harness.createWebhook();
    const activations = new Map([
      [off, await harness.activationOf(off)],
      [gone, await harness.activationOf(gone)],
    ]);
    await harness.change(off, { isActive: false });
    const deactivate = (id: number, reason: 'gone' | 'failing') =>
      harness.change(id, deactivation(activations.get(id) ?? 0, reason));
    assert.equal(await deactivate(off, 'gone'), undefined);
    assert.equal(await deactivate(off + 1_000, 'gone'), undefined);
    assert.equal((await harness.storage.findWebhook(off))?.inactiveReason, '');
    assert.equal((await deactivate(gone, 'gone'))?.isActive, false);
    assert.equal(await deactivate(gone, 'failing'), undefined);
    assert.equal((await harness.storage.findWebhook(gone))?.inactiveReason, 'gone');
    assert.deepEqual(await harness.storage.findWebhook(other.id), other);
  },
  async 'tells one of many that deactivate a webhook at once that it was the one'(harness) {
    for (let round = 0; round < 5; round++) {
      const { id } = await harness.createWebhook();
      const activation = await harness.activationOf(id);
      const reasons = Array.from({ length: 10 }, (_, i) => (i % 3 === 0 ? 'gone' : 'failing'));
      const answers = await Promise.all(
        reasons.map((reason, i) =>
          harness
            .storageOf(i)
            .changeWebhook(id, changing({ ...deactivation(activation, reason), updatedAt: harness.at() })),
        ),
      );
      const changed = only(answers.filter((answer) => answer !== undefined));
      assert.deepEqual(await harness.storage.findWebhook(id), changed);
      assert.equal(changed.inactiveReason, reasons[answers.indexOf(changed)]);
    }
  },
  async 'deactivates nothing that was activated again or given another URL since the claim'(harness) {
    for (const [change, changes] of Object.entries(NEW_ACTIVATIONS)) {
      const { id } = await harness.createWebhook();
      const before = await harness.activationOf(id);
      for (const fields of changes) await harness.change(id, fields);
      const changed = await harness.storage.findWebhook(id);
      assert.equal(await harness.change(id, deactivation(before)), undefined, change);
      assert.deepEqual(await harness.storage.findWebhook(id), changed, change);
      const present = deactivation(await harness.activationOf(id));
      assert.equal((await harness.change(id, present))?.isActive, false, change);
    }
  },
  async 'deactivates what was changed in any other way since the claim'(harness) {
    const { id } = await harness.createWebhook();
    const activation = await harness.activationOf(id);
    const fields = { url: WEBHOOK_URL, description: 'x', events: ['order.*'], isActive: true };
    const rotation = { secret: 'whsec_next', previousSecretExpiresAt: harness.at(1_000) };
    await harness.change(id, { ...fields, rotation });
    await harness.change(id, {});
    assert.equal(await harness.activationOf(id), activation);
    assert.equal((await harness.change(id, deactivation(activation)))?.isActive, false);
  },
  async 'leaves a webhook active that is activated again while an earlier attempt deactivates it'(harness) {
    const { id } = await harness.createWebhook();
    for (let round = 0; round < 10; round++) {
      const activation = await harness.activationOf(id);
      const there = harness.storageOf(round);
      const activateAgain = async () => {
        await there.changeWebhook(id, changing({ isActive: false, updatedAt: harness.at() }));
        await there.changeWebhook(id, changing({ isActive: true, updatedAt: harness.at() }));
      };
      const deactivating = () => harness.change(id, deactivation(activation));
      const [first, second] = round % 4 < 2 ? [deactivating, activateAgain] : [activateAgain, deactivating];
      await Promise.all([first(), second()]);
      assert.equal(present(await harness.storage.findWebhook(id)).isActive, true);
    }
  },
};

/**
 * Changes by an administrator that begin a new activation, which an attempt begun before cannot
 * deactivate.
 */
const NEW_ACTIVATIONS: Readonly<Record<string, readonly Omit<WebhookChange, 'updatedAt'>[]>> = {
  'activated again': [{ isActive: false }, { isActive: true }],
  'given another URL': [{ url: 'https://recipient.example/new' }],
  'given another URL and the first one again': [
    { url: 'https://recipient.example/new' },
    { url: WEBHOOK_URL },
  ],
};
