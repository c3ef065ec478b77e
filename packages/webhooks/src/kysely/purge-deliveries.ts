import { timestampText } from '../clock.ts';
import type { PurgeReceipt, PurgeRequest } from '../storage/storage.ts';
import { SUMMARY_COLUMNS, summaryOf } from './delivery-rows.ts';
import { PENDING } from './pending.ts';
import { removedWebhooks, removeRemains } from './remove-webhook.ts';
import type { Tables } from './tables.ts';

/** Removes what is left of removed webhooks, then what is old; the caller's transaction makes it one step. */
export async function purgeDeliveries(tables: Tables, request: PurgeRequest): Promise<PurgeReceipt> {
  const remains = await removeRemains(tables, removedWebhooks(tables), request.limit);
  if (remains === request.limit) return { removed: remains, expired: [] };
  const old = await purgeOld(tables, request, request.limit - remains);
  return { removed: remains + old.removed, expired: old.expired };
}

async function purgeOld(tables: Tables, request: PurgeRequest, limit: number): Promise<PurgeReceipt> {
  // Both statements see the same rows: inside the transaction nobody else writes, and neither column changes.
  const oldest = tables
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('created_at', '<', request.createdBefore)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit);
  const expired = await tables
    .updateTable('webhook_deliveries')
    .set({
      status: 'failed',
      error: 'expired',
      completed_at: timestampText(request.now),
      next_attempt_at: null,
      locked_until: null,
      claim_token: null,
    })
    .where('id', 'in', oldest)
    .where('status', '=', PENDING)
    .returning(SUMMARY_COLUMNS)
    .execute();
  const { numDeletedRows } = await tables
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', oldest)
    .executeTakeFirst();
  return { removed: Number(numDeletedRows), expired: expired.map(summaryOf) };
}
