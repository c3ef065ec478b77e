import { createHash } from 'node:crypto';
import { WebhookError } from '../errors.ts';
import type { DeliverySearch, DeliverySearchPage, FoundDelivery } from './delivery-search.ts';
import type { WebhookStorage } from './storage.ts';
import type { Webhook } from './webhook-record.ts';

/** What the administration of webhooks needs of a storage. */
export type AdministeredStorage = Pick<
  WebhookStorage<never>,
  | 'createWebhook'
  | 'findWebhook'
  | 'listWebhooks'
  | 'changeWebhook'
  | 'deleteWebhook'
  | 'readOverview'
  | 'readRevision'
  | 'findDeliveries'
  | 'reopenDeliveries'
>;

/** The most webhooks that a tenant may have: one page of a list. */
export const MAX_WEBHOOKS_PER_TENANT = 100;
const PAGE = { limit: MAX_WEBHOOKS_PER_TENANT, offset: 0, sort: 'id', order: 'asc' } as const;

const NOTHING_FOUND: DeliverySearchPage = { deliveries: [], next: null, isCut: false };

/**
 * The storage as one tenant sees it: webhooks of others, and everything of theirs, do not exist.
 * The administration of a tenant has this storage and no other, so that a method of it cannot
 * forget whose it is. A webhook never changes its tenant and no id comes back: what was its own
 * when it was looked up still is when it is changed.
 */
export function storageOfTenant(
  storage: AdministeredStorage,
  tenant: string,
  maxOfTenant: () => number,
): AdministeredStorage {
  const own = (id: number) => findOwn(storage, id, tenant);
  const all = async () => (await storage.listWebhooks({ ...PAGE, tenant })).webhooks;
  const ownAmong = async (ids: readonly number[]): Promise<number[]> => {
    const known = new Set((await all()).map(({ id }) => id));
    return ids.filter((id) => known.has(id));
  };

  return {
    createWebhook: async (webhook) =>
      storage.createWebhook({ ...webhook, tenant, maxOfTenant: maxOfTenant() }),
    findWebhook: own,
    listWebhooks: (query) => storage.listWebhooks({ ...query, tenant }),
    changeWebhook: async (id, change) => ((await own(id)) ? storage.changeWebhook(id, change) : undefined),
    deleteWebhook: async (id, expectedUpdatedAt) =>
      (await own(id)) !== undefined && (await storage.deleteWebhook(id, expectedUpdatedAt)),
    async readOverview(query) {
      if (query.webhookIds === undefined) return storage.readOverview({ ...query, tenant });
      const webhookIds = await ownAmong(query.webhookIds);
      return webhookIds.length === 0 ? [] : storage.readOverview({ ...query, webhookIds });
    },
    async readRevision(webhookIds) {
      const webhooks = await all();
      const ids = webhooks.map(({ id }) => id).filter((id) => webhookIds?.includes(id) ?? true);
      const deliveries = await storage.readRevision(ids, 'deliveries');
      const states = webhooks.map(({ id, updatedAt }) => `${id} ${updatedAt}`);
      // A digest: a revision is made of counters, which are nobody's business.
      return createHash('sha256')
        .update([deliveries, ...states].join('\n'))
        .digest('hex')
        .slice(0, 32);
    },
    findDeliveries: (search) => findOfTenant(storage, tenant, search),
    async reopenDeliveries(request) {
      const { webhookId } = request.target;
      if (webhookId === undefined) throw webhookRequired();
      if (await own(webhookId)) return storage.reopenDeliveries(request);
      return { outcome: 'none', deliveries: [], count: 0 };
    },
  };
}

async function findOwn(
  storage: Pick<AdministeredStorage, 'findWebhook'>,
  id: number,
  tenant: string,
): Promise<Webhook | undefined> {
  const webhook = await storage.findWebhook(id, tenant);
  // Once more, for a storage that knows no tenants.
  return webhook?.tenant === tenant ? webhook : undefined;
}

type SearchedStorage = Pick<AdministeredStorage, 'findWebhook' | 'listWebhooks' | 'findDeliveries'>;

/**
 * Finds deliveries of one tenant, newest (highest id) first; '' is the host. A delivery of others
 * costs what none costs: each webhook is searched, also for one delivery by its id. For the host,
 * which alone may have more than 100 webhooks, it then reads everybody's, newest first by the time
 * of creation, and returns the host's.
 */
export async function findOfTenant(
  storage: SearchedStorage,
  tenant: string,
  search: DeliverySearch,
): Promise<DeliverySearchPage> {
  if (search.webhookId !== undefined) {
    return (await findOwn(storage, search.webhookId, tenant))
      ? storage.findDeliveries(search)
      : NOTHING_FOUND;
  }
  const { webhooks, total } = await storage.listWebhooks({ ...PAGE, tenant });
  return tenant === '' && total > webhooks.length
    ? storage.findDeliveries({ ...search, tenant })
    : findAmong(storage, webhooks, search);
}

/**
 * Finds deliveries of these webhooks, newest (highest id) first: reads each one's history, and none
 * of others. Each reads its part of `maxScanned`; the page ends where the first of them stopped.
 * Content, which is long, is read of those alone that are on the page.
 */
async function findAmong(
  storage: SearchedStorage,
  webhooks: readonly Webhook[],
  { withContent = false, ...search }: DeliverySearch,
): Promise<DeliverySearchPage> {
  const maxScanned = Math.max(search.limit + 1, Math.floor(search.maxScanned / Math.max(webhooks.length, 1)));
  const pages: DeliverySearchPage[] = [];
  // One after the other: a search takes one connection of the pool.
  for (const { id } of webhooks) {
    pages.push(await storage.findDeliveries({ ...search, webhookId: id, maxScanned }));
  }
  const page = pageOf(pages, search.limit);
  if (withContent === false) return page;
  const deliveries: FoundDelivery[] = [];
  for (const { id: webhookId } of webhooks) {
    const found = page.deliveries.filter((one) => one.webhookId === webhookId);
    const [newest] = found;
    if (newest === undefined) continue;
    // Not those that were created since.
    const before = { createdAt: newest.createdAt, id: newest.id + 1 };
    const part = { ...search, webhookId, before, maxScanned, limit: found.length, withContent };
    deliveries.push(...(await storage.findDeliveries(part)).deliveries);
  }
  return { ...page, deliveries: deliveries.sort((a, b) => b.id - a.id) };
}

/** What the webhooks' pages are together: up to where the first of them stopped. */
function pageOf(pages: readonly DeliverySearchPage[], limit: number): DeliverySearchPage {
  const ends = pages.flatMap(({ next }) => (next === null ? [] : [next])).sort((a, b) => b.id - a.id);
  const end = ends[0] ?? null;
  const found = pages
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ id }) => end === null || id >= end.id)
    .sort((a, b) => b.id - a.id);
  const deliveries = found.slice(0, limit);
  const last = deliveries.at(-1);
  if (last && (found.length > limit || (end !== null && deliveries.length === limit))) {
    return { deliveries, next: { createdAt: last.createdAt, id: last.id }, isCut: false };
  }
  return { deliveries, next: end, isCut: end !== null };
}

function webhookRequired(): WebhookError {
  return new WebhookError('validation_failed', 'The input has fields that are not valid', {
    errors: [{ field: 'webhookId', code: 'required', message: 'is missing: name a webhook of the tenant' }],
  });
}
