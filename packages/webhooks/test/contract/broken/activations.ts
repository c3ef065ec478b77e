import { setImmediate } from 'node:timers/promises';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import type { Deactivation, SecretRotation } from '../../../src/storage/webhook-requests.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

/** Storages that deactivate, count failures or rotate secrets wrongly. */
export const brokenActivations: readonly BrokenStorage[] = [
  broken('deactivates without a reason', 'keeps the reason until', (sound) => ({
    async deactivateWebhook(id, { updatedAt }) {
      if ((await sound.findWebhook(id))?.isActive !== true) return false;
      return (await sound.updateWebhook(id, { isActive: false, updatedAt })) !== undefined;
    },
  })),
  broken('keeps the reason when it activates', 'until it is activated again', (sound) => {
    const reasons = new Map<number, 'gone' | 'failing'>();
    return {
      async deactivateWebhook(id, deactivation) {
        reasons.set(id, deactivation.reason);
        return sound.deactivateWebhook(id, deactivation);
      },
      async updateWebhook(id, change) {
        const updated = await sound.updateWebhook(id, change);
        return updated && { ...updated, inactiveReason: reasons.get(id) ?? '' };
      },
    };
  }),
  broken('forgets the reason with any change', 'until it is activated again', (sound) => ({
    async updateWebhook(id, change) {
      const updated = await sound.updateWebhook(id, change);
      return updated && { ...updated, inactiveReason: '' };
    },
  })),
  broken('deactivates whatever happened since the claim', 'another URL since the claim', (sound) => ({
    deactivateWebhook: (id, deactivation) => deactivateWhatever(sound, id, deactivation),
  })),
  broken('deactivates what has the URL of the claim again', 'another URL since the claim', (sound) => {
    const urls = new Map<string, string>();
    return {
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        for (const { webhook } of claims) urls.set(`${webhook.id} ${webhook.activation}`, webhook.url);
        return claims;
      },
      async deactivateWebhook(id, deactivation) {
        const url = (await sound.findWebhook(id))?.url;
        if (url !== urls.get(`${id} ${deactivation.activation}`)) return false;
        return deactivateWhatever(sound, id, deactivation);
      },
    };
  }),
  broken('takes another URL for the same activation', 'another URL since the claim', (sound) => {
    const urls = new Map<number, number>();
    const urlsOf = (id: number) => urls.get(id) ?? 0;
    return {
      async updateWebhook(id, change) {
        const before = await sound.findWebhook(id);
        if (change.url !== undefined && change.url !== before?.url) urls.set(id, urlsOf(id) + 1);
        return sound.updateWebhook(id, change);
      },
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        return claims.map(({ webhook, ...one }) => {
          const activation = webhook.activation - urlsOf(webhook.id);
          return { ...one, webhook: { ...webhook, activation } };
        });
      },
      deactivateWebhook: (id, deactivation) =>
        sound.deactivateWebhook(id, {
          ...deactivation,
          activation: deactivation.activation + urlsOf(id),
        }),
    };
  }),
  broken('takes every change for an activation', 'in any other way since the claim', (sound) => ({
    async updateWebhook(id, change) {
      const before = await sound.findWebhook(id);
      if (before?.isActive === true) await sound.updateWebhook(id, { ...change, isActive: false });
      return sound.updateWebhook(id, { isActive: before?.isActive ?? false, ...change });
    },
  })),
  broken('compares the activation first and deactivates later', 'leaves a webhook active', (sound) => {
    const activations = new Map<number, number>();
    return {
      async updateWebhook(id, change) {
        const wasActive = (await sound.findWebhook(id))?.isActive === true;
        if (change.isActive === true && !wasActive) activations.set(id, (activations.get(id) ?? 0) + 1);
        return sound.updateWebhook(id, change);
      },
      async deactivateWebhook(id, deactivation) {
        const isCurrent = (activations.get(id) ?? 0) === deactivation.activation;
        await setImmediate();
        return isCurrent && deactivateWhatever(sound, id, deactivation);
      },
    };
  }),
  broken('deactivates what is inactive', 'nothing that is inactive', (sound) => ({
    deactivateWebhook: async (id, deactivation) =>
      (await sound.deactivateWebhook(id, deactivation)) || (await sound.findWebhook(id)) !== undefined,
  })),
  broken('deactivates by reading first and writing later', 'that it was the one', (sound) => ({
    async deactivateWebhook(id, deactivation) {
      const isActive = (await sound.findWebhook(id))?.isActive === true;
      await setImmediate();
      await sound.deactivateWebhook(id, deactivation);
      return isActive;
    },
  })),
  broken('counts failures across a success', 'back to the last success', (sound) => ({
    countFailuresInARow: async (webhookId, limit) =>
      Math.min(limit, (await sound.countDeliveries(webhookId)).failed),
  })),
  broken('counts failures back to the newest delivery that succeeded', 'by when they ended', (sound) => ({
    async countFailuresInARow(webhookId, limit) {
      const page = await sound.listDeliveries({ webhookId, limit: 101 });
      const end = page.findIndex(({ status }) => status === 'success');
      const row = end === -1 ? page : page.slice(0, end);
      return Math.min(limit, row.filter(({ status }) => status === 'failed').length);
    },
  })),
  broken('ends the count of failures at a pending delivery', 'past pending deliveries', (sound) => ({
    async countFailuresInARow(webhookId, limit) {
      const page = await sound.listDeliveries({ webhookId, limit: 101 });
      const end = page.findIndex(({ status }) => status !== 'failed');
      return Math.min(
        limit,
        end === -1 ? page.length : end,
        await sound.countFailuresInARow(webhookId, limit),
      );
    },
  })),
  broken('counts failures beyond the limit', 'pending deliveries, up to the limit', (sound) => ({
    countFailuresInARow: (webhookId) => sound.countFailuresInARow(webhookId, 1_000),
  })),
  broken('counts failures before the activation', 'begins a new count', (sound) => ({
    async countFailuresInARow(webhookId, limit) {
      const page = await sound.listDeliveries({ webhookId, limit: 101 });
      const end = page.findIndex(({ status }) => status === 'success');
      const row = end === -1 ? page : page.slice(0, end);
      return Math.min(limit, row.filter(({ status }) => status === 'failed').length);
    },
  })),
  broken('counts a failure with the activation at its end', 'with the activation of its claim', (sound) => {
    const activations = new Map<number, number>();
    const webhookIds = new Map<number, number>();
    return {
      async updateWebhook(id, change) {
        const wasActive = (await sound.findWebhook(id))?.isActive === true;
        if (change.isActive === true && !wasActive) activations.set(id, (activations.get(id) ?? 0) + 1);
        return sound.updateWebhook(id, change);
      },
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        for (const { id, webhook } of claims) webhookIds.set(id, webhook.id);
        return claims;
      },
      recordAttempts: (records) =>
        sound.recordAttempts(
          records.map((one) => ({ ...one, activation: activations.get(webhookIds.get(one.id) ?? 0) ?? 0 })),
        ),
    };
  }),
  broken('begins a new count of failures with every activation', 'begins a new count', (sound) => ({
    async updateWebhook(id, change) {
      if (change.isActive === true) await sound.updateWebhook(id, { ...change, isActive: false });
      return sound.updateWebhook(id, change);
    },
  })),
  broken('forgets the secret so far', 'the one before with it', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries(request);
      return claims.map((one) => ({ ...one, webhook: { ...one.webhook, previousSecret: null } }));
    },
  })),
  broken('goes on with the secret so far', 'the one before with it', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries(request);
      return claims.map(({ webhook, ...one }) => {
        const secret = webhook.previousSecret?.secret ?? webhook.secret;
        return { ...one, webhook: { ...webhook, secret } };
      });
    },
  })),
  broken('keeps the first secret through every rotation', 'the secret before the last', (sound) => {
    const first = new Map<number, string>();
    return {
      async createWebhook(webhook) {
        const created = await sound.createWebhook(webhook);
        first.set(created.id, webhook.secret);
        return created;
      },
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        return claims.map(({ webhook, ...one }) => {
          const secret = first.get(webhook.id) ?? '';
          const previousSecret = webhook.previousSecret && { ...webhook.previousSecret, secret };
          return { ...one, webhook: { ...webhook, previousSecret } };
        });
      },
    };
  }),
  broken('rotates by reading first and writing later', 'two rotations at once', (sound) => {
    const secrets = new Map<number, string>();
    const previous = new Map<number, { secret: string; expiresAt: string }>();
    return {
      async createWebhook(webhook) {
        const created = await sound.createWebhook(webhook);
        secrets.set(created.id, webhook.secret);
        return created;
      },
      async rotateSecret(id: number, rotation: SecretRotation) {
        const secret = secrets.get(id) ?? '';
        await setImmediate();
        previous.set(id, { secret, expiresAt: rotation.previousSecretExpiresAt });
        secrets.set(id, rotation.secret);
        return sound.rotateSecret(id, rotation);
      },
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        return claims.map(({ webhook, ...one }) => ({
          ...one,
          webhook: { ...webhook, previousSecret: previous.get(webhook.id) ?? null },
        }));
      },
    };
  }),
];

/**
 * As if nobody had asked for an activation: memory counts them from zero, and no case has more than
 * these.
 */
async function deactivateWhatever(
  sound: WebhookStorage,
  id: number,
  deactivation: Deactivation,
): Promise<boolean> {
  for (let activation = 0; activation < 20; activation++) {
    if (await sound.deactivateWebhook(id, { ...deactivation, activation })) return true;
  }
  return false;
}
