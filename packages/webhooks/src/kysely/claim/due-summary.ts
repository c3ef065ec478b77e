import { sql } from 'kysely';
import { isRefused } from '../../../../toolkit/src/kysely/migrations/refused-statement.ts';
import type { DueQuery, DueSummary } from '../../storage/delivery-requests.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';
import { type QueueRead, readyQueue, readyQueueOf } from './ready-queue.ts';

/** The oldest is exact where no more than this are due. */
const MIN_SUMMARY_ROWS = 1_000;
/**
 * How many webhooks are scanned, beside the limited ones, where limited webhooks fill all the rows
 * that were read.
 */
const MAX_WEBHOOKS_SUMMED_UP = 3_000;

export async function dueSummary(
  { read, dialect }: DatabaseAccess,
  { limit, limited = new Set(), ...from }: DueQuery & QueueRead,
): Promise<DueSummary> {
  const rowsRead = Math.max(limit, MIN_SUMMARY_ROWS);
  const isLimited =
    limited.size === 0 ? sql<boolean>`1 = 0` : sql<boolean>`webhook_id in (${sql.join([...limited])})`;
  return read(async (tables) => {
    const { oldest, oldest_other, due } = await tables
      .selectFrom(
        readyQueue(tables, dialect, from)
          .select(['next_attempt_at', 'webhook_id'])
          .orderBy('priority_at')
          .orderBy('id')
          .limit(dialect.limitInIndexOrder(rowsRead))
          .as('queue'),
      )
      // A host may have deleted a webhook itself: a claim removes what is left of it.
      .where('queue.webhook_id', 'in', tables.selectFrom('webhooks').select('webhooks.id'))
      .select((queue) => [
        queue.fn.min('queue.next_attempt_at').as('oldest'),
        sql<string | null>`min(case when ${isLimited} then null else next_attempt_at end)`.as('oldest_other'),
        queue.fn.countAll<number>().as('due'),
      ])
      .executeTakeFirstOrThrow();
    const isCutOff = limited.size > 0 && oldest_other === null && Number(due) === rowsRead;
    return {
      oldestDueAt: oldest,
      oldestOtherDueAt: isCutOff ? await oldestFirstOf(tables, dialect, from, limited) : oldest_other,
      due: Math.min(Number(due), limit),
      ...((await isReadOnly(tables, dialect)) && { isReadOnly: true }),
    };
  });
}

/**
 * Whether the database refuses to change deliveries. The statement takes the privilege that a claim
 * takes, finds no row and locks none; in one process it would wait for other writers.
 */
async function isReadOnly(tables: Tables, { isEmbedded }: WebhookDialect): Promise<boolean> {
  if (isEmbedded) return false;
  try {
    const nothing = sql<boolean>`1 = 0`;
    await tables.updateTable('webhook_deliveries').set({ locked_until: null }).where(nothing).execute();
    return false;
  } catch (error) {
    if (isRefused(error)) return true;
    throw error;
  }
}

/**
 * The oldest due time among the first deliveries of the other webhooks, where limited ones fill all
 * the rows that were read.
 */
async function oldestFirstOf(
  tables: Tables,
  dialect: WebhookDialect,
  from: QueueRead,
  limited: ReadonlySet<number>,
): Promise<string | null> {
  const first = readyQueueOf(tables, dialect, from, sql<number>`webhook.id`)
    .select('webhook_deliveries.next_attempt_at')
    .limit(dialect.limitInIndexOrder(1));
  const webhooks = tables
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where('webhooks.id', 'not in', [...limited])
    .where('webhooks.id', 'not in', removedWebhooks(tables))
    .orderBy('webhooks.id')
    .limit(MAX_WEBHOOKS_SUMMED_UP);
  const { oldest } = await tables
    .selectFrom(webhooks.as('webhook'))
    .select(sql<string | null>`min((${first}))`.as('oldest'))
    .executeTakeFirstOrThrow();
  return oldest;
}
