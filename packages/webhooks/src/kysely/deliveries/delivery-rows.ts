import { type Selectable, sql } from 'kysely';
import type { DeliverySummary } from '../../storage/records.ts';
import { TOTAL } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { FAILED } from '../status-literals.ts';
import type { DeliveryTable } from '../tables.ts';

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

export function lastDeliveries(
  { read }: DatabaseAccess,
  webhookIds: readonly number[],
): Promise<DeliverySummary[]> {
  if (webhookIds.length === 0) return Promise.resolve([]);
  return read(async (tables) => {
    // One id per webhook first, each a single step in its history; no database plans a grouping
    // that way.
    const last = await tables
      .selectFrom('webhooks')
      .select((webhook) =>
        webhook
          .selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
          .orderBy('webhook_deliveries.id', 'desc')
          .limit(1)
          .as('delivery'),
      )
      .where('webhooks.id', 'in', webhookIds)
      .where('webhooks.is_removed', '=', 0)
      .execute();
    const ids = last.flatMap(({ delivery }) => (delivery === null ? [] : [delivery]));
    if (ids.length === 0) return [];
    const rows = await tables
      .selectFrom('webhook_deliveries')
      .select(SUMMARY_COLUMNS)
      .where('id', 'in', ids)
      .execute();
    return rows.map(summaryOf);
  });
}

export function countFailuresInARow(
  { read }: DatabaseAccess,
  webhookId: number,
  limit: number,
): Promise<number> {
  return read(async (tables) => {
    const lastSuccess = tables
      .selectFrom('webhook_activity')
      .select(({ fn }) => fn.max('last_success_at').as('last_success_at'))
      .where('webhook_activity.webhook_id', '=', webhookId)
      .where('hour', '=', TOTAL);
    const failures = await tables
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_id', '=', webhookId)
      .where('status', '=', FAILED)
      .where('activation', '=', (webhook) =>
        webhook
          .selectFrom('webhooks')
          .select('activations')
          .where('webhooks.id', '=', webhookId)
          .where('is_removed', '=', 0),
      )
      .where((row) => row('completed_at', '>', row.fn.coalesce(lastSuccess, sql<string>`''`)))
      .limit(limit)
      .execute();
    return failures.length;
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
