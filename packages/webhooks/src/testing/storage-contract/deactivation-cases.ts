import assert from 'node:assert/strict';
import type { WebhookChange } from '../../storage/webhook-requests.ts';
import { type ContractStage, present, type StageCase, WEBHOOK_URL } from './contract-stage.ts';

/** Webhooks that the engine deactivates. */
export const deactivationCases: readonly StageCase[] = [
  {
    name: 'deactivates a webhook and keeps the reason until it is activated again',
    async run(stage) {
      const webhook = await stage.createWebhook();
      for (const reason of ['gone', 'failing'] as const) {
        await stage.pass(10);
        const updatedAt = stage.at();
        const activation = await stage.activationOf(webhook.id);
        assert.equal(
          await stage.storage.deactivateWebhook(webhook.id, { activation, reason, updatedAt }),
          true,
        );
        const deactivated = { ...webhook, isActive: false, inactiveReason: reason, updatedAt };
        assert.deepEqual(await stage.storage.findWebhook(webhook.id), deactivated);
        assert.deepEqual((await stage.dispatch()).deliveryIds, []);
        const described = await stage.storage.updateWebhook(webhook.id, { description: 'x', updatedAt });
        assert.equal(described?.inactiveReason, reason);
        await stage.pass(10);
        const change = { description: '', isActive: true, updatedAt: stage.at() };
        const activated = await stage.storage.updateWebhook(webhook.id, change);
        assert.deepEqual(activated, { ...webhook, updatedAt: change.updatedAt });
        assert.deepEqual(await stage.storage.findWebhook(webhook.id), activated);
        assert.equal((await stage.dispatch()).deliveryIds.length, 1);
      }
    },
  },
  {
    name: 'deactivates nothing that is inactive or gone, and keeps the reason there was',
    async run(stage) {
      const { id: off } = await stage.createWebhook();
      const { id: gone } = await stage.createWebhook();
      const other = await stage.createWebhook();
      const activations = new Map([
        [off, await stage.activationOf(off)],
        [gone, await stage.activationOf(gone)],
      ]);
      await stage.storage.updateWebhook(off, { isActive: false, updatedAt: stage.at() });
      const deactivate = (id: number, reason: 'gone' | 'failing') => {
        const activation = activations.get(id) ?? 0;
        return stage.storage.deactivateWebhook(id, { activation, reason, updatedAt: stage.at() });
      };
      assert.deepEqual(
        [await deactivate(off, 'gone'), await deactivate(off + 1_000, 'gone')],
        [false, false],
      );
      assert.equal((await stage.storage.findWebhook(off))?.inactiveReason, '');
      assert.equal(await deactivate(gone, 'gone'), true);
      assert.equal(await deactivate(gone, 'failing'), false);
      assert.equal((await stage.storage.findWebhook(gone))?.inactiveReason, 'gone');
      assert.deepEqual(await stage.storage.findWebhook(other.id), other);
    },
  },
  {
    name: 'tells one of many that deactivate a webhook at once that it was the one',
    async run(stage) {
      for (let round = 0; round < 5; round++) {
        const { id } = await stage.createWebhook();
        const activation = await stage.activationOf(id);
        const reasons = Array.from({ length: 10 }, (_, i) => (i % 3 === 0 ? 'gone' : 'failing'));
        const answers = await Promise.all(
          reasons.map((reason, i) =>
            stage.anywhere(i).deactivateWebhook(id, { activation, reason, updatedAt: stage.at() }),
          ),
        );
        assert.equal(answers.filter(Boolean).length, 1);
        const { inactiveReason } = present(await stage.storage.findWebhook(id));
        assert.equal(inactiveReason, reasons[answers.indexOf(true)]);
      }
    },
  },
  {
    name: 'deactivates nothing that was activated again or given another URL since the claim',
    async run(stage) {
      for (const [change, changes] of Object.entries(NEW_ACTIVATIONS)) {
        const { id } = await stage.createWebhook();
        const before = await stage.activationOf(id);
        for (const fields of changes) {
          await stage.storage.updateWebhook(id, { ...fields, updatedAt: stage.at() });
        }
        const changed = await stage.storage.findWebhook(id);
        assert.equal(await deactivate(stage, id, before), false, change);
        assert.deepEqual(await stage.storage.findWebhook(id), changed, change);
        assert.equal(await deactivate(stage, id, await stage.activationOf(id)), true, change);
      }
    },
  },
  {
    name: 'deactivates what was changed in any other way since the claim',
    async run(stage) {
      const { id } = await stage.createWebhook();
      const activation = await stage.activationOf(id);
      const updatedAt = stage.at();
      const fields = { url: WEBHOOK_URL, description: 'x', events: ['order.*'], isActive: true, updatedAt };
      await stage.storage.updateWebhook(id, fields);
      await stage.storage.updateWebhook(id, { updatedAt });
      const rotation = { secret: 'whsec_next', previousSecretExpiresAt: stage.at(1_000), updatedAt };
      await stage.storage.rotateSecret(id, rotation);
      assert.equal(await stage.activationOf(id), activation);
      assert.equal(await deactivate(stage, id, activation), true);
    },
  },
  {
    name: 'leaves a webhook active that is activated again while an earlier attempt deactivates it',
    async run(stage) {
      const { id } = await stage.createWebhook();
      for (let round = 0; round < 10; round++) {
        const activation = await stage.activationOf(id);
        const there = stage.anywhere(round);
        const activateAgain = async () => {
          await there.updateWebhook(id, { isActive: false, updatedAt: stage.at() });
          await there.updateWebhook(id, { isActive: true, updatedAt: stage.at() });
        };
        const deactivating = () => deactivate(stage, id, activation);
        const [first, second] = round % 4 < 2 ? [deactivating, activateAgain] : [activateAgain, deactivating];
        await Promise.all([first(), second()]);
        assert.equal(present(await stage.storage.findWebhook(id)).isActive, true);
      }
    },
  },
];

/** What an administrator does after which an attempt begun before says nothing any more. */
const NEW_ACTIVATIONS: Readonly<Record<string, readonly Omit<WebhookChange, 'updatedAt'>[]>> = {
  'activated again': [{ isActive: false }, { isActive: true }],
  'given another URL': [{ url: 'https://recipient.example/new' }],
  'given another URL and the first one again': [
    { url: 'https://recipient.example/new' },
    { url: WEBHOOK_URL },
  ],
};

function deactivate<Transaction>(
  stage: ContractStage<Transaction>,
  id: number,
  activation: number,
): Promise<boolean> {
  return stage.storage.deactivateWebhook(id, { activation, reason: 'gone', updatedAt: stage.at() });
}
