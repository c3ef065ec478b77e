import { type AliasedRawBuilder, type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import { compiledOnce } from '../compiled-statement.ts';
import { nameInSql } from '../names.ts';
import { type ActivityTable, COLUMNS, type Tables, type WebhookTables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/**
 * Adds to counters, which begin at zero, and keeps the later of two times. It writes the rows, and
 * thereby locks them, in the given order.
 */
export const addToCounters = compiledOnce<{ readonly rows: readonly ActivityTable[] }, InsertResult>(
  (tables, dialect, { rows }) => addingCounters(tables, dialect, dialect.rowsOf(rows, 'more', COLUMN_TYPES)),
);

/** The same, of rows of a table `more`. */
export function addingCounters(
  tables: Pick<Tables, 'insertInto'>,
  { addsToCounters }: Pick<WebhookDialect, 'addsToCounters'>,
  more: AliasedRawBuilder<ActivityTable, 'more'>,
): InsertQueryBuilder<WebhookTables, 'webhook_activity', InsertResult> {
  // With a condition SQLite does not take what follows for one of a join.
  return tables
    .insertInto('webhook_activity')
    .columns(COLUMNS.webhook_activity)
    .expression(
      sql`select hour, webhook_id, shard, success, failed, last_success_at, last_failure_at, revision
        from ${more} where 1 = 1`,
    )
    .modifyEnd(addsToCounters);
}

const COLUMN_TYPES = {
  hour: 'text',
  webhook_id: 'integer',
  shard: 'integer',
  success: 'integer',
  failed: 'integer',
  last_success_at: 'text',
  last_failure_at: 'text',
  revision: 'integer',
} as const;

/** The counters that exist, in that clause. */
export const COUNTERS = nameInSql('webhook_activity');

/** The clause that adds to counters that exist, where the database has an `on conflict`. */
export const ADDING = sql`on conflict (hour, webhook_id, shard) do update set
  success = ${COUNTERS}.success + excluded.success,
  failed = ${COUNTERS}.failed + excluded.failed,
  revision = ${COUNTERS}.revision + excluded.revision,
  last_success_at = case when excluded.last_success_at > ${COUNTERS}.last_success_at
    then excluded.last_success_at else ${COUNTERS}.last_success_at end,
  last_failure_at = case when excluded.last_failure_at > ${COUNTERS}.last_failure_at
    then excluded.last_failure_at else ${COUNTERS}.last_failure_at end`;
