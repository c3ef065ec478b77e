import type { DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { tooManyWebhooks } from '../../../src/storage/too-many-webhooks.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

function dispatching(change: (dispatch: DispatchRecord) => DispatchRecord) {
  return (sound: WebhookStorage): Partial<WebhookStorage> => ({
    recordDispatches: (dispatches) => sound.recordDispatches(dispatches.map(change)),
  });
}

function withTenants(
  change: (tenants: readonly string[]) => readonly string[],
): (dispatch: DispatchRecord) => DispatchRecord {
  return (dispatch) => {
    if ('webhookId' in dispatch.target) return dispatch;
    return { ...dispatch, target: { ...dispatch.target, tenants: change(dispatch.target.tenants ?? ['']) } };
  };
}

/** Storages that confuse customers; everything else is `memoryStorage`. */
export const brokenTenants: readonly BrokenStorage[] = [
  broken('ignores whose webhook it is', "and nobody else's", (sound) => ({
    createWebhook: (webhook) => sound.createWebhook({ ...webhook, tenant: '' }),
  })),
  broken(
    'adds the host to every dispatch',
    "and nobody else's",
    dispatching(withTenants((tenants) => [...tenants, ''])),
  ),
  broken(
    'takes a dispatch for nobody as one for the host',
    "and nobody else's",
    dispatching(withTenants((tenants) => (tenants.length === 0 ? [''] : tenants))),
  ),
  broken('folds the case of tenants', 'tells tenants apart by their bytes', (sound) => ({
    createWebhook: (webhook) =>
      sound.createWebhook({ ...webhook, tenant: webhook.tenant?.toLowerCase() ?? '' }),
    ...dispatching(withTenants((tenants) => tenants.map((tenant) => tenant.toLowerCase())))(sound),
  })),
  broken(
    'shares idempotency keys among tenants',
    'tells idempotency keys apart by tenant',
    dispatching(({ tenant: _, ...dispatch }) => dispatch),
  ),
  broken('finds the webhooks of every tenant', 'finds a webhook of a tenant', (sound) => ({
    findWebhook: (id) => sound.findWebhook(id),
  })),
  broken('lists the webhooks of every tenant', 'lists the webhooks of one tenant', (sound) => ({
    listWebhooks: ({ tenant: _, ...query }) => sound.listWebhooks(query),
  })),
  broken("claims a customer's webhook as the host's own", 'hands out the webhook as it is now', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries(request);
      return claims.map((claim) => ({ ...claim, webhook: { ...claim.webhook, tenant: '' } }));
    },
  })),
  broken('knows no bound of a tenant', 'keeps the bound of a tenant', (sound) => ({
    createWebhook: ({ maxOfTenant: _, ...webhook }) => sound.createWebhook(webhook),
  })),
  broken('counts webhooks before it waits', 'keeps the bound of a tenant', (sound) => ({
    async createWebhook({ maxOfTenant, ...webhook }) {
      const page = { limit: 1, offset: 0, sort: 'id', order: 'asc' } as const;
      const { total } = await sound.listWebhooks({ ...page, tenant: webhook.tenant ?? '' });
      await new Promise((resolve) => setImmediate(resolve));
      if (maxOfTenant !== undefined && total >= maxOfTenant) throw tooManyWebhooks(maxOfTenant);
      return sound.createWebhook(webhook);
    },
  })),
  broken('moves a revision with the webhooks of others', 'has a revision that nothing moves', (sound) => ({
    readRevision: (webhookIds) => sound.readRevision(webhookIds),
  })),
];
