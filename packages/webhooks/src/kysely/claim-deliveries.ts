import { type Selectable, sql } from 'kysely';
import { timestampText } from '../clock.ts';
import type { AttemptLogEntry } from '../storage/records.ts';
import type { ClaimedDelivery, ClaimRequest } from '../storage/storage.ts';
import { jsonArrayOf } from './json-array.ts';
import { PENDING } from './pending.ts';
import { removedWebhooks } from './remove-webhook.ts';
import type { DeliveryTable, Tables, WebhookTable } from './tables.ts';

const CLAIM_COLUMNS = [
  'id',
  'webhook_id',
  'delivery_id',
  'event',
  'payload',
  'created_at',
  'attempts',
  'series_start',
  'attempt_log',
  'next_attempt_at',
  'lost_attempt',
] as const;

type ClaimRow = Pick<Selectable<DeliveryTable>, (typeof CLAIM_COLUMNS)[number]>;
type RecipientRow = Pick<Selectable<WebhookTable>, 'id' | 'url' | 'secret' | 'is_active'>;

/** Claims what is due, and reads the webhooks as they are; the caller's transaction makes it one step. */
export async function claimDueDeliveries(tables: Tables, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  const rows = await claimRows(tables, request);
  if (rows.length === 0) return [];
  // RETURNING promises no order.
  rows.sort(
    (a, b) => compareText(a.next_attempt_at ?? '', b.next_attempt_at ?? '') || Number(a.id) - Number(b.id),
  );
  const recipients = await readRecipients(tables, rows);
  return rows.flatMap((row) => {
    const recipient = recipients.get(Number(row.webhook_id));
    // A webhook's row outlives its deliveries: it is always there.
    return recipient === undefined ? [] : [claimedDeliveryOf(row, recipient, request)];
  });
}

/** Rows that nobody holds, the longest due first. */
export function dueRows(tables: Tables, now: string, limit: number) {
  return tables
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', PENDING)
    .where('next_attempt_at', '<=', now)
    .where((free) => free.or([free('locked_until', 'is', null), free('locked_until', '<=', now)]))
    .where('webhook_id', 'not in', removedWebhooks(tables))
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit);
}

function claimRows(tables: Tables, request: ClaimRequest): Promise<ClaimRow[]> {
  const { now, limit, leaseMs, maxAttempts, claimToken } = request;
  return tables
    .updateTable('webhook_deliveries')
    .set({
      attempts: sql<number>`attempts + case when attempts - series_start < ${maxAttempts} then 1 else 0 end`,
      // A token still there belongs to a claim that never brought a result.
      lost_attempt: sql<number | null>`case
        when claim_token is not null then attempts
        when attempts - series_start >= ${maxAttempts} then 0
        else null end`,
      claim_token: claimToken,
      locked_until: timestampText(now + leaseMs),
    })
    .where('id', 'in', dueRows(tables, timestampText(now), limit))
    .returning(CLAIM_COLUMNS)
    .execute();
}

async function readRecipients(
  tables: Tables,
  rows: readonly ClaimRow[],
): Promise<ReadonlyMap<number, RecipientRow>> {
  const webhookIds = [...new Set(rows.map((row) => row.webhook_id))];
  const recipients = await tables
    .selectFrom('webhooks')
    .select(['id', 'url', 'secret', 'is_active'])
    .where('id', 'in', webhookIds)
    .execute();
  return new Map(recipients.map((recipient) => [Number(recipient.id), recipient]));
}

function claimedDeliveryOf(row: ClaimRow, recipient: RecipientRow, request: ClaimRequest): ClaimedDelivery {
  const attempt = Number(row.attempts);
  const lostAttempt = row.lost_attempt === null ? null : Number(row.lost_attempt);
  return {
    id: Number(row.id),
    claimToken: request.claimToken,
    deliveryId: row.delivery_id,
    event: row.event,
    payload: row.payload,
    createdAt: row.created_at,
    attempt,
    seriesAttempt: attempt - Number(row.series_start),
    attemptLog: jsonArrayOf<AttemptLogEntry>(row.attempt_log),
    lostAttempt: lostAttempt === 0 ? null : lostAttempt,
    isExhausted: lostAttempt === 0 || lostAttempt === attempt,
    webhook: {
      id: Number(recipient.id),
      url: recipient.url,
      secret: recipient.secret,
      isActive: Number(recipient.is_active) === 1,
    },
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
