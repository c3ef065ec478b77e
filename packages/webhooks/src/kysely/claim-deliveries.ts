import type { ClaimedDelivery, ClaimRequest } from '../storage/delivery-requests.ts';
import type { AttemptLogEntry } from '../storage/records.ts';
import { countChanges } from './activity.ts';
import type { WebhookDialect } from './dialect.ts';
import { type HeldRow, holdLocked, lockAndHold } from './hold-rows.ts';
import { jsonArrayOf } from './json-array.ts';
import type { Tables } from './tables.ts';
import { type LookMark, type Taken, takeDueRows } from './take-due-rows.ts';

/** Claims what is due, and reads the webhooks as they are; the caller's transaction makes it one step. */
export async function claimDueDeliveries(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
): Promise<{ readonly deliveries: ClaimedDelivery[]; readonly isComplete: boolean }> {
  await dialect.readInOrder(tables);
  const { rows, isComplete } = await holdDueRows(tables, dialect, request, mark);
  rows.sort((a, b) => compareText(a.turn_at ?? '', b.turn_at ?? '') || Number(a.id) - Number(b.id));
  const uncounted = rows.filter((row) => Number(row.is_counted) === 0);
  await countChanges(
    tables,
    dialect,
    uncounted.map((row) => ({ webhookId: Number(row.webhook_id), createdAt: row.created_at, to: 'pending' })),
  );
  return { deliveries: rows.map((row) => claimedDeliveryOf(row, request)), isComplete };
}

/** Where an update can stand beside the select that locks, each group is held as it is taken; elsewhere all at the end. */
async function holdDueRows(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
): Promise<Taken<HeldRow>> {
  if (dialect.hasUpdateInWith) {
    return takeDueRows(tables, dialect, request, mark, (free) => lockAndHold(tables, dialect, request, free));
  }
  const { rows, isComplete } = await takeDueRows(tables, dialect, request, mark, (free) => free.execute());
  return { rows: await holdLocked(tables, dialect, request, rows), isComplete };
}

function claimedDeliveryOf(row: HeldRow, { claimToken, maxAttempts }: ClaimRequest): ClaimedDelivery {
  const before = Number(row.attempts);
  const seriesStart = Number(row.series_start);
  const isExhausted = before - seriesStart >= maxAttempts;
  const attempt = isExhausted ? before : before + 1;
  const { previous_secret: secret, previous_secret_expires_at: expiresAt } = row;
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
      id: Number(row.webhook_id),
      url: row.url,
      secret: row.secret,
      previousSecret: secret === null || expiresAt === null ? null : { secret, expiresAt },
      isActive: Number(row.is_active) === 1,
      activation: Number(row.activations),
    },
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
