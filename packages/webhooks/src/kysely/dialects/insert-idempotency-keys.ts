import { sql } from 'kysely';
import type { IdempotencyKeyTable, Tables } from '../tables.ts';
import type { DeliveryInsertion, WebhookDialect } from '../webhook-dialect.ts';

const COLUMNS = ['event', 'key', 'created_at', 'dispatch_id'] as const;

/** How long our own transactions on PostgreSQL wait for a key that another one writes. */
export const KEY_WAIT = sql<string>`set_config('lock_timeout', '50ms', true)`;

type WrittenKey = Pick<IdempotencyKeyTable, 'event' | 'key'>;

/**
 * Inserts keys in one statement and returns the new ones, where `insert` has an `on conflict` and a
 * `returning`.
 */
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

/** An insert of keys. The caller adds the clause for keys that exist. */
export function insertingKeys(
  dialect: Pick<WebhookDialect, 'rowsOf'>,
  tables: Tables,
  keys: readonly IdempotencyKeyTable[],
) {
  const rows = dialect.rowsOf(keys, 'new_key', {
    event: 'text',
    key: 'text',
    created_at: 'text',
    dispatch_id: 'text',
  });
  return tables
    .insertInto('webhook_idempotency_keys')
    .columns(COLUMNS)
    .expression((select) => select.selectFrom(rows).select(COLUMNS).where(sql.lit(true)));
}

/** Leaves out the deliveries that are there already, where `insert` has an `on conflict`. */
export function ignoringWritten(insertion: DeliveryInsertion): DeliveryInsertion {
  return insertion.onConflict((conflict) => conflict.column('delivery_id').doNothing());
}
