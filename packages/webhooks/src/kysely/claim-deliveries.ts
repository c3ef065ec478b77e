import { type Selectable, sql } from 'kysely';
import type { ClaimedDelivery, ClaimRequest } from '../storage/delivery-requests.ts';
import type { AttemptLogEntry } from '../storage/records.ts';
import { countChanges } from './activity.ts';
import type { WebhookDialect } from './dialect.ts';
import type { ClaimRow } from './hand.ts';
import { jsonArrayOf } from './json-array.ts';
import type { Tables, WebhookTable } from './tables.ts';
import { type LookMark, takeDueRows } from './take-due-rows.ts';

const RECIPIENT_COLUMNS = [
  'id',
  'url',
  'secret',
  'previous_secret',
  'previous_secret_expires_at',
  'is_active',
  'activations',
] as const;
type RecipientRow = Pick<Selectable<WebhookTable>, (typeof RECIPIENT_COLUMNS)[number]>;

/** Claims what is due, and reads the webhooks as they are; the caller's transaction makes it one step. */
export async function claimDueDeliveries(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
): Promise<{ readonly deliveries: ClaimedDelivery[]; readonly isComplete: boolean }> {
  const { rows, isComplete } = await takeDueRows(tables, dialect, request, mark);
  if (rows.length === 0) return { deliveries: [], isComplete };
  rows.sort((a, b) => compareText(a.turn_at ?? '', b.turn_at ?? '') || Number(a.id) - Number(b.id));
  const recipients = await holdRows(tables, dialect, rows, request);
  const uncounted = rows.filter((row) => Number(row.is_counted) === 0);
  await countChanges(
    tables,
    dialect,
    uncounted.map((row) => ({ webhookId: Number(row.webhook_id), createdAt: row.created_at, to: 'pending' })),
  );
  const deliveries = rows.flatMap((row) => {
    const recipient = recipients.get(Number(row.webhook_id));
    // A webhook's row outlives its deliveries: it is always there.
    return recipient === undefined ? [] : [claimedDeliveryOf(row, recipient, request)];
  });
  return { deliveries, isComplete };
}

/** Makes the rows this claim's, and answers their webhooks. */
async function holdRows(
  tables: Tables,
  dialect: WebhookDialect,
  rows: readonly ClaimRow[],
  request: ClaimRequest,
): Promise<ReadonlyMap<number, RecipientRow>> {
  if (!dialect.hasUpdateInWith) {
    await holding(tables, dialect, rows, request).execute();
    return recipientsById(await recipientsOf(tables, rows).execute());
  }
  // Nothing reads what is updated, and it is updated all the same: one round trip instead of two.
  const holder = tables.with('held', () => holding(tables, dialect, rows, request).returning('id'));
  return recipientsById(await recipientsOf(holder, rows).execute());
}

function holding(
  tables: Tables,
  dialect: WebhookDialect,
  rows: readonly ClaimRow[],
  { now, leaseMs, maxAttempts, claimToken }: ClaimRequest,
) {
  return tables
    .updateTable('webhook_deliveries')
    .set({
      // First: MySQL reads columns as they were set before. A token still there belongs to a claim without a result.
      lost_attempt: sql<number | null>`case
        when claim_token is not null then attempts
        when attempts - series_start >= ${maxAttempts} then 0
        else null end`,
      attempts: sql<number>`attempts + case when attempts - series_start < ${maxAttempts} then 1 else 0 end`,
      claim_token: claimToken,
      locked_until: dialect.timestamp(now, leaseMs),
      is_counted: 1,
    })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    );
}

function recipientsOf(tables: Tables, rows: readonly ClaimRow[]) {
  const webhookIds = [...new Set(rows.map((row) => row.webhook_id))];
  return tables
    .selectFrom('webhooks')
    .select(RECIPIENT_COLUMNS)
    .where('id', 'in', webhookIds)
    .where('is_removed', '=', 0);
}

function recipientsById(recipients: readonly RecipientRow[]): ReadonlyMap<number, RecipientRow> {
  return new Map(recipients.map((recipient) => [Number(recipient.id), recipient]));
}

function claimedDeliveryOf(
  row: ClaimRow,
  recipient: RecipientRow,
  { claimToken, maxAttempts }: ClaimRequest,
): ClaimedDelivery {
  const before = Number(row.attempts);
  const seriesStart = Number(row.series_start);
  const isExhausted = before - seriesStart >= maxAttempts;
  const attempt = isExhausted ? before : before + 1;
  const { previous_secret: secret, previous_secret_expires_at: expiresAt } = recipient;
  return {
    id: Number(row.id),
    claimToken,
    deliveryId: row.delivery_id,
    event: row.event,
    payload: row.payload,
    createdAt: row.created_at,
    attempt,
    seriesAttempt: attempt - seriesStart,
    attemptLog: jsonArrayOf<AttemptLogEntry>(row.attempt_log),
    // A token still there belongs to a claim that never brought a result.
    lostAttempt: row.claim_token === null ? null : before,
    isExhausted,
    webhook: {
      id: Number(recipient.id),
      url: recipient.url,
      secret: recipient.secret,
      previousSecret: secret === null || expiresAt === null ? null : { secret, expiresAt },
      isActive: Number(recipient.is_active) === 1,
      activation: Number(recipient.activations),
    },
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
