import assert from 'node:assert/strict';
import { changing } from '../../../src/storage/changed-state.ts';
import { type HarnessCases, only, present } from '../contract-harness.ts';

/** The previous secret signs too, for a while. */
export const rotationCases: HarnessCases = {
  async 'replaces the secret and hands out the one before with it, until when it signs too'(harness) {
    const webhook = await harness.createWebhook({ secret: 'whsec_first' });
    const other = await harness.createWebhook({ secret: 'whsec_other' });
    await harness.pass(10);
    const expiresAt = harness.at(86_400_000);
    const updatedAt = harness.at();
    const rotation = { secret: 'whsec_second', previousSecretExpiresAt: expiresAt };
    const rotated = await harness.change(webhook.id, { rotation, updatedAt });
    assert.deepEqual(rotated, { ...webhook, previousSecretExpiresAt: expiresAt, updatedAt });
    assert.deepEqual(await harness.storage.findWebhook(webhook.id), rotated);
    assert.deepEqual(await harness.storage.findWebhook(other.id), other);
    assert.deepEqual((await harness.storage.findWebhook(webhook.id))?.inactiveReason, '');
    await harness.dispatch();
    const secretsOf = new Map(
      (await harness.claim()).map(({ webhook: { id, secret, previousSecret } }) => [
        id,
        { secret, previousSecret },
      ]),
    );
    assert.deepEqual(secretsOf.get(webhook.id), {
      secret: 'whsec_second',
      previousSecret: { secret: 'whsec_first', expiresAt },
    });
    assert.deepEqual(secretsOf.get(other.id), { secret: 'whsec_other', previousSecret: null });
  },
  async 'forgets the secret before the last when it is rotated again, and keeps the last through other changes'(
    harness,
  ) {
    const { id } = await harness.createWebhook({ secret: 'whsec_1' });
    for (const generation of [2, 3]) {
      const previousSecretExpiresAt = harness.at(generation * 1_000);
      await harness.change(id, { rotation: { secret: `whsec_${generation}`, previousSecretExpiresAt } });
    }
    const { previousSecretExpiresAt } = present(await harness.storage.findWebhook(id));
    await harness.change(id, { description: 'moved' });
    await harness.dispatch();
    const { webhook } = await harness.claimOnly();
    assert.equal(webhook.secret, 'whsec_3');
    assert.deepEqual(webhook.previousSecret, { secret: 'whsec_2', expiresAt: previousSecretExpiresAt });
  },
  async 'keeps the one of two rotations at once as the secret and the other as the one before'(harness) {
    for (let round = 0; round < 5; round++) {
      const { id } = await harness.createWebhook({ secret: 'whsec_0' });
      const expiresAt = (generation: number) => harness.at(generation * 3_600_000);
      const expiries = new Map<string, string>();
      const rotations = [1, 2].map((generation) => {
        const rotation = {
          secret: `whsec_${generation}`,
          previousSecretExpiresAt: expiresAt(generation),
        };
        expiries.set(rotation.secret, rotation.previousSecretExpiresAt);
        return harness
          .storageOf(generation)
          .changeWebhook(id, changing({ rotation, updatedAt: harness.at() }));
      });
      await Promise.all(rotations);
      await harness.dispatch({ target: { webhookId: id } });
      const { secret, previousSecret } = only(await harness.claim()).webhook;
      const before = secret === 'whsec_1' ? 'whsec_2' : 'whsec_1';
      assert.deepEqual(previousSecret, { secret: before, expiresAt: expiries.get(secret) });
    }
  },
  async 'forgets the previous secret when it is ended, and keeps the present one'(harness) {
    const { id } = await harness.createWebhook({ secret: 'whsec_1' });
    const other = await harness.createWebhook();
    const rotation = { secret: 'whsec_2', previousSecretExpiresAt: harness.at(3_600_000) };
    const rotated = present(await harness.change(id, { rotation }));
    await harness.pass(10);
    const updatedAt = harness.at();
    const ended = await harness.change(id, { previousSecret: null, updatedAt });
    assert.deepEqual(ended, { ...rotated, previousSecretExpiresAt: null, updatedAt });
    assert.deepEqual(await harness.storage.findWebhook(id), ended);
    assert.deepEqual(await harness.storage.findWebhook(other.id), other);
    await harness.dispatch({ target: { webhookId: id } });
    const { secret, previousSecret } = (await harness.claimOnly()).webhook;
    assert.deepEqual([secret, previousSecret], ['whsec_2', null]);
  },
};
