import { sql } from 'kysely';
import { timestampText } from '../../clock.ts';
import type { DeliverySummary } from '../../storage/delivery-record.ts';
import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import type { PurgeReceipt, PurgeRequest } from '../../storage/purge-requests.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import { TEST_DELIVERY_PATTERN } from '../../test-deliveries.ts';
import { countChanges, foldHours, foldPastHours } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { changeRuns } from '../failures/change-runs.ts';
import { hasBegun } from '../failures/run-rows.ts';
import { OF_A_WEBHOOK, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { type RemovalPlace, removeRemains, removeStray } from '../webhooks/remove-webhook.ts';
import { OF_NO_REMOVED_WEBHOOK, removedWebhooks } from '../webhooks/removed-webhooks.ts';
import { SUMMARY_COLUMNS, summaryOf } from './delivery-rows.ts';

/**
 * Removes the remains of removed webhooks, then old deliveries, then those without a webhook. A
 * removed webhook that another transaction has locked, a host's or its removal itself, is left to
 * the next purge, and does not hold up this one.
 *
 * A call goes on where the one before it stopped: entries before that place may be those of
 * deliveries that somebody's snapshot keeps in the index.
 */
export function createPurging({
  dialect,
  run,
  write,
}: DatabaseAccess): Pick<WebhookStorage, 'purgeDeliveries'> {
  let stoppedAt: PurgePlace = {};
  return {
    async purgeDeliveries(request) {
      if ('busyForMs' in request) {
        // Nearly always nobody is: no writer is kept waiting for that.
        const busy = await run((tables) => busyWebhooks(tables, dialect, request));
        return busy.length === 0 ? NOTHING : await write((tables) => endBusy(tables, dialect, request));
      }
      const { last, ...receipt } = await write((tables) => purge(tables, dialect, request, stoppedAt));
      stoppedAt = last;
      return receipt;
    },
  };
}

type BusyRequest = Extract<PurgeRequest, { busyForMs: number }>;
type AgeRequest = Extract<PurgeRequest, { createdBefore: string }>;

/** Of so many webhooks deliveries are looked for at once. */
const WEBHOOKS_AT_ONCE = 500;

/** Webhooks whose recipient is busy for too long, and asked lately, with the present time. */
function busyWebhooks(tables: Tables, dialect: WebhookDialect, request: BusyRequest) {
  const { busyForMs, askedWithinMs, now } = request;
  const askedAt = sql<string>`case when run.busy_again_at = '' then run.busy_since else run.busy_again_at end`;
  return tables
    .selectFrom('webhook_failures as run')
    .innerJoin('webhooks', 'webhooks.id', 'run.webhook_id')
    .select(['webhooks.id', 'webhooks.activations', dialect.timestamp(now).as('present')])
    .where('run.busy_since', '<>', '')
    .where('run.busy_since', '<=', dialect.timestamp(now, -busyForMs))
    .where(askedAt, '>', dialect.timestamp(now, -askedWithinMs))
    .where(hasBegun('busy_since', sql.ref('webhooks.activations')))
    .where('webhooks.is_active', '=', 1)
    .where('webhooks.is_removed', '=', 0)
    .orderBy('webhooks.id')
    .execute();
}

/** Ends what waits for recipients that are busy for too long, as failures of their webhooks. */
async function endBusy(tables: Tables, dialect: WebhookDialect, request: BusyRequest): Promise<PurgeReceipt> {
  const busy = await busyWebhooks(tables, dialect, request);
  // Taken before the rows are locked: a success meanwhile comes after these ends.
  const completedAt = busy[0]?.present ?? '';
  const activations = new Map(busy.map(({ id, activations }) => [Number(id), Number(activations)]));
  const webhookIds = [...activations.keys()];
  let rows: Awaited<ReturnType<typeof waitingForBusy>> = [];
  for (let from = 0; from < webhookIds.length && rows.length === 0; from += WEBHOOKS_AT_ONCE) {
    rows = await waitingForBusy(tables, dialect, webhookIds.slice(from, from + WEBHOOKS_AT_ONCE), request);
  }
  if (rows.length === 0) return NOTHING;
  const ids = rows.map(({ id }) => id);
  const unleased = { claim_token: null, locked_until: null, next_attempt_at: null, priority_at: null };
  await tables
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', error: 'busy', completed_at: completedAt, ...unleased })
    .where('id', 'in', ids)
    .execute();
  const ended = rows.map(({ webhook_id, created_at }) => ({
    ...({ webhookId: Number(webhook_id), createdAt: created_at, to: 'failed', completedAt } as const),
  }));
  await countChanges(tables, dialect, ended);
  const first = rows.filter(({ series_since }) => series_since === null);
  await changeRuns(tables, dialect, {
    now: request.now,
    webhookIds: first.map(({ webhook_id }) => Number(webhook_id)),
    step({ webhookId, run, lastSuccessAt }) {
      const activation = activations.get(webhookId) ?? NO_ACTIVATION;
      const end = { activation, at: completedAt, happened: { failedWith: 'busy' } };
      const ofWebhook = first.filter(({ webhook_id }) => Number(webhook_id) === webhookId);
      return request.runAfter(
        run,
        ofWebhook.map(() => end),
        lastSuccessAt,
      );
    },
  });
  return { removed: 0, expired: await summariesOf(tables, ids) };
}

/**
 * What has waited for these recipients alone: no attempt of its series has counted, or the last one
 * was put off. Tests say nothing of the events, and go on waiting.
 */
function waitingForBusy(
  tables: Tables,
  dialect: WebhookDialect,
  webhookIds: readonly number[],
  { busyForMs, now, limit }: BusyRequest,
) {
  return tables
    .selectFrom(dialect.deliveriesBy('webhook_deliveries_ready_by_webhook'))
    .select(['id', 'webhook_id', 'created_at', 'series_since'])
    .where('webhook_id', 'in', webhookIds)
    .where(OF_A_WEBHOOK)
    .where('status', '=', PENDING)
    .where('delivery_id', 'not like', TEST_DELIVERY_PATTERN)
    .where(sql<boolean>`(error = 'deferred' or attempts - deferrals <= series_start)`)
    .where(sql<boolean>`coalesce(series_since, created_at) <= ${dialect.timestamp(now, -busyForMs)}`)
    .where((row) =>
      row.or([row('locked_until', 'is', null), row('locked_until', '<=', dialect.timestamp(now))]),
    )
    .orderBy('webhook_id')
    .orderBy('priority_at')
    .orderBy('id')
    .limit(limit)
    .modifyEnd(dialect.locks.forUpdateSkipLocked)
    .execute();
}

const NOTHING: PurgeReceipt = { removed: 0, expired: [] };

/** Where a purge stopped that removed as many as it may; otherwise empty. */
interface PurgePlace {
  readonly remains?: RemovalPlace;
  /** When the last old delivery was created. */
  readonly createdAt?: string;
}

async function purge(
  tables: Tables,
  dialect: WebhookDialect,
  request: AgeRequest,
  from: PurgePlace,
): Promise<PurgeReceipt & { readonly last: PurgePlace }> {
  const free = removedWebhooks(tables).modifyEnd(dialect.locks.forUpdateSkipLocked);
  const remains = await removeRemains(tables, dialect, free, request, from.remains);
  if (remains.removed === request.limit) {
    return {
      removed: remains.removed,
      expired: [],
      last: remains.last === undefined ? {} : { remains: remains.last },
    };
  }
  const old = await purgeOld(tables, dialect, request, request.limit - remains.removed, from.createdAt ?? '');
  let removed = remains.removed + old.removed;
  if (removed < request.limit) removed += await removeStray(tables, dialect, request.limit - removed);
  if (removed < request.limit) await foldPastHours(tables, dialect, timestampText(request.now));
  return { removed, expired: old.expired, last: old.last };
}

async function purgeOld(
  tables: Tables,
  dialect: WebhookDialect,
  request: AgeRequest,
  limit: number,
  from: string,
): Promise<PurgeReceipt & { readonly last: PurgePlace }> {
  // Waits for rows that other transactions have locked, briefly each: a call that skipped them
  // would remove fewer while some are left.
  const oldest = await tables
    // Through another index, young rows would be locked as well, and waited for.
    .selectFrom(dialect.deliveriesBy('webhook_deliveries_by_age'))
    .select(['id', 'webhook_id', 'status', 'created_at'])
    .where('created_at', '>=', from)
    .where('created_at', '<', request.createdBefore)
    .where(OF_NO_REMOVED_WEBHOOK)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  const last = oldest.at(-1);
  if (last === undefined) return { removed: 0, expired: [], last: {} };
  const pendingIds = oldest.filter(({ status }) => status === 'pending').map(({ id }) => id);
  const expired = await summariesOf(tables, pendingIds);
  await tables
    .deleteFrom('webhook_deliveries')
    .where(
      'id',
      'in',
      oldest.map(({ id }) => id),
    )
    .execute();
  const removed = oldest.map(({ webhook_id, created_at, status }) => ({
    webhookId: Number(webhook_id),
    createdAt: created_at,
    from: status,
  }));
  await countChanges(tables, dialect, removed);
  await foldHours(tables, dialect, removed);
  const ended = { status: 'failed', error: 'expired', completedAt: timestampText(request.now) } as const;
  return {
    removed: oldest.length,
    expired: expired.map((summary) => ({ ...summary, ...ended, nextAttemptAt: null })),
    last: oldest.length < limit ? {} : { createdAt: last.created_at },
  };
}

async function summariesOf(tables: Tables, ids: readonly number[]): Promise<DeliverySummary[]> {
  if (ids.length === 0) return [];
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(SUMMARY_COLUMNS)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(summaryOf);
}
