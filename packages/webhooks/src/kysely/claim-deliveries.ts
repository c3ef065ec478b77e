import type { ClaimedDelivery, ClaimRequest } from '../storage/delivery-requests.ts';
import type { AttemptLogEntry } from '../storage/records.ts';
import { countChanges } from './activity.ts';
import type { ClaimRow, FreeRows } from './claimed-batch.ts';
import type { WebhookDialect } from './dialect.ts';
import { type Held, holdLocked, lockAndHold } from './hold-rows.ts';
import { jsonArrayOf } from './json-array.ts';
import type { Tables } from './tables.ts';
import { type ScanCursor, type Taken, takeDueRows } from './take-due-rows.ts';

/** Claims what is due, and reads the webhooks as they are; the caller's transaction makes it one step. */
export async function claimDueDeliveries(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  cursor: ScanCursor,
): Promise<Omit<Taken<ClaimRow>, 'rows'> & { readonly deliveries: ClaimedDelivery[] }> {
  await dialect.readInOrder(tables);
  const { held, ...taken } = await holdDueRows(tables, dialect, request, cursor);
  held.sort(byTurn);
  const uncounted = held.filter(({ row }) => Number(row.is_counted) === 0);
  await countChanges(
    tables,
    dialect,
    uncounted.map(({ row }) => ({
      webhookId: Number(row.webhook_id),
      createdAt: row.created_at,
      to: 'pending',
    })),
  );
  return { deliveries: held.map((delivery) => claimedDeliveryOf(delivery, request)), ...taken };
}

/** Where an update can stand beside the select that locks, each group is held as it is taken; elsewhere all at the end. */
async function holdDueRows(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  cursor: ScanCursor,
): Promise<Omit<Taken<ClaimRow>, 'rows'> & { readonly held: Held[] }> {
  if (dialect.hasUpdateInWith) {
    const hold = (free: FreeRows) => lockAndHold(tables, dialect, request, free);
    const { rows, ...taken } = await takeDueRows(tables, dialect, request, cursor, hold);
    return { held: rows.map((row) => ({ row, recipient: row })), ...taken };
  }
  const { rows, ...taken } = await takeDueRows(tables, dialect, request, cursor, (free) => free.execute());
  return { held: await holdLocked(tables, dialect, request, rows), ...taken };
}

function claimedDeliveryOf(
  { row, recipient }: Held,
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
      id: Number(row.webhook_id),
      url: recipient.url,
      secret: recipient.secret,
      previousSecret: secret === null || expiresAt === null ? null : { secret, expiresAt },
      isActive: Number(recipient.is_active) === 1,
      activation: Number(recipient.activations),
    },
  };
}

function byTurn({ row: a }: Held, { row: b }: Held): number {
  const [first, second] = [a.turn_at ?? '', b.turn_at ?? ''];
  return first < second ? -1 : first > second ? 1 : Number(a.id) - Number(b.id);
}
