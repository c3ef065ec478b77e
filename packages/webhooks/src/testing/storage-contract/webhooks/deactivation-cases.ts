import assert from 'node:assert/strict';
import type { WebhookChange } from '../../../storage/webhook-requests.ts';
import { type ContractHarness, type HarnessCase, present, WEBHOOK_URL } from '../contract-harness.ts';

/** Webhooks that the engine deactivates. */
export const deactivationCases: readonly HarnessCase[] = [
  {
    name: 'deactivates a webhook and keeps the reason until it is activated again',
    async run(harness) {
      const webhook = await harness.createWebhook();
      for (const reason of ['gone', 'failing'] as const) {
        await harness.pass(10);
        const updatedAt = harness.at();
        const activation = await harness.activationOf(webhook.id);
        assert.equal(
          await harness.storage.deactivateWebhook(webhook.id, { activation, reason, updatedAt }),
          true,
        );
        const deactivated = {
          ...webhook,
          isActive: false,
          inactiveReason: reason,
          inactiveSince: updatedAt,
          updatedAt,
        };
        assert.deepEqual(await harness.storage.findWebhook(webhook.id), deactivated);
        assert.deepEqual((await harness.dispatch()).deliveryIds, []);
        const described = await harness.storage.updateWebhook(webhook.id, { description: 'x', updatedAt });
        assert.equal(described?.inactiveReason, reason);
        await harness.pass(10);
        const change = { description: '', isActive: true, updatedAt: harness.at() };
        const activated = await harness.storage.updateWebhook(webhook.id, change);
        assert.deepEqual(activated, { ...webhook, updatedAt: change.updatedAt });
        assert.deepEqual(await harness.storage.findWebhook(webhook.id), activated);
        assert.equal((await harness.dispatch()).deliveryIds.length, 1);
      }
    },
  },
  {
    name: 'deactivates nothing that is inactive or gone, and keeps the reason there was',
    async run(harness) {
      const { id: off } = await harness.createWebhook();
      const { id: gone } = await harness.createWebhook();
      const other = await harness.createWebhook();
      const activations = new Map([
        [off, await harness.activationOf(off)],
        [gone, await harness.activationOf(gone)],
      ]);
      await harness.storage.updateWebhook(off, { isActive: false, updatedAt: harness.at() });
      const deactivate = (id: number, reason: 'gone' | 'failing') => {
        const activation = activations.get(id) ?? 0;
        return harness.storage.deactivateWebhook(id, { activation, reason, updatedAt: harness.at() });
      };
      assert.deepEqual(
        [await deactivate(off, 'gone'), await deactivate(off + 1_000, 'gone')],
        [false, false],
      );
      assert.equal((await harness.storage.findWebhook(off))?.inactiveReason, '');
      assert.equal(await deactivate(gone, 'gone'), true);
      assert.equal(await deactivate(gone, 'failing'), false);
      assert.equal((await harness.storage.findWebhook(gone))?.inactiveReason, 'gone');
      assert.deepEqual(await harness.storage.findWebhook(other.id), other);
    },
  },
  {
    name: 'tells one of many that deactivate a webhook at once that it was the one',
    async run(harness) {
      for (let round = 0; round < 5; round++) {
        const { id } = await harness.createWebhook();
        const activation = await harness.activationOf(id);
        const reasons = Array.from({ length: 10 }, (_, i) => (i % 3 === 0 ? 'gone' : 'failing'));
        const answers = await Promise.all(
          reasons.map((reason, i) =>
            harness.storageOf(i).deactivateWebhook(id, { activation, reason, updatedAt: harness.at() }),
          ),
        );
        assert.equal(answers.filter(Boolean).length, 1);
        const { inactiveReason } = present(await harness.storage.findWebhook(id));
        assert.equal(inactiveReason, reasons[answers.indexOf(true)]);
      }
    },
  },
  {
    name: 'deactivates nothing that was activated again or given another URL since the claim',
    async run(harness) {
      for (const [change, changes] of Object.entries(NEW_ACTIVATIONS)) {
        const { id } = await harness.createWebhook();
        const before = await harness.activationOf(id);
        for (const fields of changes) {
          await harness.storage.updateWebhook(id, { ...fields, updatedAt: harness.at() });
        }
        const changed = await harness.storage.findWebhook(id);
        assert.equal(await deactivate(harness, id, before), false, change);
        assert.deepEqual(await harness.storage.findWebhook(id), changed, change);
        assert.equal(await deactivate(harness, id, await harness.activationOf(id)), true, change);
      }
    },
  },
  {
    name: 'deactivates what was changed in any other way since the claim',
    async run(harness) {
      const { id } = await harness.createWebhook();
      const activation = await harness.activationOf(id);
      const updatedAt = harness.at();
      const fields = { url: WEBHOOK_URL, description: 'x', events: ['order.*'], isActive: true, updatedAt };
      await harness.storage.updateWebhook(id, fields);
      await harness.storage.updateWebhook(id, { updatedAt });
      const rotation = { secret: 'whsec_next', previousSecretExpiresAt: harness.at(1_000), updatedAt };
      await harness.storage.rotateSecret(id, rotation);
      assert.equal(await harness.activationOf(id), activation);
      assert.equal(await deactivate(harness, id, activation), true);
    },
  },
  {
    name: 'leaves a webhook active that is activated again while an earlier attempt deactivates it',
    async run(harness) {
      const { id } = await harness.createWebhook();
      for (let round = 0; round < 10; round++) {
        const activation = await harness.activationOf(id);
        const there = harness.storageOf(round);
        const activateAgain = async () => {
          await there.updateWebhook(id, { isActive: false, updatedAt: harness.at() });
          await there.updateWebhook(id, { isActive: true, updatedAt: harness.at() });
        };
        const deactivating = () => deactivate(harness, id, activation);
        const [first, second] = round % 4 < 2 ? [deactivating, activateAgain] : [activateAgain, deactivating];
        await Promise.all([first(), second()]);
        assert.equal(present(await harness.storage.findWebhook(id)).isActive, true);
      }
    },
  },
];

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

function deactivate<Transaction>(
  harness: ContractHarness<Transaction>,
  id: number,
  activation: number,
): Promise<boolean> {
  return harness.storage.deactivateWebhook(id, { activation, reason: 'gone', updatedAt: harness.at() });
}
