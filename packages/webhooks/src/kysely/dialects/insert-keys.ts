import { sql } from 'kysely';
import type { WebhookDialect } from '../dialect.ts';
import type { IdempotencyKeyTable, Tables } from '../tables.ts';

type WrittenKey = Pick<IdempotencyKeyTable, 'event' | 'key'>;

/** Inserts keys, in one statement, where `insert` has an `on conflict` and answers what it wrote. */
export function insertNewKeys(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  tables: Tables,
  keys: readonly IdempotencyKeyTable[],
): Promise<WrittenKey[]> {
  return insertingKeys(dialect, tables, keys)
    .onConflict((conflict) => conflict.columns(['event', 'key']).doNothing())
    .returning(['event', 'key'])
    .execute();
}

/** What becomes of keys that are there is for the caller to say. */
export function insertingKeys(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  tables: Tables,
  keys: readonly IdempotencyKeyTable[],
) {
  const rows = dialect.rowsOf(keys, 'new_key', { event: 'text', key: 'text', created_at: 'text' });
  return tables
    .insertInto('webhook_idempotency_keys')
    .columns(['event', 'key', 'created_at'])
    .expression((select) =>
      select.selectFrom(rows).select(['event', 'key', 'created_at']).where(sql.lit(true)),
    );
}
