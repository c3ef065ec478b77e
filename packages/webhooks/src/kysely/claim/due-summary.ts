import { sql } from 'kysely';
import { isRefused } from '../../../../toolkit/src/kysely/migrations/refused-statement.ts';
import type { DueQuery, DueSummary } from '../../storage/delivery-requests.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { DeliveryTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { PAUSED, pauseState } from './paused-webhooks.ts';
import { NEWEST } from './read-waiting.ts';
import { type QueueRead, readyQueue } from './ready-queue.ts';

/** The oldest is exact where no more than this are due. */
const MIN_SUMMARY_ROWS = 1_000;

export async function dueSummary(
  { run, dialect }: DatabaseAccess,
  { limit, ...from }: DueQuery & QueueRead,
): Promise<DueSummary> {
  return run(async (tables) => {
    const queue = readyQueue(tables, dialect, from).select(['id', 'next_attempt_at', 'webhook_id']);
    const oldest = queue
      .orderBy('priority_at')
      .orderBy('id')
      .limit(dialect.limitInIndexOrder(Math.max(limit, MIN_SUMMARY_ROWS)));
    // What became due last is not hidden by deliveries of webhooks that pause.
    const newest = queue
      .orderBy('priority_at', 'desc')
      .orderBy('id', 'desc')
      .limit(dialect.limitInIndexOrder(NEWEST));
    const read = sql<Pick<DeliveryTable, 'next_attempt_at' | 'webhook_id'>>`(
      select * from (${oldest}) as oldest union select * from (${newest}) as newest)`;
    const { dueSince, present, due } = await tables
      .selectFrom(read.as('queue'))
      // A host may have deleted a webhook itself: a claim removes what is left of it.
      .where('queue.webhook_id', 'in', tables.selectFrom('webhooks').select('webhooks.id'))
      .where(pauseState(tables, dialect, from.now, sql.ref<number>('queue.webhook_id')), '<>', PAUSED)
      .select((found) => [
        found.fn.min('queue.next_attempt_at').as('dueSince'),
        found.fn.countAll<number>().as('due'),
        dialect.timestamp(from.now).as('present'),
      ])
      .executeTakeFirstOrThrow();
    return {
      oldestDueMs: dueSince === null ? null : Math.max(Date.parse(present) - Date.parse(dueSince), 0),
      due: Math.min(Number(due), limit),
      ...((await isReadOnly(tables, dialect)) && { isReadOnly: true }),
    };
  });
}

/**
 * Whether the database refuses to change deliveries. The statement takes the privilege that a claim
 * takes, finds no row and locks none; where there is one writer, it would wait for that.
 */
async function isReadOnly(tables: Tables, { hasOneWriter }: WebhookDialect): Promise<boolean> {
  if (hasOneWriter) return false;
  try {
    const nothing = sql<boolean>`1 = 0`;
    await tables.updateTable('webhook_deliveries').set({ locked_until: null }).where(nothing).execute();
    return false;
  } catch (error) {
    if (isRefused(error)) return true;
    throw error;
  }
}
