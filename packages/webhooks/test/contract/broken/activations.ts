import { setImmediate } from 'node:timers/promises';
import { NO_RUN } from '../../../src/storage/failure-run.ts';
import type { KeptRun } from '../../../src/storage/failure-steps.ts';
import type { InactiveReason, Webhook } from '../../../src/storage/records.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import type { WebhookChange } from '../../../src/storage/webhook-requests.ts';
import { type BrokenStorage, broken, historyOf } from './broken-storage.ts';

/** Storages that deactivate, count failures or rotate secrets wrongly. */
export const brokenActivations: readonly BrokenStorage[] = [
  broken('deactivates without a reason', 'keeps the reason until', (sound) => ({
    changeWebhook: (id, { inactiveReason: _, ...change }) => sound.changeWebhook(id, change),
  })),
  broken('keeps the reason when it activates', 'until it is activated again', (sound) => {
    const reasons = new Map<number, InactiveReason>();
    return {
      async changeWebhook(id, change) {
        if (change.inactiveReason !== undefined) reasons.set(id, change.inactiveReason);
        const changed = await sound.changeWebhook(id, change);
        return changed && { ...changed, inactiveReason: reasons.get(id) ?? '' };
      },
    };
  }),
  broken('forgets the reason with any change', 'until it is activated again', (sound) => ({
    async changeWebhook(id, change) {
      const changed = await sound.changeWebhook(id, change);
      return changed && { ...changed, inactiveReason: change.inactiveReason ?? '' };
    },
  })),
  broken('deactivates whatever happened since the claim', 'another URL since the claim', (sound) =>
    deactivating(sound, (id, change) => deactivateWhatever(sound, id, change)),
  ),
  broken('deactivates what has the URL of the claim again', 'another URL since the claim', (sound) => {
    const urls = new Map<string, string>();
    return {
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        for (const { webhook } of claims) urls.set(`${webhook.id} ${webhook.activation}`, webhook.url);
        return claims;
      },
      ...deactivating(sound, async (id, change, activation) => {
        const url = (await sound.findWebhook(id))?.url;
        if (url !== urls.get(`${id} ${activation}`)) return undefined;
        return deactivateWhatever(sound, id, change);
      }),
    };
  }),
  broken('takes another URL for the same activation', 'another URL since the claim', (sound) => {
    const urls = new Map<number, number>();
    const urlsOf = (id: number) => urls.get(id) ?? 0;
    const { changeWebhook } = deactivating(sound, (id, change, activation) =>
      sound.changeWebhook(id, { ...change, expected: { activation: activation + urlsOf(id) } }),
    );
    return {
      async changeWebhook(id, change) {
        const before = await sound.findWebhook(id);
        if (change.url !== undefined && change.url !== before?.url) urls.set(id, urlsOf(id) + 1);
        return changeWebhook(id, change);
      },
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        return claims.map(({ webhook, ...one }) => {
          const activation = webhook.activation - urlsOf(webhook.id);
          return { ...one, webhook: { ...webhook, activation } };
        });
      },
    };
  }),
  broken('takes every change for an activation', 'in any other way since the claim', (sound) => ({
    async changeWebhook(id, change) {
      const { isActive = false } = (await sound.findWebhook(id)) ?? {};
      const { updatedAt } = change;
      if (isActive && change.isActive !== false) {
        await sound.changeWebhook(id, { isActive: false, updatedAt });
        await sound.changeWebhook(id, { isActive: true, updatedAt });
      }
      return sound.changeWebhook(id, change);
    },
  })),
  broken('compares the activation first and deactivates later', 'leaves a webhook active', (sound) => {
    const activations = new Map<number, number>();
    const { changeWebhook } = deactivating(sound, async (id, change, activation) => {
      const isCurrent = (activations.get(id) ?? 0) === activation;
      await setImmediate();
      return isCurrent ? deactivateWhatever(sound, id, change) : undefined;
    });
    return {
      async changeWebhook(id, change) {
        const wasActive = (await sound.findWebhook(id))?.isActive === true;
        if (change.isActive === true && !wasActive) activations.set(id, (activations.get(id) ?? 0) + 1);
        return changeWebhook(id, change);
      },
    };
  }),
  broken('deactivates what is inactive', 'nothing that is inactive', (sound) =>
    deactivating(
      sound,
      async (id, change) => (await sound.changeWebhook(id, change)) ?? sound.findWebhook(id),
    ),
  ),
  broken('deactivates by reading first and writing later', 'that it was the one', (sound) =>
    deactivating(sound, async (id, { expected: _, ...change }) => {
      const isActive = (await sound.findWebhook(id))?.isActive === true;
      await setImmediate();
      return isActive ? sound.changeWebhook(id, change) : undefined;
    }),
  ),
  broken('counts failures across a success', 'failures since the last success', (sound) => ({
    readOverview: failuresFrom(sound, async (webhookId) => {
      const page = await historyOf(sound, webhookId);
      return page.filter(({ status }) => status === 'failed').length;
    }),
  })),
  broken('counts failures back to the newest delivery that succeeded', 'by when they ended', (sound) => ({
    readOverview: failuresFrom(sound, (webhookId) => failedUntil(sound, webhookId, 'success')),
  })),
  broken('ends the count of failures at a pending delivery', 'past pending deliveries', (sound) => ({
    readOverview: failuresFrom(sound, (webhookId) => failedUntil(sound, webhookId, 'pending')),
  })),
  broken('counts failures before the activation', 'begins a new run', (sound) => ({
    readOverview: failuresFrom(sound, (webhookId) => failedUntil(sound, webhookId, 'success')),
  })),
  broken('counts a failure with the activation at its end', 'with the activation of its claim', (sound) => {
    const activations = new Map<number, number>();
    const webhookIds = new Map<number, number>();
    return {
      async changeWebhook(id, change) {
        const wasActive = (await sound.findWebhook(id))?.isActive === true;
        if (change.isActive === true && !wasActive) activations.set(id, (activations.get(id) ?? 0) + 1);
        return sound.changeWebhook(id, change);
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
  broken('begins a new run of failures with every activation', 'begins a new run', (sound) => ({
    async changeWebhook(id, change) {
      if (change.isActive === true) await sound.changeWebhook(id, { ...change, isActive: false });
      return sound.changeWebhook(id, change);
    },
  })),
  broken('ends a run of failures with its last success', 'the first and the last success', (sound) => ({
    async stepFailures(request) {
      const late = <Kept extends KeptRun>(kept: Kept): Kept => ({
        ...kept,
        run: { ...kept.run, endedAt: kept.lastSuccessAt },
      });
      const steps = await sound.stepFailures({ ...request, step: (kept) => request.step(late(kept)) });
      return steps.map(late);
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
      async changeWebhook(id, change) {
        const { rotation } = change;
        const secret = secrets.get(id) ?? '';
        await setImmediate();
        if (rotation !== undefined) {
          previous.set(id, { secret, expiresAt: rotation.previousSecretExpiresAt });
          secrets.set(id, rotation.secret);
        }
        return sound.changeWebhook(id, change);
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

/** The failures of the newest page up to the first delivery of that status. */
async function failedUntil(sound: WebhookStorage, webhookId: number, end: 'success' | 'pending') {
  const page = await historyOf(sound, webhookId);
  const first = page.findIndex(({ status }) => status === end);
  return page.slice(0, first === -1 ? page.length : first).filter(({ status }) => status === 'failed').length;
}

/** An overview with another number of failures since the last success. */
function failuresFrom(
  sound: WebhookStorage,
  count: (webhookId: number) => Promise<number>,
): WebhookStorage['readOverview'] {
  return async (query) => {
    const overviews = await sound.readOverview(query);
    if (!query.failureRun) return overviews;
    return Promise.all(
      overviews.map(async (overview) => {
        const failed = await count(overview.webhookId);
        return {
          ...overview,
          failureRun: failed === 0 ? null : { ...(overview.failureRun ?? NO_RUN), failed },
        };
      }),
    );
  };
}

type Deactivate = (id: number, change: WebhookChange, activation: number) => Promise<Webhook | undefined>;

/** A storage that deactivates webhooks in another way. */
function deactivating(sound: WebhookStorage, deactivate: Deactivate): Pick<WebhookStorage, 'changeWebhook'> {
  return {
    changeWebhook(id, change) {
      const activation = change.expected?.activation;
      return activation === undefined ? sound.changeWebhook(id, change) : deactivate(id, change, activation);
    },
  };
}

/** As if nobody had asked for an activation. */
async function deactivateWhatever(
  sound: WebhookStorage,
  id: number,
  { expected: _, ...change }: WebhookChange,
): Promise<Webhook | undefined> {
  const isActive = (await sound.findWebhook(id))?.isActive === true;
  return isActive ? sound.changeWebhook(id, change) : undefined;
}
