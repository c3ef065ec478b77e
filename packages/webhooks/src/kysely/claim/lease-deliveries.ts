import { type RawBuilder, sql } from 'kysely';
import type { AttemptLogEntry } from '../../storage/delivery-record.ts';
import type { ClaimedDelivery, ClaimRequest } from '../../storage/delivery-requests.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { jsonArrayOf } from '../parse-json-array.ts';
import type { DeliveryTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { endPausesAt, resumeWebhooks } from './paused-webhooks.ts';
import { type QueueRead, readyQueueOf } from './ready-queue.ts';

/** A lease of chosen deliveries. */
export interface LeaseRequest
  extends QueueRead,
    Pick<ClaimRequest, 'leaseMs' | 'maxAttempts' | 'claimToken'> {
  /** Those of the chosen webhooks whose pause is over. */
  readonly resuming: readonly number[];
}

/** A delivery as it was before it was leased, with its webhook as it is now. */
interface LeasedRow {
  readonly id: number;
  readonly webhook_id: number;
  readonly delivery_id: string;
  readonly event: string;
  readonly payload: string;
  readonly created_at: string;
  readonly attempts: number;
  readonly series_start: number;
  readonly deferrals: number;
  readonly attempt_log: string;
  readonly priority_at: string | null;
  readonly claim_token: string | null;
  /** Null, as everything of the webhook, where a host deleted the webhook itself. */
  readonly tenant: string | null;
  readonly url: string | null;
  readonly secret: string | null;
  readonly previous_secret: string | null;
  readonly previous_secret_expires_at: string | null;
  readonly is_active: number | null;
  readonly max_per_minute: number | null;
  readonly is_removed: number | null;
  readonly activations: number | null;
}

const UNCHANGED = [
  'delivery_id',
  'event',
  'payload',
  'created_at',
  'series_start',
  'deferrals',
  'attempt_log',
  'priority_at',
] as const satisfies readonly (keyof DeliveryTable)[];

/** What the lease changes, and `lostAttempt` needs. */
const CHANGED = ['id', 'attempts', 'claim_token'] as const satisfies readonly (keyof DeliveryTable)[];

const OF_WEBHOOK = [
  'tenant',
  'url',
  'secret',
  'previous_secret',
  'previous_secret_expires_at',
  'is_active',
  'max_per_minute',
  'is_removed',
  'activations',
] as const;

/**
 * Leases the first deliveries of each webhook's ready queue, as many as `chosen` says, and returns
 * them by priority time. Skips those that others have locked; removes those that have no webhook
 * any more.
 */
export async function leaseDeliveries(
  { dialect, write, writeAtOnce }: DatabaseAccess,
  request: LeaseRequest,
  chosen: ReadonlyMap<number, number>,
): Promise<ClaimedDelivery[]> {
  const isOneStatement = dialect.returnsJoinedRows && request.resuming.length === 0;
  const { rows, pauses } = await (isOneStatement ? writeAtOnce : write)((tables) =>
    leaseResumed(tables, dialect, request, chosen),
  );
  const orphans = rows.filter(({ url }) => url === null).map(({ id }) => Number(id));
  if (orphans.length > 0) {
    const remove = write((tables) =>
      tables.deleteFrom('webhook_deliveries').where('id', 'in', orphans).execute(),
    );
    // The others are leased. A claim after the orphans' lease tries again.
    await remove.catch(() => undefined);
  }
  return rows
    .filter(({ is_removed }) => is_removed !== null && Number(is_removed) === 0)
    .sort(byPriority)
    .map((row) => claimedDelivery(row, request, pauses.get(Number(row.webhook_id)) ?? 0));
}

/**
 * Of a webhook whose pause is over, one delivery. A pause that was resumed for none of them is over
 * again.
 */
async function leaseResumed(
  tables: Tables,
  dialect: WebhookDialect,
  request: LeaseRequest,
  chosen: ReadonlyMap<number, number>,
): Promise<{ readonly rows: readonly LeasedRow[]; readonly pauses: ReadonlyMap<number, number> }> {
  const pauses = await resumeWebhooks(tables, dialect, request.resuming, request);
  const counts = new Map(chosen);
  for (const id of request.resuming) {
    if (pauses.has(id)) counts.set(id, 1);
    else counts.delete(id);
  }
  const leaseOf = dialect.returnsJoinedRows ? leaseAtOnce : lockAndLease;
  const rows = counts.size === 0 ? [] : await leaseOf(tables, dialect, request, counts);
  const leased = new Set(rows.map(({ webhook_id }) => Number(webhook_id)));
  const unused = [...pauses.keys()].filter((id) => !leased.has(id));
  await endPausesAt(tables, unused, dialect.timestamp(request.now));
  return { rows, pauses };
}

/** In a single statement, as PostgreSQL can. */
function leaseAtOnce(
  tables: Tables,
  dialect: WebhookDialect,
  request: LeaseRequest,
  chosen: ReadonlyMap<number, number>,
): Promise<LeasedRow[]> {
  return tables
    .with('chosen', () =>
      tables
        .selectFrom(firstOfEach(tables, dialect, request, chosen, CHANGED).as('first'))
        .select(['first.id', 'first.attempts', 'first.claim_token', 'first.webhook_id']),
    )
    .updateTable('webhook_deliveries as delivery')
    .from('chosen')
    .leftJoin('webhooks as webhook', 'webhook.id', 'chosen.webhook_id')
    .set(leased(dialect, request))
    .whereRef('delivery.id', '=', 'chosen.id')
    .returning(['chosen.id', 'chosen.webhook_id', 'chosen.attempts', 'chosen.claim_token'])
    .returning(UNCHANGED.map((column) => `delivery.${column}` as const))
    .returning(OF_WEBHOOK.map((column) => `webhook.${column}` as const))
    .execute();
}

/** In two statements of one transaction. */
async function lockAndLease(
  tables: Tables,
  dialect: WebhookDialect,
  request: LeaseRequest,
  chosen: ReadonlyMap<number, number>,
): Promise<LeasedRow[]> {
  const columns = [...CHANGED, ...UNCHANGED] as const;
  const rows = await tables
    .selectFrom(firstOfEach(tables, dialect, request, chosen, columns).as('first'))
    .leftJoin('webhooks as webhook', 'webhook.id', 'first.webhook_id')
    .select(['first.webhook_id', ...columns.map((column) => `first.${column}` as const)])
    .select(OF_WEBHOOK.map((column) => `webhook.${column}` as const))
    .execute();
  if (rows.length === 0) return [];
  await tables
    .updateTable('webhook_deliveries as delivery')
    .set(leased(dialect, request))
    .where(
      'delivery.id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return rows;
}

function firstOfEach<Column extends keyof DeliveryTable>(
  tables: Tables,
  dialect: WebhookDialect,
  request: LeaseRequest,
  chosen: ReadonlyMap<number, number>,
  columns: readonly Column[],
) {
  const counts = [...chosen].map(([webhookId, count]) => ({ webhookId, count }));
  return dialect.firstOfEach(counts, columns, (webhookId, count, selected) =>
    readyQueueOf(tables, dialect, request, webhookId)
      .select(selected.map((column) => `webhook_deliveries.${column}` as const))
      .limit(count)
      .modifyEnd(dialect.locks.forUpdateSkipLocked),
  );
}

function leased(dialect: WebhookDialect, { now, leaseMs, maxAttempts, claimToken }: LeaseRequest) {
  const mayHaveOne = sql`delivery.attempts - delivery.series_start - delivery.deferrals < ${maxAttempts}`;
  return {
    attempts: sql<number>`delivery.attempts + case when ${mayHaveOne} then 1 else 0 end`,
    claim_token: claimToken,
    locked_until: dialect.timestamp(now, leaseMs) as RawBuilder<string>,
  };
}

function claimedDelivery(
  row: LeasedRow,
  { claimToken, maxAttempts }: LeaseRequest,
  pauses: number,
): ClaimedDelivery {
  const before = Number(row.attempts);
  const deferrals = Number(row.deferrals);
  const uncounted = Number(row.series_start) + deferrals;
  const isExhausted = before - uncounted >= maxAttempts;
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
    seriesAttempt: attempt - uncounted,
    deferrals,
    pauses,
    attemptLog: jsonArrayOf<AttemptLogEntry>(row.attempt_log),
    // A token that is still there belongs to a claim without a result.
    lostAttempt: row.claim_token === null ? null : before,
    isExhausted,
    webhook: {
      id: Number(row.webhook_id),
      // Without a row nothing is sent, as it is inactive.
      tenant: row.tenant ?? '',
      url: row.url ?? '',
      secret: row.secret ?? '',
      previousSecret: secret === null || expiresAt === null ? null : { secret, expiresAt },
      isActive: Number(row.is_active) === 1,
      maxPerMinute: row.max_per_minute === null ? null : Number(row.max_per_minute),
      activation: Number(row.activations),
    },
  };
}

function byPriority(a: LeasedRow, b: LeasedRow): number {
  const [first, second] = [a.priority_at ?? '', b.priority_at ?? ''];
  return first < second ? -1 : first > second ? 1 : Number(a.id) - Number(b.id);
}
