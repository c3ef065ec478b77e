import type { Notifier } from '../hooks/notifier.ts';
import { MAX_PENDING_COUNTED, MAX_WAITING_COUNTED } from '../storage/overview-record.ts';
import type { WebhookStorage } from '../storage/storage.ts';

/** A count ends with the tenant that reaches so many deliveries, or after so many pages, and the next one goes on with the tenant after. */
const MAX_COUNTED = 1_000_000;
const MAX_PAGES = 10_000;
const PAGE = { limit: 100, offset: 0, sort: 'tenant', order: 'asc' } as const;

/** What is needed to count. */
export interface CountDependencies {
  readonly storage: Pick<WebhookStorage, 'listWebhooks' | 'readOverview'>;
  readonly notifier: Pick<Notifier, 'error'>;
  readonly tenantBounds: { readonly maxPendingPerTenant: (tenant: string) => number };
}

/** What is pending of the tenants after one, in the order of their bytes. */
export interface PendingCount {
  /** '' if it began with the host's own webhooks. */
  readonly after: string;
  /** The last tenant that was counted; '' if none comes after it. */
  readonly last: string;
  /** Those with at least half as many as make a backlog. */
  readonly tenants: ReadonlyMap<string, { readonly pending: number; readonly max: number }>;
}

/** Counts page by page of webhooks, from the index of pending deliveries. Undefined if it was told to end. */
export async function countPending(
  deps: CountDependencies,
  after: string,
  signal?: AbortSignal,
): Promise<PendingCount | undefined> {
  const tenants = new Map<string, { readonly pending: number; readonly max: number }>();
  let counted = 0;
  const add = (tenant: string, number: number) => {
    counted += number;
    const pending = Math.min(number, MAX_PENDING_COUNTED + 1);
    const max = pending === 0 ? Number.POSITIVE_INFINITY : maxOf(deps, tenant);
    if (2 * pending >= max) tenants.set(tenant, { pending, max });
  };
  if (after === '') add('', await pendingOf(deps, ''));
  let last = after;
  for (let pages = 0; pages < MAX_PAGES && counted < MAX_COUNTED; pages += 1) {
    if (signal?.aborted) return undefined;
    const page = await readPage(deps, last);
    for (const [tenant, pending] of page.pending) {
      if (signal?.aborted) return undefined;
      if (counted >= MAX_COUNTED) return { after, last, tenants };
      add(tenant, page.beyond.has(tenant) ? Math.max(pending, await pendingOf(deps, tenant)) : pending);
      last = tenant;
    }
    last = page.last;
    if (last === '') break;
  }
  return { after, last, tenants };
}

/** Reads what is pending of the tenants after that one, of one at the least, and names the last. */
async function readPage(deps: CountDependencies, after: string) {
  const { webhooks } = await deps.storage.listWebhooks({ ...PAGE, tenantAfter: after });
  const isEnd = webhooks.length < PAGE.limit;
  const cut = webhooks.at(-1)?.tenant;
  // A full page may end amid the webhooks of its last tenant.
  const whole = isEnd ? webhooks : webhooks.filter(({ tenant }) => tenant !== cut);
  const page = whole.length > 0 ? whole : webhooks;
  const webhookIds = page.map(({ id }) => id);
  const overviews = await deps.storage.readOverview({ webhookIds, waiting: true });
  const counts = new Map(overviews.map(({ webhookId, waiting }) => [webhookId, waiting?.count ?? 0]));
  const pending = new Map<string, number>();
  for (const { id, tenant } of page) {
    pending.set(tenant, (pending.get(tenant) ?? 0) + (counts.get(id) ?? 0));
  }
  // Of one webhook no more are counted there; of a tenant that fills a page, not all webhooks are.
  const isBeyond = (id: number) => whole.length === 0 || (counts.get(id) ?? 0) > MAX_WAITING_COUNTED;
  const beyond = page.filter(({ id }) => isBeyond(id));
  const last = isEnd ? '' : (page.at(-1)?.tenant ?? '');
  return { pending, beyond: new Set(beyond.map(({ tenant }) => tenant)), last };
}

async function pendingOf({ storage }: CountDependencies, tenant: string): Promise<number> {
  const [all] = await storage.readOverview({ tenant, waiting: true });
  return all?.waiting?.count ?? 0;
}

/** A function of the host's may fail for one tenant: that one has no backlog. */
function maxOf({ tenantBounds, notifier }: CountDependencies, tenant: string): number {
  try {
    return tenantBounds.maxPendingPerTenant(tenant);
  } catch (error) {
    notifier.error('backlog', error);
    return Number.POSITIVE_INFINITY;
  }
}
