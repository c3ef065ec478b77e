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
  broken('finds the deliveries of every tenant', 'finds the deliveries of one tenant', (sound) => ({
    findDeliveries: ({ tenant: _, ...search }) => sound.findDeliveries(search),
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
  broken('orders tenants as JavaScript does', 'in the order of their bytes', (sound) => ({
    async listWebhooks(query) {
      const { webhooks, total } = await sound.listWebhooks(query);
      if (query.sort !== 'tenant') return { webhooks, total };
      return { webhooks: webhooks.toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1)), total };
    },
  })),
  broken('takes the host for a tenant', 'in the order of their bytes', (sound) => ({
    listWebhooks: ({ tenantAfter, ...query }) =>
      sound.listWebhooks(tenantAfter ? { ...query, tenantAfter } : query),
  })),
  broken('forgets the keys of every tenant', 'forgets the keys of one tenant', (sound) => ({
    async purgeIdempotencyKeys(purge) {
      const forgotten = await sound.purgeIdempotencyKeys(purge);
      for (const tenant of ['globex', 'Acme', '']) {
        await sound.purgeIdempotencyKeys({ tenant, now: 0, limit: purge.limit });
      }
      return forgotten;
    },
  })),
  broken('forgets old keys of every tenant', 'not those of the same name of another', (sound) => ({
    async purgeIdempotencyKeys(purge) {
      const forgotten = await sound.purgeIdempotencyKeys(purge);
      if (!('tenant' in purge)) await sound.purgeIdempotencyKeys({ tenant: 'globex', now: 0, limit: 100 });
      return forgotten;
    },
  })),
  broken('does not close a tenant', 'closes a tenant whose keys it forgets', (sound) => ({
    purgeIdempotencyKeys: (purge) =>
      sound.purgeIdempotencyKeys('tenant' in purge ? { ...purge, now: 0 } : purge),
  })),
  broken('closes a tenant for good', 'opens a tenant again', (sound) => ({
    purgeIdempotencyKeys: (purge) =>
      sound.purgeIdempotencyKeys('tenant' in purge ? { ...purge, now: purge.now + 1 } : purge),
  })),
  broken('forgets creations that are under way', 'was being created when its tenant was closed', (sound) => ({
    async createWebhook({ maxOfTenant: _, ...webhook }) {
      const isClosed = await sound
        .createWebhook({ ...webhook, maxOfTenant: 0 })
        .catch(({ code }) => code === 'rate_limited');
      await new Promise((resolve) => setImmediate(resolve));
      return isClosed === true
        ? sound.createWebhook({ ...webhook, maxOfTenant: 1 })
        : sound.createWebhook(webhook);
    },
  })),
  broken('moves a revision with the webhooks of others', 'has a revision that nothing moves', (sound) => ({
    readRevision: (webhookIds) => sound.readRevision(webhookIds),
  })),
];
