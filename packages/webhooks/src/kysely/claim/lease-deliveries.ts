import { type RawBuilder, sql } from 'kysely';
import type { ClaimedDelivery, ClaimRequest } from '../../storage/delivery-requests.ts';
import type { AttemptLogEntry } from '../../storage/records.ts';
import { jsonArrayOf } from '../parse-json-array.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { readyQueueOf } from './ready-queue.ts';

/** The most webhooks whose queues one statement reads. */
const MAX_QUEUES_PER_STATEMENT = 100;

/**
 * A delivery that is due and not leased, and whose row the transaction has locked: the claim may
 * lease it.
 */
export interface LockedDelivery {
  readonly id: number;
  readonly webhookId: number;
}

/**
 * Locks the first deliveries of each webhook's ready queue, as many as `counts` says, and skips
 * those that other transactions have locked.
 */
export async function lockDeliveries(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  counts: ReadonlyMap<number, number>,
): Promise<LockedDelivery[]> {
  const queueOf = (webhookId: RawBuilder<number>, count: RawBuilder<number>) =>
    readyQueueOf(tables, dialect, now, webhookId)
      .select('webhook_deliveries.id')
      .limit(count)
      .modifyEnd(dialect.locks.forUpdateSkipLocked);
  const queues = [...counts].map(([webhookId, count]) => ({ webhookId, count }));
  const locked: LockedDelivery[] = [];
  for (let start = 0; start < queues.length; start += MAX_QUEUES_PER_STATEMENT) {
    const some = queues.slice(start, start + MAX_QUEUES_PER_STATEMENT);
    const first = dialect.firstOfEach(some, queueOf).as('first');
    const rows = await tables.selectFrom(first).select(['first.id', 'first.webhook_id']).execute();
    locked.push(...rows.map(({ id, webhook_id }) => ({ id: Number(id), webhookId: Number(webhook_id) })));
  }
  return locked;
}

/**
 * Leases locked deliveries, and returns them by priority time; removes those that have no webhook any
 * more.
 */
export async function leaseDeliveries(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  locked: readonly LockedDelivery[],
): Promise<ClaimedDelivery[]> {
  if (locked.length === 0) return [];
  const rows = await readRows(
    tables,
    locked.map(({ id }) => id),
  );
  const found = new Set(rows.map(({ id }) => Number(id)));
  const orphans = locked.filter(({ id }) => !found.has(id)).map(({ id }) => id);
  if (orphans.length > 0) await tables.deleteFrom('webhook_deliveries').where('id', 'in', orphans).execute();
  await lease(tables, dialect, request, rows);
  return rows.sort(byPriority).map((row) => claimedDelivery(row, request));
}

type Row = Awaited<ReturnType<typeof readRows>>[number];

/** The rows with their webhooks as they are now. */
function readRows(tables: Tables, ids: readonly number[]) {
  return tables
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks as webhook', 'webhook.id', 'delivery.webhook_id')
    .where('delivery.id', 'in', ids)
    .where('webhook.is_removed', '=', 0)
    .select(['delivery.id', 'webhook_id', 'delivery_id', 'event', 'payload', 'delivery.created_at'])
    .select(['attempts', 'series_start', 'attempt_log', 'priority_at', 'claim_token'])
    .select(['url', 'secret', 'previous_secret', 'previous_secret_expires_at', 'is_active', 'activations'])
    .execute();
}

async function lease(
  tables: Tables,
  dialect: WebhookDialect,
  { now, leaseMs, maxAttempts, claimToken }: ClaimRequest,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  await tables
    .updateTable('webhook_deliveries')
    .set({
      attempts: sql<number>`attempts + case when attempts - series_start < ${maxAttempts} then 1 else 0 end`,
      claim_token: claimToken,
      locked_until: dialect.timestamp(now, leaseMs),
    })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
}

function claimedDelivery(row: Row, { claimToken, maxAttempts }: ClaimRequest): ClaimedDelivery {
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
    // A token that is still there belongs to a claim without a result.
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

function byPriority(a: Row, b: Row): number {
  const [first, second] = [a.priority_at ?? '', b.priority_at ?? ''];
  return first < second ? -1 : first > second ? 1 : Number(a.id) - Number(b.id);
}
