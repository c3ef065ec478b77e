import { timestampText } from '../../clock.ts';
import type { PurgeReceipt, PurgeRequest } from '../../storage/delivery-requests.ts';
import type { DeliverySummary } from '../../storage/records.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import { countChanges, foldHours, foldPastHours } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
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
export function createPurging({ dialect, write }: DatabaseAccess): Pick<WebhookStorage, 'purgeDeliveries'> {
  let stoppedAt: PurgePlace = {};
  return {
    async purgeDeliveries(request) {
      const { last, ...receipt } = await write((tables) => purge(tables, dialect, request, stoppedAt));
      stoppedAt = last;
      return receipt;
    },
  };
}

/** Where a purge stopped that removed as many as it may; otherwise empty. */
interface PurgePlace {
  readonly remains?: RemovalPlace;
  /** When the last old delivery was created. */
  readonly createdAt?: string;
}

async function purge(
  tables: Tables,
  dialect: WebhookDialect,
  request: PurgeRequest,
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
  request: PurgeRequest,
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
