import { type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import type { WebhookDialect } from '../dialect.ts';
import type { ActivityTable, Tables, WebhookTables } from '../tables.ts';

/** Inserts counters; what becomes of those that are there is for the caller to say. */
export function addRowsToActivity(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  tables: Tables,
  rows: readonly ActivityTable[],
): InsertQueryBuilder<WebhookTables, 'webhook_activity', InsertResult> {
  const counters = dialect.rowsOf(rows, 'more', {
    webhook_id: 'integer',
    hour: 'text',
    success: 'integer',
    failed: 'integer',
    pending: 'integer',
    last_success_at: 'text',
  });
  // With a condition SQLite does not take what follows for one of a join.
  return tables
    .insertInto('webhook_activity')
    .columns(['webhook_id', 'hour', 'success', 'failed', 'pending', 'last_success_at'])
    .expression(
      sql`select webhook_id, hour, success, failed, pending, last_success_at from ${counters} where 1 = 1`,
    );
}

/** Adds to counters where `insert` has an `on conflict`. */
export async function upsertActivity(
  insertion: InsertQueryBuilder<WebhookTables, 'webhook_activity', InsertResult>,
): Promise<void> {
  await insertion
    .onConflict((conflict) => conflict.columns(['webhook_id', 'hour']).doUpdateSet(SUMS))
    .execute();
}

const SUMS = {
  success: sql<number>`webhook_activity.success + excluded.success`,
  failed: sql<number>`webhook_activity.failed + excluded.failed`,
  pending: sql<number>`webhook_activity.pending + excluded.pending`,
  last_success_at: sql<string>`case when excluded.last_success_at > webhook_activity.last_success_at
    then excluded.last_success_at else webhook_activity.last_success_at end`,
};
