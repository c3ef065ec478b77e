import { sql } from 'kysely';
import type { ActivityQuery } from '../../storage/delivery-requests.ts';
import { type ActivityBucket, type DeliveryCounts, MAX_PENDING_COUNTED } from '../../storage/records.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';
import { hourOf, TOTAL } from './count-changes.ts';

/** The pending deliveries whose hours an activity tells: the newest of a webhook. */
const MAX_PENDING_BY_HOUR = 10_000;

/** In one statement, and so in one snapshot: a delivery is either pending or counted as ended. */
export async function countDeliveries(
  { read, dialect }: DatabaseAccess,
  webhookId: number,
): Promise<DeliveryCounts> {
  const rows = await read((tables) => {
    const waiting = pendingOf(tables, dialect, webhookId)
      .select('webhook_deliveries.id')
      .limit(MAX_PENDING_COUNTED + 1);
    const pending = tables
      .selectFrom(waiting.as('waiting'))
      .select([NOTHING.as('success'), NOTHING.as('failed'), sql<number>`count(*)`.as('pending')]);
    return endedOf(tables, webhookId)
      .select(ENDED)
      .select(NOTHING.as('pending'))
      .where('hour', '=', TOTAL)
      .unionAll(pending)
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
    const waiting = pendingOf(tables, dialect, webhookId)
      .select(sql<string>`substr(created_at, 1, 13)`.as('hour'))
      .orderBy('priority_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_PENDING_BY_HOUR);
    const pending = tables
      .selectFrom(waiting.as('waiting'))
      .select(['hour', NOTHING.as('success'), NOTHING.as('failed'), sql<number>`count(*)`.as('pending')])
      .where('hour', '>=', first)
      .where('hour', '<=', last)
      .groupBy('hour');
    return endedOf(tables, webhookId)
      .select('hour')
      .select(ENDED)
      .select(NOTHING.as('pending'))
      .where('hour', '>=', first)
      .where('hour', '<=', last)
      .groupBy('hour')
      .unionAll(pending)
      .execute();
  });
  const buckets = new Map<string, Counts>();
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

const NOTHING = sql<number>`0`;

const ENDED = [
  sql<number | null>`sum(success)`.as('success'),
  sql<number | null>`sum(failed)`.as('failed'),
] as const;

function endedOf(tables: Tables, webhookId: number) {
  return tables
    .selectFrom('webhook_activity')
    .where('webhook_id', '=', webhookId)
    .where('webhook_id', 'not in', removedWebhooks(tables));
}

/** A webhook's pending deliveries, through their own index. */
function pendingOf(tables: Tables, dialect: WebhookDialect, webhookId: number) {
  return tables
    .selectFrom(dialect.deliveriesBy('webhook_deliveries_ready_by_webhook'))
    .where('webhook_id', '=', webhookId)
    .where('status', '=', PENDING)
    .where('webhook_id', 'not in', removedWebhooks(tables));
}

interface Counts {
  success: number;
  failed: number;
  pending: number;
}

/** Drivers differ in the type of a sum. */
function addTo(sum: Counts, row: { readonly [Status in keyof Counts]: number | null }): void {
  sum.success += Number(row.success);
  sum.failed += Number(row.failed);
  sum.pending += Number(row.pending);
}
