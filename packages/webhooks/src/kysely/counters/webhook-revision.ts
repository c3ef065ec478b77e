import { type RawBuilder, sql } from 'kysely';
import type { DatabaseAccess } from '../database-access.ts';
import { OF_A_WEBHOOK, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { TOTAL } from './count-changes.ts';

/** The counter of changes of webhooks. No webhook has this id. */
const WEBHOOKS = 0;

/** How far a revision counts a webhook's pending deliveries. */
const MAX_PENDING = 1_001;

/**
 * Made of the counters of changes and results, the newest delivery, and the pending ones: these
 * two show what dispatches have written.
 */
export function readRevision(
  { run, dialect }: DatabaseAccess,
  webhookIds?: readonly number[],
  scope: 'all' | 'deliveries' = 'all',
): Promise<string> {
  return run(async (tables) => {
    const ids = webhookIds ?? [];
    const counted = scope === 'all' ? [WEBHOOKS, ...ids] : ids;
    if (counted.length === 0) return '';
    const counters = await tables
      .selectFrom('webhook_activity')
      .select(['webhook_id', sql<number>`sum(revision)`.as('revision')])
      .where('webhook_id', 'in', counted)
      .where('hour', '=', TOTAL)
      .groupBy('webhook_id')
      .orderBy('webhook_id')
      .execute();
    const revisions = counters.map(({ revision }) => Number(revision));
    if (webhookIds === undefined) return textOf([...revisions, await newestOfAll(tables)]);
    if (ids.length === 0) return textOf(revisions);
    const pending = await pendingOfEach(tables, dialect, ids);
    return textOf([...revisions, ...(await newestOfEach(tables, ids)), ...pending]);
  });
}

/** Parts have a fixed order. */
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
async function pendingOfEach(
  tables: Tables,
  dialect: WebhookDialect,
  ids: readonly number[],
): Promise<string[]> {
  const pendingOf = (webhookId: RawBuilder<number>, count: RawBuilder<number>) =>
    tables
      .selectFrom(dialect.deliveriesBy('webhook_deliveries_ready_by_webhook'))
      .select('webhook_deliveries.id')
      .where('webhook_deliveries.webhook_id', '=', webhookId)
      .where(OF_A_WEBHOOK)
      .where('status', '=', PENDING)
      .orderBy('webhook_id')
      .orderBy('priority_at')
      .orderBy('id')
      .limit(count);
  const counts = ids.map((webhookId) => ({ webhookId, count: MAX_PENDING }));
  const rows = await tables
    .selectFrom(dialect.firstOfEach(counts, dialect.membersOf(counts), ['id'], pendingOf).as('pending'))
    .select(['pending.webhook_id', sql<number>`count(*)`.as('count')])
    .groupBy('pending.webhook_id')
    .orderBy('pending.webhook_id')
    .execute();
  return rows.map(({ webhook_id, count }) => `${webhook_id}.${count}`);
}
