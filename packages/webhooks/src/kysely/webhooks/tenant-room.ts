import { WebhookError } from '../../errors.ts';
import { TENANT_CLOSED_MS, tenantRemoved } from '../../storage/removed-tenant.ts';
import { tooManyWebhooks } from '../../storage/too-many-webhooks.ts';
import { addToCounters } from '../counters/insert-counters.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/** A counter that every creation with a bound adds to first: it is the lock that they wait for. */
const CREATIONS = {
  hour: 'creations',
  webhook_id: 0,
  shard: 0,
  success: 0,
  failed: 0,
  last_success_at: '',
  last_failure_at: '',
  revision: 1,
} as const;

/** The key whose time says when a tenant was closed: no event has an empty name. */
const CLOSING = { event: '', key: '' } as const;

/** How many removed webhooks a tenant may have for each that it may have. */
const MAX_REMOVED_PER_WEBHOOK = 10;
const HOUR_MS = 3_600_000;

/**
 * Refuses a creation if the tenant has as many webhooks as it may, or is closed. Creations come
 * one after the other from here to the end of the transaction: they are rare, and take
 * milliseconds.
 */
export async function assertRoom(
  tables: Tables,
  dialect: WebhookDialect,
  { tenant, created_at }: { readonly tenant: string; readonly created_at: string },
  max: number,
): Promise<void> {
  await addToCounters(tables, dialect, { rows: [CREATIONS] });
  const closed = await tables
    .selectFrom('webhook_idempotency_keys')
    .select('created_at')
    .where((key) => key.and({ tenant, ...CLOSING }))
    .where('created_at', '>', dialect.timestamp(Date.parse(created_at), -TENANT_CLOSED_MS))
    .executeTakeFirst();
  if (closed !== undefined) throw tenantRemoved();
  const counts = await tables
    .selectFrom('webhooks')
    .select((webhook) => ['is_removed' as const, webhook.fn.countAll<number>().as('count')])
    .where('tenant', '=', tenant)
    .groupBy('is_removed')
    .execute();
  const countOf = (isRemoved: 0 | 1) =>
    Number(counts.find(({ is_removed }) => Number(is_removed) === isRemoved)?.count ?? 0);
  if (countOf(0) >= max) throw tooManyWebhooks(max);
  // Their rows stay for a day, and every purge goes over them.
  if (countOf(1) >= MAX_REMOVED_PER_WEBHOOK * max) throw tooManyRemoved();
}

function tooManyRemoved(): WebhookError {
  return new WebhookError('rate_limited', 'The tenant has removed too many webhooks within a day', {
    retryAfterMs: HOUR_MS,
  });
}

/** Lets creations of the tenant end that are under way, and refuses those that come. */
export async function closeTenant(
  tables: Tables,
  dialect: WebhookDialect,
  tenant: string,
  now: number,
): Promise<void> {
  await addToCounters(tables, dialect, { rows: [CREATIONS] });
  const name = { tenant, ...CLOSING };
  await tables
    .deleteFrom('webhook_idempotency_keys')
    .where((key) => key.and(name))
    .execute();
  const created_at = dialect.timestamp(now);
  await tables
    .insertInto('webhook_idempotency_keys')
    .values({ ...name, created_at, dispatch_id: '' })
    .execute();
}
