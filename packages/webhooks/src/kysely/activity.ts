import { sql } from 'kysely';
import type { ActivityQuery } from '../storage/delivery-requests.ts';
import type { ActivityBucket, DeliveryCounts, DeliveryStatus } from '../storage/records.ts';
import type { WebhookDialect } from './dialect.ts';
import { PENDING } from './pending.ts';
import { removedWebhooks } from './removed-webhooks.ts';
import type { TableAccess } from './table-access.ts';
import type { ActivityTable, Tables } from './tables.ts';

/** The row with this hour counts all of a webhook's deliveries. */
export const TOTAL = '';

/** Counters that one statement writes. */
const MAX_ROWS_PER_STATEMENT = 500;

/** A delivery of that webhook, created then, that was of one status and is now of another; or that came, or goes. */
export interface StatusChange {
  readonly webhookId: number;
  readonly createdAt: string;
  readonly from?: DeliveryStatus | undefined;
  readonly to?: DeliveryStatus;
  /** Of one that has just ended. */
  readonly completedAt?: string | null;
}

type Counters = { -readonly [Column in keyof ActivityTable]: ActivityTable[Column] };

/**
 * Counts changes of status, in the transaction that makes them and after everything else in it: others wait for the
 * counters of a busy webhook. Rows are written in ascending order of their key, so that two transactions wait for one another in
 * one direction only.
 */
export async function countChanges(
  tables: Tables,
  dialect: WebhookDialect,
  changes: readonly StatusChange[],
): Promise<void> {
  const rows = [...sumOf(changes).values()]
    .filter(({ success, failed, pending }) => success !== 0 || failed !== 0 || pending !== 0)
    .sort((a, b) => a.webhook_id - b.webhook_id || (a.hour < b.hour ? -1 : 1));
  for (let start = 0; start < rows.length; start += MAX_ROWS_PER_STATEMENT) {
    await dialect.addToActivity(tables, rows.slice(start, start + MAX_ROWS_PER_STATEMENT));
  }
}

function sumOf(changes: readonly StatusChange[]): ReadonlyMap<string, Counters> {
  const sums = new Map<string, Counters>();
  for (const { webhookId, createdAt, from, to, completedAt } of changes) {
    for (const hour of [TOTAL, hourOf(createdAt)]) {
      const key = `${webhookId} ${hour}`;
      const sum = sums.get(key) ?? noChange(webhookId, hour);
      sums.set(key, sum);
      if (from !== undefined) sum[from]--;
      if (to !== undefined) sum[to]++;
      const succeededAt = to === 'success' && hour === TOTAL ? (completedAt ?? '') : '';
      if (succeededAt > sum.last_success_at) sum.last_success_at = succeededAt;
    }
  }
  return sums;
}

function noChange(webhookId: number, hour: string): Counters {
  return { webhook_id: webhookId, hour, success: 0, failed: 0, pending: 0, last_success_at: '' };
}

/** Removes the counters of these hours that came to zero: a purge has removed what they counted. */
export async function dropEmptyHours(tables: Tables, removed: readonly StatusChange[]): Promise<void> {
  if (removed.length === 0) return;
  await tables
    .deleteFrom('webhook_activity')
    .where('webhook_id', 'in', [...new Set(removed.map(({ webhookId }) => webhookId))])
    .where('hour', 'in', [...new Set(removed.map(({ createdAt }) => hourOf(createdAt)))])
    .where('success', '=', 0)
    .where('failed', '=', 0)
    .where('pending', '=', 0)
    .execute();
}

export async function countDeliveries(
  { read, dialect }: TableAccess,
  webhookId: number,
): Promise<DeliveryCounts> {
  const rows = await read((tables) => {
    const counted = countersOf(tables, webhookId).where('hour', '=', TOTAL);
    if (dialect.isEmbedded) return counted.execute();
    // One statement, so one moment: a delivery is counted, or it is among the uncounted.
    return counted
      .unionAll(uncounted(tables, webhookId).select(sql<string>`''`.as('hour')).select(UNCOUNTED))
      .execute();
  });
  const counts = { success: 0, failed: 0, pending: 0 };
  for (const row of rows) addTo(counts, row);
  return { total: counts.success + counts.failed + counts.pending, ...counts };
}

export async function readActivity(
  { read, dialect }: TableAccess,
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

/** With literals: PostgreSQL tells parameters apart, and would not group by what it selects. */
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
  // Drivers differ in what a sum is.
  sum.success += Number(row.success);
  sum.failed += Number(row.failed);
  sum.pending += Number(row.pending);
}

function hourOf(timestamp: string): string {
  return timestamp.slice(0, 13);
}
