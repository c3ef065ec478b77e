import { type AliasedRawBuilder, sql } from 'kysely';
import type { ClaimRequest } from '../../storage/delivery-requests.ts';
import { isIdle, isSaturated, type WaitingWebhook } from '../../storage/slot-allocation.ts';
import type { WebhookDialect } from '../dialect.ts';
import { removedWebhooks } from '../removed-webhooks.ts';
import type { Tables } from '../tables.ts';
import { readyQueue, readyQueueOf } from './due-deliveries.ts';

/** How many webhooks the first statement of a scan reads; each further one reads twice as many. */
const MIN_WEBHOOKS_SCANNED = 64;

/** Webhooks with due deliveries, in the order in which a claim serves them. */
export interface Waiting {
  readonly webhooks: readonly WaitingWebhook[];
  /** Whether these are all webhooks with due deliveries. */
  readonly isAll: boolean;
}

/**
 * Reads the first `limit` deliveries of the ready queue, unlocked, and counts them by webhook.
 *
 * @returns undefined where more than `limit` are due
 */
export async function readWholeQueue(
  tables: Tables,
  dialect: WebhookDialect,
  { now, limit }: Pick<ClaimRequest, 'now' | 'limit'>,
): Promise<Waiting | undefined> {
  const rows = await readyQueue(tables, dialect, now)
    .select('webhook_id')
    .limit(limit + 1)
    .execute();
  if (rows.length > limit) return undefined;
  const counts = new Map<number, number>();
  for (const { webhook_id } of rows) {
    counts.set(Number(webhook_id), (counts.get(Number(webhook_id)) ?? 0) + 1);
  }
  return { webhooks: [...counts].map(([webhookId, due]) => ({ webhookId, due })), isAll: true };
}

/**
 * Scans the webhooks with pending deliveries in ascending order of id, beginning after
 * `afterWebhookId` and going round, until `limit` idle ones have something due. Suspects, whose
 * order is the runner's, are looked up by their ids.
 */
export async function scanWebhooks(
  tables: Tables,
  dialect: WebhookDialect,
  request: Pick<ClaimRequest, 'now' | 'limit'> & Parameters<typeof isSaturated>[1],
  afterWebhookId: number,
): Promise<Waiting> {
  const { now, limit, suspects = new Set() } = request;
  const open = [...suspects].filter((webhookId) => !isSaturated(webhookId, request));
  const listed = dialect.rowsOf(
    open.map((webhook_id) => ({ webhook_id })),
    'waiting',
    { webhook_id: 'integer' },
  );
  const dueSuspects = open.length === 0 ? [] : await readDue(tables, dialect, now, listed);
  for (let count = Math.max(MIN_WEBHOOKS_SCANNED, 2 * limit); ; count *= 2) {
    const pending = dialect.pendingWebhooks(afterWebhookId, count).as('waiting');
    const scanned = await readDue(tables, dialect, now, pending);
    const others = scanned.filter(
      ({ webhookId }) => !suspects.has(webhookId) && !isSaturated(webhookId, request),
    );
    const idle = others.filter(({ webhookId, due }) => due > 0 && isIdle(webhookId, request));
    const isAll = scanned.length < count;
    if (!isAll && idle.length < limit) continue;
    const ascending = others.sort((a, b) => a.webhookId - b.webhookId);
    const first = ascending.findIndex(({ webhookId }) => webhookId > afterWebhookId);
    const inOrder = [...ascending.slice(Math.max(first, 0)), ...ascending.slice(0, Math.max(first, 0))];
    return { webhooks: [...dueSuspects, ...inOrder].filter(({ due }) => due > 0), isAll };
  }
}

/** Of each of these webhooks whether anything is due, at a cost that does not grow with its deliveries. */
async function readDue(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  webhooks: AliasedRawBuilder<{ webhook_id: number }, 'waiting'>,
): Promise<WaitingWebhook[]> {
  const first = readyQueueOf(tables, dialect, now, sql<number>`waiting.webhook_id`)
    .select('webhook_deliveries.id')
    .limit(1);
  const rows = await tables
    .selectFrom(webhooks)
    .select('waiting.webhook_id')
    // Not an `exists`: MySQL and PostgreSQL would join it, and read all of the webhooks' rows.
    .select(
      sql<
        number | null
      >`case when waiting.webhook_id not in (${removedWebhooks(tables)}) then (${first}) end`.as('id'),
    )
    .execute();
  return rows.map(({ webhook_id, id }) => ({
    webhookId: Number(webhook_id),
    due: id === null ? 0 : Number.POSITIVE_INFINITY,
  }));
}
