import type { Selectable } from 'kysely';
import type { AttemptLogEntry, Delivery, DeliveryCounts, DeliverySummary } from '../storage/records.ts';
import type { DeliveryQuery } from '../storage/storage.ts';
import { jsonArrayOf } from './json-array.ts';
import { removedWebhooks } from './remove-webhook.ts';
import type { TableAccess } from './table-access.ts';
import type { DeliveryTable } from './tables.ts';

/** The columns of a {@link DeliverySummary}. */
export const SUMMARY_COLUMNS = [
  'id',
  'webhook_id',
  'delivery_id',
  'event',
  'status',
  'status_code',
  'response_body',
  'error',
  'attempts',
  'created_at',
  'completed_at',
  'next_attempt_at',
] as const;

type SummaryRow = Pick<Selectable<DeliveryTable>, (typeof SUMMARY_COLUMNS)[number]>;

export function countDeliveries({ read }: TableAccess, webhookId: number): Promise<DeliveryCounts> {
  return read(async (tables) => {
    const rows = await tables
      .selectFrom('webhook_deliveries')
      .select((count) => ['status', count.fn.countAll<number>().as('deliveries')])
      .where('webhook_id', '=', webhookId)
      .where('webhook_id', 'not in', removedWebhooks(tables))
      .groupBy('status')
      .execute();
    const counts = { total: 0, success: 0, failed: 0, pending: 0 };
    for (const { status, deliveries } of rows) {
      counts[status] = Number(deliveries);
      counts.total += counts[status];
    }
    return counts;
  });
}

export function listDeliveries(
  { read, dialect }: TableAccess,
  query: DeliveryQuery,
): Promise<DeliverySummary[]> {
  return read(async (tables) => {
    let page = tables
      .selectFrom('webhook_deliveries')
      .select(SUMMARY_COLUMNS)
      .where('webhook_id', '=', query.webhookId)
      .where('webhook_id', 'not in', removedWebhooks(tables));
    const { status, event } = query;
    if (status !== undefined) page = page.where('status', '=', status);
    if (event !== undefined) {
      // No index has both. Nearly all deliveries succeed, so the few others of a webhook are read faster by status.
      const isRareStatus = status !== undefined && status !== 'success';
      page = page.where(
        ({ ref }) => (isRareStatus ? dialect.pastIndexes(ref('event')) : ref('event')),
        '=',
        event,
      );
    }
    if (query.beforeId !== undefined) page = page.where('id', '<', query.beforeId);
    const rows = await page.orderBy('id', 'desc').limit(query.limit).execute();
    return rows.map(summaryOf);
  });
}

export function findDelivery(
  { read }: TableAccess,
  webhookId: number,
  deliveryId: string,
): Promise<Delivery | undefined> {
  return read(async (tables) => {
    const row = await tables
      .selectFrom('webhook_deliveries')
      .select([...SUMMARY_COLUMNS, 'payload', 'attempt_log'])
      .where('delivery_id', '=', deliveryId)
      .where('webhook_id', '=', webhookId)
      .where('webhook_id', 'not in', removedWebhooks(tables))
      .executeTakeFirst();
    return (
      row && {
        ...summaryOf(row),
        payload: row.payload,
        attemptLog: jsonArrayOf<AttemptLogEntry>(row.attempt_log),
      }
    );
  });
}

export function summaryOf(row: SummaryRow): DeliverySummary {
  return {
    id: Number(row.id),
    webhookId: Number(row.webhook_id),
    deliveryId: row.delivery_id,
    event: row.event,
    status: row.status,
    statusCode: Number(row.status_code),
    responseBody: row.response_body,
    error: row.error,
    attempts: Number(row.attempts),
    createdAt: row.created_at,
    completedAt: row.completed_at,
    nextAttemptAt: row.next_attempt_at,
  };
}
