import { setImmediate } from 'node:timers/promises';
import { type Breaks, breaking } from '../../../../../test/contract/breaking.ts';
import type { KeptRun } from '../../../src/storage/failure-steps.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';

const { ask, answer } = breaking<WebhookStorage>();

/** What breaks the promises of webhooks, their changes and their tenants. */
export const brokenWebhooks: Breaks<WebhookStorage> = {
  'leaves out webhooks that are inactive': (sound) => ({
    createWebhook: async (webhook) => {
      const created = await sound.createWebhook({ ...webhook, isActive: true });
      return { ...created, isActive: webhook.isActive };
    },
  }),
  'removes a webhook with its patterns and deliveries': (sound) => {
    const removed = new Set<number>();
    return {
      async deleteWebhook(id) {
        const isThere = !removed.has(id) && (await sound.findWebhook(id)) !== undefined;
        if (isThere) {
          await sound.changeWebhook(id, (was) => ({ ...was, webhook: { ...was.webhook, isActive: false } }));
        }
        removed.add(id);
        return isThere;
      },
      findWebhook: async (id) => (removed.has(id) ? undefined : sound.findWebhook(id)),
    };
  },
  "never gives a removed webhook's id again": (sound) => {
    const offsets = { removed: 0 };
    return {
      async createWebhook(webhook) {
        const created = await sound.createWebhook(webhook);
        return { ...created, id: created.id - offsets.removed };
      },
      async deleteWebhook(id) {
        offsets.removed++;
        return sound.deleteWebhook(id);
      },
    };
  },
  'without its secret': answer('createWebhook', (given, webhook) => ({ ...given, secret: webhook.secret })),
  'searches URL, name and description': ask('listWebhooks', ({ search = '', ...query }) => ({
    ...query,
    search: search.replaceAll('%', ''),
  })),
  'one of the patterns searched for': ask('listWebhooks', ({ searchPatterns: _, ...query }) => query),
  'counts all that match': answer('listWebhooks', ({ webhooks }) => ({ webhooks, total: webhooks.length })),
  'another URL since the claim': (sound) => ({
    changeWebhook: (id, change) =>
      sound.changeWebhook(id, (was) => {
        const is = change(was);
        return is && { ...is, activation: was.activation };
      }),
  }),
  'nothing that is inactive': (sound) => ({
    changeWebhook: async (id, change) => (await sound.changeWebhook(id, change)) ?? sound.findWebhook(id),
  }),
  'that it was the one': (sound) => ({
    changeWebhook: withoutLock(sound),
  }),
  'the first and the last success': (sound) => ({
    async stepFailures(request) {
      const late = <Kept extends KeptRun>(kept: Kept): Kept => ({
        ...kept,
        run: { ...kept.run, endedAt: kept.lastSuccessAt },
      });
      const steps = await sound.stepFailures({ ...request, step: (kept) => request.step(late(kept)) });
      return steps.map(late);
    },
  }),
  'the one before with it': answer('claimDueDeliveries', (all) =>
    all.map((one) => ({ ...one, webhook: { ...one.webhook, previousSecret: null } })),
  ),
  'in the state that is expected': (sound) => ({ deleteWebhook: (id) => sound.deleteWebhook(id) }),
  "and nobody else's": ask('createWebhook', (webhook) => ({ ...webhook, tenant: '' })),
  'tells tenants apart by their bytes': ask('createWebhook', ({ tenant = '', ...webhook }) => ({
    ...webhook,
    tenant: tenant.toLowerCase(),
  })),
  'tells idempotency keys apart by tenant': ask('recordDispatches', (all) =>
    all.map(({ tenant: _, ...one }) => one),
  ),
  'finds a webhook of a tenant': (sound) => ({ findWebhook: (id) => sound.findWebhook(id) }),
  'lists the webhooks of one tenant': ask('listWebhooks', ({ tenant: _, ...query }) => query),
  'hands out the webhook as it is now': answer('claimDueDeliveries', (all) =>
    all.map((claim) => ({ ...claim, webhook: { ...claim.webhook, tenant: '' } })),
  ),
  'of the webhooks of one tenant': ask('findDeliveries', ({ tenant: _, ...search }) => search),
  'keeps the bound of a tenant': ask('createWebhook', ({ maxOfTenant: _, ...webhook }) => webhook),
  'in the order of their bytes': ask('listWebhooks', ({ tenantAfter, ...query }) =>
    tenantAfter ? { ...query, tenantAfter } : query,
  ),
  'forgets the keys of one tenant': (sound) => ({
    async purgeIdempotencyKeys(purge) {
      const forgotten = await sound.purgeIdempotencyKeys(purge);
      for (const tenant of ['globex', 'Acme', '']) {
        await sound.purgeIdempotencyKeys({ tenant, now: 0, limit: purge.limit });
      }
      return forgotten;
    },
  }),
  'closes a tenant whose keys it forgets': ask('purgeIdempotencyKeys', (purge) =>
    'tenant' in purge ? { ...purge, now: 0 } : purge,
  ),
  'opens a tenant again': ask('purgeIdempotencyKeys', (purge) =>
    'tenant' in purge ? { ...purge, now: purge.now + 1 } : purge,
  ),
  'has a revision that nothing moves': (sound) => ({ readRevision: (ids) => sound.readRevision(ids) }),
};

/** Another call may change the webhook between the state that the change sees and what is kept. */
function withoutLock(sound: WebhookStorage): WebhookStorage['changeWebhook'] {
  return async (id, change) => {
    let after: ReturnType<typeof change>;
    await sound.changeWebhook(id, (before) => {
      after = change(before);
      return undefined;
    });
    await setImmediate();
    return after && sound.changeWebhook(id, () => after);
  };
}
