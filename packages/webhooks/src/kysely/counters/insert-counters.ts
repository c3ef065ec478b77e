import { sql } from 'kysely';
import { nameInSql } from '../names.ts';
import { COLUMNS, type Tables } from '../tables.ts';
import type { Counters, WebhookDialect } from '../webhook-dialect.ts';

/** Inserts counters. The caller adds the clause for counters that exist. */
export function insertActivity(dialect: Pick<WebhookDialect, 'rowsOf'>, tables: Tables, more: Counters) {
  const counters = 'alias' in more ? more : dialect.rowsOf(more, 'more', COLUMN_TYPES);
  // With a condition SQLite does not take what follows for one of a join.
  return tables
    .insertInto('webhook_activity')
    .columns(COLUMNS.webhook_activity)
    .expression(
      sql`select hour, webhook_id, shard, success, failed, last_success_at, last_failure_at, revision
        from ${counters} where 1 = 1`,
    );
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
