import { setImmediate } from 'node:timers/promises';
import { type Breaks, breaking } from '../../../../../test/contract/breaking.ts';
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
  'keeps the bound of a tenant': ask('createWebhook', ({ maxOfTenant: _, ...webhook }) => webhook),
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
