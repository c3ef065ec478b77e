import { type InsertQueryBuilder, sql } from 'kysely';
import type { WebhookTables } from '../tables.ts';
import type { OfOneWebhook } from '../webhook-dialect.ts';

/** Where `insert` has an `on conflict`: the insertion without the rows that are there already. */
export function ignoringWritten<Table extends keyof WebhookTables, Output>(
  insertion: InsertQueryBuilder<WebhookTables, Table, Output>,
): InsertQueryBuilder<WebhookTables, Table, Output> {
  return insertion.onConflict((conflict) => conflict.doNothing());
}

/** The insertion that overwrites the rows that are there. */
export function overwriting<Table extends OfOneWebhook, Output>(
  insertion: InsertQueryBuilder<WebhookTables, Table, Output>,
  columns: readonly string[],
): InsertQueryBuilder<WebhookTables, Table, Output> {
  const values = Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)]));
  return insertion.onConflict((conflict) =>
    conflict.column('webhook_id' as never).doUpdateSet(values as never),
  );
}
