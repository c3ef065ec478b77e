import { sql } from 'kysely';
import type { ActivityQuery } from '../../storage/delivery-requests.ts';
import type { ActivityBucket, DeliveryCounts } from '../../storage/records.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { PENDING } from '../pending-status.ts';
import type { Tables } from '../tables.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';
import { hourOf, TOTAL } from './count-changes.ts';

export async function countDeliveries(
  { read, dialect }: DatabaseAccess,
  webhookId: number,
): Promise<DeliveryCounts> {
  const rows = await read((tables) => {
    const counted = countersOf(tables, webhookId).where('hour', '=', TOTAL);
    if (dialect.isEmbedded) return counted.execute();
    // One statement, so one snapshot: a delivery is either counted or among the uncounted.
    return counted
      .unionAll(uncounted(tables, webhookId).select(sql<string>`''`.as('hour')).select(UNCOUNTED))
      .execute();
  });
  const counts = { success: 0, failed: 0, pending: 0 };
  for (const row of rows) addTo(counts, row);
  return { total: counts.success + counts.failed + counts.pending, ...counts };
}

export async function readActivity(
  { read, dialect }: DatabaseAccess,
  { webhookId, from, to }: ActivityQuery,
): Promise<ActivityBucket[]> {
  const [first, last] = [hourOf(from), hourOf(to)];
  const rows = await read((tables) => {
    const counted = countersOf(tables, webhookId).where('hour', '>=', first).where('hour', '<=', last);
    if (dialect.isEmbedded) return counted.execute();
    const more = uncounted(tables, webhookId)
      .select(HOUR.as('hour'))
      .select(UNCOUNTED)
      .where('created_at', '>=', first)
      // After every time of the last hour.
      .where('created_at', '<', `${last}~`)
      .groupBy(HOUR);
    return counted.unionAll(more).execute();
  });
  const buckets = new Map<string, { success: number; failed: number; pending: number }>();
  for (const row of rows) {
    const bucket = buckets.get(row.hour) ?? { success: 0, failed: 0, pending: 0 };
    buckets.set(row.hour, bucket);
    addTo(bucket, row);
  }
  return [...buckets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([hour, counts]) => ({ hour: `${hour}:00:00.000Z`, ...counts }))
    .filter(({ success, failed, pending }) => success + failed + pending > 0);
}

/**
 * With literals: PostgreSQL distinguishes parameters, and would not group by the expression it
 * selects.
 */
const HOUR = sql<string>`substr(created_at, 1, 13)`;

const UNCOUNTED = [
  sql<number>`0`.as('success'),
  sql<number>`0`.as('failed'),
  sql<number>`count(*)`.as('pending'),
] as const;

function countersOf(tables: Tables, webhookId: number) {
  return tables
    .selectFrom('webhook_activity')
    .select(['hour', 'success', 'failed', 'pending'])
    .where('webhook_id', '=', webhookId)
    .where('webhook_id', 'not in', removedWebhooks(tables));
}

function uncounted(tables: Tables, webhookId: number) {
  return tables
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('is_counted', '=', sql.lit(0))
    .where('status', '=', PENDING)
    .where('webhook_id', 'not in', removedWebhooks(tables));
}

function addTo(
  sum: { success: number; failed: number; pending: number },
  row: { readonly success: number; readonly failed: number; readonly pending: number },
): void {
  // Drivers differ in the type of a sum.
  sum.success += Number(row.success);
  sum.failed += Number(row.failed);
  sum.pending += Number(row.pending);
}
