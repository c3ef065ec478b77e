import type { AdministeredStorage } from '../storage/tenant-storage.ts';
import { readInput } from './read-input.ts';

/** What `listTenants` takes. */
export interface ListTenantsInput {
  /** Only tenants after this one: the `next` of the previous page. Default: from the first. */
  readonly after?: string | undefined;
  /** 1–100, default 50. */
  readonly limit?: number | undefined;
}

/** A tenant that has webhooks. */
export type TenantSummary = {
  readonly tenant: string;
  /** How many webhooks it has: 1 or more. */
  readonly webhooks: number;
  /** How many of them are active. */
  readonly active: number;
};

/** One page of tenants, in the order of their bytes as UTF-8. */
export type TenantPage = {
  readonly tenants: readonly TenantSummary[];
  /** What `after` takes for the next page; null on the last one. */
  readonly next: string | null;
};

/** Reads who has webhooks. */
export interface TenantList {
  /**
   * Returns one page of the tenants that have webhooks, with their numbers. The application itself
   * is no tenant. Reads the webhooks of the page alone, 100 at a time. A tenant that comes or goes
   * meanwhile may be missed, and no other.
   *
   * @throws WebhookError `validation_failed`
   */
  listTenants(input?: ListTenantsInput): Promise<TenantPage>;
}

const PAGE = { limit: 100, offset: 0, sort: 'tenant', order: 'asc' } as const;

/** @internal */
export function createTenantList({
  storage,
}: {
  readonly storage: Pick<AdministeredStorage, 'listWebhooks'>;
}): TenantList {
  async function totalOf(tenant: string, isActive?: boolean): Promise<number> {
    const query = { tenant, limit: 1, offset: 0, sort: 'id', order: 'asc' } as const;
    return (await storage.listWebhooks({ ...query, ...(isActive && { isActive }) })).total;
  }

  /** Counts the webhooks of the next tenants, of one at the least; of none after the last. */
  async function countAfter(tenantAfter: string) {
    const { webhooks } = await storage.listWebhooks({ ...PAGE, tenantAfter });
    const counts = new Map<string, TenantSummary>();
    for (const { tenant, isActive } of webhooks) {
      const { webhooks: before, active } = counts.get(tenant) ?? { webhooks: 0, active: 0 };
      counts.set(tenant, { tenant, webhooks: before + 1, active: active + (isActive ? 1 : 0) });
    }
    const isFull = webhooks.length === PAGE.limit;
    const last = webhooks.at(-1)?.tenant;
    // A full page may end amid the webhooks of its last tenant.
    if (isFull && last !== undefined) {
      if (counts.size > 1) counts.delete(last);
      else {
        const [all, active] = [await totalOf(last), await totalOf(last, true)];
        counts.set(last, { tenant: last, webhooks: all, active });
      }
    }
    return { tenants: [...counts.values()], isEnd: !isFull };
  }

  return {
    async listTenants(input = {}) {
      const { after = '', limit } = await readInput(({ tenantsInput }) => tenantsInput, input);
      const tenants: TenantSummary[] = [];
      for (let isEnd = false; !isEnd && tenants.length <= limit; ) {
        const found = await countAfter(tenants.at(-1)?.tenant ?? after);
        tenants.push(...found.tenants);
        isEnd = found.isEnd;
      }
      const page = tenants.slice(0, limit);
      return { tenants: page, next: tenants.length > limit ? (page.at(-1)?.tenant ?? null) : null };
    },
  };
}
