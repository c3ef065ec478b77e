import { sql, type UpdateResult } from 'kysely';
import type { AttemptLogEntry } from '../../storage/delivery-record.ts';
import type { ClaimedDelivery, ClaimRequest } from '../../storage/delivery-requests.ts';
import { compiledOnce } from '../compiled-statement.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { jsonArrayOf } from '../parse-json-array.ts';
import { listOf, membersFor, type Places } from '../places.ts';
import type { DeliveryTable, Tables } from '../tables.ts';
import type { QueueCount, WebhookDialect } from '../webhook-dialect.ts';
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
  choice: ReadonlyMap<number, number>,
): Promise<{ readonly rows: readonly LeasedRow[]; readonly pauses: ReadonlyMap<number, number> }> {
  const pauses = await resumeWebhooks(tables, dialect, request.resuming, request);
  const counts = new Map(choice);
  for (const id of request.resuming) {
    if (pauses.has(id)) counts.set(id, 1);
    else counts.delete(id);
  }
  const leaseOf = dialect.returnsJoinedRows ? leaseAtOnce : lockAndLease;
  const chosen = [...counts].map(([webhookId, count]) => ({ webhookId, count }));
  const rows = counts.size === 0 ? [] : await leaseOf(tables, dialect, { ...request, chosen });
  const leased = new Set(rows.map(({ webhook_id }) => Number(webhook_id)));
  const unused = [...pauses.keys()].filter((id) => !leased.has(id));
  await endPausesAt(tables, unused, dialect.timestamp(request.now));
  return { rows, pauses };
}

/** How many deliveries of which webhooks. */
type Lease = LeaseRequest & { readonly chosen: readonly QueueCount[] };

/** Webhooks and counts are a part of the statement's text, where a dialect cannot read them from rows. */
const membersOf = ({ chosen }: Lease, dialect: WebhookDialect) => dialect.membersOf(chosen);

/** In a single statement, as PostgreSQL can. */
const leaseAtOnce = compiledOnce<Lease, LeasedRow>(
  (tables, dialect, lease, first) =>
    tables
      .with('chosen', () =>
        tables
          .selectFrom(firstOfEach(tables, dialect, lease, CHANGED, membersOf(first, dialect)).as('first'))
          .select(['first.id', 'first.attempts', 'first.claim_token', 'first.webhook_id']),
      )
      .updateTable('webhook_deliveries as delivery')
      .from('chosen')
      .leftJoin('webhooks as webhook', 'webhook.id', 'chosen.webhook_id')
      .set(leased(dialect, lease))
      .whereRef('delivery.id', '=', 'chosen.id')
      .returning(['chosen.id', 'chosen.webhook_id', 'chosen.attempts', 'chosen.claim_token'])
      .returning(UNCHANGED.map((column) => `delivery.${column}` as const))
      .returning(OF_WEBHOOK.map((column) => `webhook.${column}` as const)),
  membersOf,
);

/** In two statements of one transaction. */
async function lockAndLease(
  tables: Tables,
  dialect: WebhookDialect,
  lease: Lease,
): Promise<readonly LeasedRow[]> {
  const rows = await lockChosen(tables, dialect, lease);
  if (rows.length > 0) {
    await leaseLocked(tables, dialect, { ...lease, ids: rows.map(({ id }) => id) });
  }
  return rows;
}

const lockChosen = compiledOnce<Lease, LeasedRow>((tables, dialect, lease, first) => {
  const columns = [...CHANGED, ...UNCHANGED] as const;
  return tables
    .selectFrom(firstOfEach(tables, dialect, lease, columns, membersOf(first, dialect)).as('first'))
    .leftJoin('webhooks as webhook', 'webhook.id', 'first.webhook_id')
    .select(['first.webhook_id', ...columns.map((column) => `first.${column}` as const)])
    .select(OF_WEBHOOK.map((column) => `webhook.${column}` as const));
}, membersOf);

const leaseLocked = compiledOnce<Lease & { readonly ids: readonly number[] }, UpdateResult>(
  (tables, dialect, lease, { ids }) =>
    tables
      .updateTable('webhook_deliveries as delivery')
      .set(leased(dialect, lease))
      .where('delivery.id', 'in', listOf(lease.ids, ids.length)),
  ({ ids }) => membersFor(ids.length),
);

function firstOfEach<Column extends keyof DeliveryTable>(
  tables: Tables,
  dialect: WebhookDialect,
  lease: Places<Lease>,
  columns: readonly Column[],
  members: number,
) {
  return dialect.firstOfEach(lease.chosen, members, columns, (webhookId, count, selected) =>
    readyQueueOf(tables, dialect, lease, webhookId)
      .select(selected.map((column) => `webhook_deliveries.${column}` as const))
      .limit(count)
      .modifyEnd(dialect.locks.forUpdateSkipLocked),
  );
}

function leased(dialect: WebhookDialect, { now, leaseMs, maxAttempts, claimToken }: Places<Lease>) {
  const mayHaveOne = sql`delivery.attempts - delivery.series_start - delivery.deferrals < ${maxAttempts}`;
  return {
    attempts: sql<number>`delivery.attempts + case when ${mayHaveOne} then 1 else 0 end`,
    claim_token: sql<string>`${claimToken}`,
    locked_until: dialect.timestamp(now, leaseMs),
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
