import { integerOption } from '../../../toolkit/src/options.ts';
import { MAX_PENDING_COUNTED } from '../storage/overview-record.ts';
import { MAX_WEBHOOKS_PER_TENANT } from '../storage/tenant-storage.ts';

/**
 * A bound of tenants: a number for all of them, or a function that returns a tenant's. The engine
 * calls it whenever the bound applies, so that a change of the tenant's plan counts at once. It must
 * answer at once, and undefined stands for the default. If it throws or returns a number out of
 * bounds, the call that needed it fails.
 */
export type TenantBound = number | ((tenant: string) => number | undefined);

/** What tenants may have and do. */
export interface TenantBoundsOptions {
  /** How many webhooks a tenant may have: 1–100, default 20. */
  readonly maxWebhooksPerTenant?: TenantBound | undefined;
  /** How many patterns each of them may have: 1–100, default 20. A dispatch costs more with each. */
  readonly maxTenantPatternsPerWebhook?: TenantBound | undefined;
  /**
   * How many calls a tenant may make within a minute, in this process, that send test events or
   * deliveries again: 1–1,000, default 10. A call for a selection counts as one.
   */
  readonly maxTenantCallsPerMinute?: TenantBound | undefined;
  /**
   * With how many pending deliveries a tenant has a backlog: 1–100,000, default 10,000. It has one
   * until fewer than half are left. The engine refuses nothing for it: see `onBacklog`. The host's
   * own webhooks count as one tenant, ''.
   */
  readonly maxPendingPerTenant?: TenantBound | undefined;
}

/** Their defaults, and between what they lie. */
const BOUNDS = {
  maxWebhooksPerTenant: { default: 20, min: 1, max: MAX_WEBHOOKS_PER_TENANT },
  maxTenantPatternsPerWebhook: { default: 20, min: 1, max: 100 },
  maxTenantCallsPerMinute: { default: 10, min: 1, max: 1_000 },
  maxPendingPerTenant: { default: 10_000, min: 1, max: MAX_PENDING_COUNTED },
} as const satisfies { readonly [Name in keyof TenantBoundsOptions]-?: object };

/** {@link TenantBoundsOptions} as the engine asks for them. */
export type TenantBounds = { readonly [Name in keyof typeof BOUNDS]: (tenant: string) => number };

export const TENANT_BOUND_NAMES = Object.keys(BOUNDS) as readonly (keyof typeof BOUNDS)[];

/** @throws TypeError naming the option, what was given and its bounds */
export function readTenantBounds(options: TenantBoundsOptions): TenantBounds {
  const bounds = TENANT_BOUND_NAMES.map((name) => [name, tenantBound(name, options[name])] as const);
  return Object.fromEntries(bounds) as TenantBounds;
}

function tenantBound(name: keyof typeof BOUNDS, given: TenantBound | undefined) {
  if (typeof given === 'function')
    return (tenant: string) => integerOption(name, given(tenant), BOUNDS[name]);
  const bound = integerOption(name, given, BOUNDS[name]);
  return () => bound;
}
