import { sql } from 'kysely';
import { countChanges } from './activity.ts';
import type { WebhookDialect } from './dialect.ts';
import { removedWebhooks } from './removed-webhooks.ts';
import type { TableAccess } from './table-access.ts';
import type { Tables } from './tables.ts';

/** What may stay uncounted: whoever reads a webhook's figures counts so many rows at most, once this has been done. */
const MAX_UNCOUNTED = 500;
/** Batches of so many rows that are counted at once: 10,000 rows. */
const MAX_BATCHES = 20;

/**
 * Counts deliveries that wait for their first claim, whose business it would be, until few are left. Where a recipient hangs or a
 * claim has no room they may be many; those of the last batch are left to their claims.
 */
export async function countWaiting({
  write,
  dialect,
}: Pick<TableAccess, 'write' | 'dialect'>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const counted = await write((tables) => countBatch(tables, dialect));
    if (counted < MAX_UNCOUNTED) return;
  }
}

async function countBatch(tables: Tables, dialect: WebhookDialect): Promise<number> {
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'created_at'])
    .where('is_counted', '=', sql.lit(0))
    .where('webhook_id', 'not in', removedWebhooks(tables))
    .limit(MAX_UNCOUNTED)
    .modifyEnd(dialect.locks.freeRows)
    .execute();
  if (rows.length < MAX_UNCOUNTED) return 0;
  const ids = rows.map(({ id }) => id);
  await tables.updateTable('webhook_deliveries').set({ is_counted: 1 }).where('id', 'in', ids).execute();
  await countChanges(
    tables,
    dialect,
    rows.map((row) => ({ webhookId: Number(row.webhook_id), createdAt: row.created_at, to: 'pending' })),
  );
  return rows.length;
}
