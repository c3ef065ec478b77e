import type { Selectable } from 'kysely';
import type { DeliverySummary } from '../../storage/records.ts';
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
  'deferrals',
  'created_at',
  'completed_at',
  'next_attempt_at',
] as const;

type SummaryRow = Pick<Selectable<DeliveryTable>, (typeof SUMMARY_COLUMNS)[number]>;

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
    attempts: Number(row.attempts) - Number(row.deferrals),
    deferrals: Number(row.deferrals),
    createdAt: row.created_at,
    completedAt: row.completed_at,
    nextAttemptAt: row.next_attempt_at,
  };
}
