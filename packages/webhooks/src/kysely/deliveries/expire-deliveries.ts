import { sql } from 'kysely';
import type { PurgeReceipt, PurgeRequest } from '../../storage/purge-requests.ts';
import { countChanges } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { hasBegun } from '../failures/run-rows.ts';
import { OF_THE_QUEUE, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';
import { readClaimedSince } from './claimed-hours.ts';
import { endPending, isUnleased } from './end-pending.ts';

type ExpiryRequest = Extract<PurgeRequest, { dueForHours: number }>;

const NOTHING: PurgeReceipt = { removed: 0, expired: [] };

/**
 * Ends what has been due for too long, the oldest first. A call goes on where the one before it
 * stopped: before that place are entries of what has ended, and what is to be tried first.
 */
export function createExpiry({ run, write, dialect }: DatabaseAccess) {
  let stoppedAt = '';
  return async (request: ExpiryRequest): Promise<PurgeReceipt> => {
    const { now, dueForHours, limit } = request;
    const before = await run((tables) => readClaimedSince(tables, dialect, now, dueForHours));
    if (before === undefined) return NOTHING;
    const range = { from: stoppedAt, before };
    stoppedAt = '';
    // Nearly always nothing is: no writer is kept waiting for that.
    const some = await run((tables) => overdue(tables, dialect, { ...request, limit: 1 }, range).execute());
    if (some.length === 0) return NOTHING;
    return write(async (tables) => {
      await dialect.preferIndexOrder(tables);
      const rows = await overdue(tables, dialect, request, range)
        .modifyEnd(dialect.locks.forUpdateSkipLocked)
        .execute();
      if (rows.length === 0) return NOTHING;
      const completed_at = rows[0]?.present ?? '';
      const ids = rows.map(({ id }) => id);
      const expired = await endPending(tables, ids, { error: 'expired', completed_at });
      // Nothing was sent: that says nothing of the recipient, and changes no run of failures.
      const ended = expired.map(
        ({ webhookId, createdAt }) => ({ webhookId, createdAt, to: 'failed' }) as const,
      );
      await countChanges(tables, dialect, ended);
      stoppedAt = rows.length < limit ? '' : (rows.at(-1)?.priority_at ?? '');
      return { removed: 0, expired };
    });
  };
}

/** What was due before, and was tried in its series or is delayed by its own webhook. */
function overdue(
  tables: Tables,
  dialect: WebhookDialect,
  { now, limit }: ExpiryRequest,
  { from, before }: { readonly from: string; readonly before: string },
) {
  const wasTried = sql<boolean>`(attempts - deferrals > series_start or error = 'deferred')`;
  return tables
    .selectFrom(dialect.deliveriesBy('webhook_deliveries_ready'))
    .select(['id', 'priority_at', dialect.timestamp(now).as('present')])
    .where('status', '=', PENDING)
    .where(OF_THE_QUEUE)
    .where(OF_NO_REMOVED_WEBHOOK)
    .where('priority_at', '>=', from)
    .where('priority_at', '<', before)
    .where(isUnleased(dialect, now))
    .where((row) => row.or([wasTried, row('webhook_id', 'in', holdingBack(tables))]))
    .orderBy('priority_at')
    .orderBy('id')
    .limit(limit);
}

/**
 * Webhooks whose own limit, or whose recipient, keeps their deliveries waiting. Whether a limit was
 * reached is not stored: each process keeps its own, in memory.
 */
function holdingBack(tables: Tables) {
  const activations = sql.ref('webhooks.activations');
  return tables
    .selectFrom('webhooks')
    .leftJoin('webhook_failures as run', 'run.webhook_id', 'webhooks.id')
    .select('webhooks.id')
    .where((webhook) =>
      webhook.or([
        webhook('webhooks.max_per_minute', 'is not', null),
        hasBegun('since', activations),
        hasBegun('busy_since', activations),
      ]),
    );
}
