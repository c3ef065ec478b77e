import { type InsertQueryBuilder, type InsertResult, type RawBuilder, sql } from 'kysely';
import type { WebhookDialect } from '../dialect.ts';
import type { ActivityTable, Tables, WebhookTables } from '../tables.ts';

type ActivityInsertion = InsertQueryBuilder<WebhookTables, 'webhook_activity', InsertResult>;

/** Inserts counters as one parameter; what becomes of those that are there is for the caller to say. */
export function insertActivity(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  tables: Tables,
  rows: readonly ActivityTable[],
): ActivityInsertion {
  const counters = dialect.rowsOf(rows, 'more', {
    webhook_id: 'integer',
    hour: 'text',
    success: 'integer',
    failed: 'integer',
    pending: 'integer',
    last_success_at: 'text',
  });
  // With a condition SQLite does not take what follows for one of a join.
  return insertFrom(
    tables,
    sql`select webhook_id, hour, success, failed, pending, last_success_at from ${counters} where 1 = 1`,
  );
}

/** The same for a few, each value a parameter. Values as text: a dispatch by itself waits for it, and builders take 10 µs. */
export function insertFewActivity(tables: Tables, rows: readonly ActivityTable[]): ActivityInsertion {
  const values = rows.map(
    (row) =>
      sql`(${row.webhook_id}, ${row.hour}, ${row.success}, ${row.failed}, ${row.pending}, ${row.last_success_at})`,
  );
  return insertFrom(tables, sql`values ${sql.join(values)}`);
}

function insertFrom(tables: Tables, rows: RawBuilder<unknown>): ActivityInsertion {
  return tables.insertInto('webhook_activity').columns(COLUMNS).expression(rows);
}

const COLUMNS = ['webhook_id', 'hour', 'success', 'failed', 'pending', 'last_success_at'] as const;

/** The end of such an insertion that adds to counters which are there, where the database has an `on conflict`. */
export const ADDING = sql`on conflict (webhook_id, hour) do update set
  success = webhook_activity.success + excluded.success,
  failed = webhook_activity.failed + excluded.failed,
  pending = webhook_activity.pending + excluded.pending,
  last_success_at = case when excluded.last_success_at > webhook_activity.last_success_at
    then excluded.last_success_at else webhook_activity.last_success_at end`;
