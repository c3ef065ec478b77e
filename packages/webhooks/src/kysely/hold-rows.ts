import { type Selectable, sql } from 'kysely';
import type { ClaimRequest } from '../storage/delivery-requests.ts';
import type { ClaimRow, FreeRows } from './claimed-batch.ts';
import type { WebhookDialect } from './dialect.ts';
import type { Tables, WebhookTable } from './tables.ts';

/** What an attempt needs to know of its webhook. */
const RECIPIENT_COLUMNS = [
  'url',
  'secret',
  'previous_secret',
  'previous_secret_expires_at',
  'is_active',
  'activations',
] as const;
type RecipientColumns = Pick<Selectable<WebhookTable>, (typeof RECIPIENT_COLUMNS)[number]>;

/** A row that is a claim's: as it was before, with its webhook as it is. */
export interface Held {
  readonly row: ClaimRow;
  readonly recipient: RecipientColumns;
}

/** The same as a join answers it. */
export type JoinedRow = ClaimRow & RecipientColumns;

/**
 * Locks rows and makes them this claim's, in one round trip. Those whose webhook has been removed since they were found are held
 * and not answered: they go with it.
 */
export function lockAndHold(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  free: FreeRows,
): Promise<JoinedRow[]> {
  return (
    tables
      .with('free', () => free)
      // Takes place although nothing reads it.
      .with('held', (locked) =>
        holding(tables, dialect, request)
          .where('id', 'in', locked.selectFrom('free').select('free.id'))
          .returning('id'),
      )
      .selectFrom('free')
      .innerJoin('webhooks', 'webhooks.id', 'free.webhook_id')
      .where('webhooks.is_removed', '=', 0)
      .selectAll('free')
      .select(RECIPIENT_COLUMNS.map((column) => `webhooks.${column}` as const))
      .execute()
  );
}

/** Makes rows this claim's that its transaction has locked. Those whose webhook has been removed are held and not answered. */
export async function holdLocked(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  rows: readonly ClaimRow[],
): Promise<Held[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  await holding(tables, dialect, request).where('id', 'in', ids).execute();
  const recipients = await tables
    .selectFrom('webhooks')
    .select(['id', ...RECIPIENT_COLUMNS])
    .where('id', 'in', [...new Set(rows.map((row) => row.webhook_id))])
    .where('is_removed', '=', 0)
    .execute();
  const byId = new Map(recipients.map((recipient) => [Number(recipient.id), recipient]));
  return rows.flatMap((row) => {
    const recipient = byId.get(Number(row.webhook_id));
    // Side by side: an object with the members of both takes 4 µs to make.
    return recipient === undefined ? [] : [{ row, recipient }];
  });
}

function holding(
  tables: Tables,
  dialect: WebhookDialect,
  { now, leaseMs, maxAttempts, claimToken }: ClaimRequest,
) {
  return tables.updateTable('webhook_deliveries').set({
    // First: MySQL reads columns as they were set before. A token still there belongs to a claim without a result.
    lost_attempt: sql<number | null>`case
      when claim_token is not null then attempts
      when attempts - series_start >= ${maxAttempts} then 0
      else null end`,
    attempts: sql<number>`attempts + case when attempts - series_start < ${maxAttempts} then 1 else 0 end`,
    claim_token: claimToken,
    locked_until: dialect.timestamp(now, leaseMs),
    is_counted: 1,
  });
}
