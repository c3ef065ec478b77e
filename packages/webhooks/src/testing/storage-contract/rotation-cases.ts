import assert from 'node:assert/strict';
import { only, present, type StageCase } from './contract-stage.ts';

/** The previous secret signs too, for a while. */
export const rotationCases: readonly StageCase[] = [
  {
    name: 'replaces the secret and hands out the one before with it, until when it signs too',
    async run(stage) {
      const webhook = await stage.createWebhook({ secret: 'whsec_first' });
      const other = await stage.createWebhook({ secret: 'whsec_other' });
      await stage.pass(10);
      const expiresAt = stage.at(86_400_000);
      const updatedAt = stage.at();
      const rotation = { secret: 'whsec_second', previousSecretExpiresAt: expiresAt, updatedAt };
      const rotated = await stage.storage.rotateSecret(webhook.id, rotation);
      assert.deepEqual(rotated, { ...webhook, previousSecretExpiresAt: expiresAt, updatedAt });
      assert.deepEqual(await stage.storage.findWebhook(webhook.id), rotated);
      assert.deepEqual(await stage.storage.findWebhook(other.id), other);
      assert.deepEqual((await stage.storage.findWebhook(webhook.id))?.inactiveReason, '');
      await stage.dispatch();
      const secretsOf = new Map(
        (await stage.claim()).map(({ webhook: { id, secret, previousSecret } }) => [
          id,
          { secret, previousSecret },
        ]),
      );
      assert.deepEqual(secretsOf.get(webhook.id), {
        secret: 'whsec_second',
        previousSecret: { secret: 'whsec_first', expiresAt },
      });
      assert.deepEqual(secretsOf.get(other.id), { secret: 'whsec_other', previousSecret: null });
      assert.equal(await stage.storage.rotateSecret(other.id + 100, rotation), undefined);
    },
  },
  {
    name: 'forgets the secret before the last when it is rotated again, and keeps the last through other changes',
    async run(stage) {
      const { id } = await stage.createWebhook({ secret: 'whsec_1' });
      for (const generation of [2, 3]) {
        await stage.storage.rotateSecret(id, {
          secret: `whsec_${generation}`,
          previousSecretExpiresAt: stage.at(generation * 1_000),
          updatedAt: stage.at(),
        });
      }
      const { previousSecretExpiresAt } = present(await stage.storage.findWebhook(id));
      await stage.storage.updateWebhook(id, { description: 'moved', updatedAt: stage.at() });
      await stage.dispatch();
      const { webhook } = await stage.claimOnly();
      assert.equal(webhook.secret, 'whsec_3');
      assert.deepEqual(webhook.previousSecret, { secret: 'whsec_2', expiresAt: previousSecretExpiresAt });
    },
  },
  {
    name: 'keeps the one of two rotations at once as the secret and the other as the one before',
    async run(stage) {
      for (let round = 0; round < 5; round++) {
        const { id } = await stage.createWebhook({ secret: 'whsec_0' });
        const expiresAt = (generation: number) => stage.at(generation * 3_600_000);
        const expiries = new Map<string, string>();
        const rotations = [1, 2].map((generation) => {
          const rotation = {
            secret: `whsec_${generation}`,
            previousSecretExpiresAt: expiresAt(generation),
            updatedAt: stage.at(),
          };
          expiries.set(rotation.secret, rotation.previousSecretExpiresAt);
          return stage.anywhere(generation).rotateSecret(id, rotation);
        });
        await Promise.all(rotations);
        await stage.dispatch({ target: { webhookId: id } });
        const { secret, previousSecret } = only(await stage.claim()).webhook;
        const before = secret === 'whsec_1' ? 'whsec_2' : 'whsec_1';
        assert.deepEqual(previousSecret, { secret: before, expiresAt: expiries.get(secret) });
      }
    },
  },
];
