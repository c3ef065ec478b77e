import type { ActivityTable, Tables } from '../tables.ts';

/** Adds to counters where `insert` has an `on conflict`. */
export async function upsertActivity(tables: Tables, rows: readonly ActivityTable[]): Promise<void> {
  await tables
    .insertInto('webhook_activity')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['webhook_id', 'hour']).doUpdateSet((row) => ({
        success: row('webhook_activity.success', '+', row.ref('excluded.success')),
        failed: row('webhook_activity.failed', '+', row.ref('excluded.failed')),
        pending: row('webhook_activity.pending', '+', row.ref('excluded.pending')),
      })),
    )
    .execute();
}
