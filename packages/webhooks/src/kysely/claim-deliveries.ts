import { type Selectable, sql } from 'kysely';
import type { ClaimedDelivery, ClaimRequest } from '../storage/delivery-requests.ts';
import type { AttemptLogEntry } from '../storage/records.ts';
import { countChanges } from './activity.ts';
import type { WebhookDialect } from './dialect.ts';
import type { ClaimRow } from './hand.ts';
import { jsonArrayOf } from './json-array.ts';
import type { Tables, WebhookTable } from './tables.ts';
import { everyWebhookHasRoom, firstRows, type LookMark, takeDueRows } from './take-due-rows.ts';

/** What an attempt needs to know of its webhook, beside its id. */
const RECIPIENT_COLUMNS = [
  'webhooks.url',
  'webhooks.secret',
  'webhooks.previous_secret',
  'webhooks.previous_secret_expires_at',
  'webhooks.is_active',
  'webhooks.activations',
] as const;
type RecipientRow = Pick<
  Selectable<WebhookTable>,
  'id' | 'url' | 'secret' | 'previous_secret' | 'previous_secret_expires_at' | 'is_active' | 'activations'
>;

/** Claims what is due, and reads the webhooks as they are; the caller's transaction makes it one step. */
export async function claimDueDeliveries(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
): Promise<{ readonly deliveries: ClaimedDelivery[]; readonly isComplete: boolean }> {
  await dialect.beginClaim(tables);
  const { rows, recipients, isComplete } =
    dialect.hasUpdateInWith && everyWebhookHasRoom(request)
      ? await holdFirst(tables, dialect, request)
      : await takeAndHold(tables, dialect, request, mark);
  rows.sort((a, b) => compareText(a.turn_at ?? '', b.turn_at ?? '') || Number(a.id) - Number(b.id));
  const uncounted = rows.filter((row) => Number(row.is_counted) === 0);
  await countChanges(
    tables,
    dialect,
    uncounted.map((row) => ({ webhookId: Number(row.webhook_id), createdAt: row.created_at, to: 'pending' })),
  );
  const deliveries = rows.flatMap((row) => {
    const recipient = recipients.get(Number(row.webhook_id));
    // Of a webhook whose removal has just begun, nothing is handed out.
    return recipient === undefined ? [] : [claimedDeliveryOf(row, recipient, request)];
  });
  return { deliveries, isComplete };
}

/** Rows that are this claim's, and their webhooks by id. */
interface Held {
  readonly rows: ClaimRow[];
  readonly recipients: ReadonlyMap<number, RecipientRow>;
  readonly isComplete: boolean;
}

/** The first of the line, found, locked and held in one round trip. */
async function holdFirst(tables: Tables, dialect: WebhookDialect, request: ClaimRequest): Promise<Held> {
  const rows = await tables
    .with('first', () => firstRows(tables, dialect, request))
    // Takes place although nothing reads it.
    .with('held', (first) =>
      holding(tables, dialect, request)
        .where('id', 'in', first.selectFrom('first').select('first.id'))
        .returning('id'),
    )
    .selectFrom('first')
    .innerJoin('webhooks', 'webhooks.id', 'first.webhook_id')
    .where('webhooks.is_removed', '=', 0)
    .selectAll('first')
    .select(RECIPIENT_COLUMNS)
    .execute();
  const recipients = rows.map((row) => ({ ...row, id: row.webhook_id }));
  return { rows, recipients: recipientsById(recipients), isComplete: true };
}

async function takeAndHold(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  mark: LookMark,
): Promise<Held> {
  const { rows, isComplete } = await takeDueRows(tables, dialect, request, mark);
  const recipients = rows.length === 0 ? [] : await holdRows(tables, dialect, rows, request);
  return { rows, recipients: recipientsById(recipients), isComplete };
}

/** Makes the rows this claim's, and answers their webhooks. */
async function holdRows(
  tables: Tables,
  dialect: WebhookDialect,
  rows: readonly ClaimRow[],
  request: ClaimRequest,
): Promise<readonly RecipientRow[]> {
  const ids = rows.map(({ id }) => id);
  const held = holding(tables, dialect, request).where('id', 'in', ids);
  if (dialect.hasUpdateInWith) {
    const holder = tables.with('held', () => held.returning('id'));
    return recipientsOf(holder, rows).execute();
  }
  await held.execute();
  return recipientsOf(tables, rows).execute();
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

function recipientsOf(tables: Tables, rows: readonly ClaimRow[]) {
  const webhookIds = [...new Set(rows.map((row) => row.webhook_id))];
  return tables
    .selectFrom('webhooks')
    .select(['webhooks.id', ...RECIPIENT_COLUMNS])
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
