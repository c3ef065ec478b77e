import { sql } from 'kysely';
import type { DatabaseAccess } from '../database-access.ts';
import { PENDING } from '../pending-status.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { TOTAL } from './count-changes.ts';

/** The counter of changes of webhooks. No webhook has this id. */
const WEBHOOKS = 0;

/** How many pending deliveries without a counter a revision considers. */
const MAX_UNCOUNTED = 200;

/**
 * Counts a change of a webhook, in the transaction that makes it and as its last statement:
 * administrators change webhooks rarely, and wait for one another here.
 */
export async function countWebhookChange(tables: Tables, dialect: WebhookDialect): Promise<void> {
  const none = { success: 0, failed: 0, pending: 0, last_success_at: '', last_failure_at: '' };
  await dialect.addToCounters(tables, [{ webhook_id: WEBHOOKS, hour: TOTAL, ...none, revision: 1 }]);
}

export function readRevision(
  { read, dialect }: DatabaseAccess,
  webhookIds?: readonly number[],
): Promise<string> {
  return read(async (tables) => {
    const ids = webhookIds ?? [];
    const counters = await tables
      .selectFrom('webhook_activity')
      .select('revision')
      .where('webhook_id', 'in', [WEBHOOKS, ...ids])
      .where('hour', '=', TOTAL)
      .orderBy('webhook_id')
      .execute();
    const revisions = counters.map(({ revision }) => Number(revision));
    if (webhookIds === undefined) return textOf([...revisions, await newestOfAll(tables)]);
    if (ids.length === 0 || dialect.isEmbedded) return textOf(revisions);
    return textOf([...revisions, ...(await newestOfEach(tables, ids)), await uncountedAmong(tables, ids)]);
  });
}

/** Parts have a fixed order, and an id or a counter only grows. */
function textOf(parts: readonly (string | number)[]): string {
  return parts.join('-');
}

async function newestOfAll(tables: Tables): Promise<number> {
  const row = await tables
    .selectFrom('webhook_deliveries')
    .select((all) => all.fn.max('id').as('newest'))
    .executeTakeFirst();
  return Number(row?.newest ?? 0);
}

/** One step in the history of each webhook. */
async function newestOfEach(tables: Tables, ids: readonly number[]): Promise<number[]> {
  const rows = await tables
    .selectFrom('webhooks')
    .select((webhook) =>
      webhook
        .selectFrom('webhook_deliveries')
        .select('webhook_deliveries.id')
        .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
        .orderBy('webhook_deliveries.id', 'desc')
        .limit(1)
        .as('newest'),
    )
    .where('webhooks.id', 'in', ids)
    .orderBy('webhooks.id')
    .execute();
  return rows.map(({ newest }) => Number(newest ?? 0));
}

/** Sees a delivery of a host's transaction that committed after later ones. */
async function uncountedAmong(tables: Tables, ids: readonly number[]): Promise<string> {
  const first = tables
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', 'in', ids)
    .where('is_counted', '=', sql.lit(0))
    .where('status', '=', PENDING)
    .limit(MAX_UNCOUNTED);
  const row = await tables
    .selectFrom(first.as('uncounted'))
    .select((all) => [all.fn.countAll().as('count'), all.fn.sum('id').as('sum')])
    .executeTakeFirstOrThrow();
  return `${row.count}.${row.sum ?? 0}`;
}
