import { sql } from 'kysely';
import type { WaitingWebhook } from '../../storage/delivery-requests.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';
import { readyQueue, readyQueueOf } from './ready-queue.ts';

/** How many of the newest deliveries in the ready queue a claim reads. */
const NEWEST = 300;

/** How many webhooks with pending deliveries a claim reads, beginning after its cursor. */
const WEBHOOKS = 256;

/** A delivery in the ready queue. */
export interface ReadyDelivery {
  readonly id: number;
  readonly webhookId: number;
  readonly priorityAt: string;
}

/** What a claim chooses from. */
export interface Waiting {
  readonly webhooks: readonly WaitingWebhook[];
  /** The webhook after which the next claim reads on. */
  readonly cursor: number;
}

export async function readWaiting(
  tables: Tables,
  dialect: WebhookDialect,
  { now, limit }: { readonly now: number; readonly limit: number },
  cursor: number,
): Promise<Waiting> {
  const queue = readyQueue(tables, dialect, now).select(['id', 'webhook_id', 'priority_at']);
  const oldest = (
    await queue
      .orderBy('priority_at')
      .orderBy('id')
      .limit(limit + 1)
      .execute()
  ).map(readyDelivery);
  if (oldest.length <= limit) return { webhooks: counted(oldest), cursor };
  const newest = (
    await queue.orderBy('priority_at', 'desc').orderBy('id', 'desc').limit(NEWEST).execute()
  ).map(readyDelivery);
  if (newest.length < NEWEST) return { webhooks: counted(newest.toReversed()), cursor };
  const range = { after: cursor, until: Number.MAX_SAFE_INTEGER };
  const first = readyQueueOf(tables, dialect, now, sql<number>`waiting.webhook_id`).limit(1);
  const rows = await tables
    .selectFrom(dialect.pendingWebhooks(range, WEBHOOKS).as('waiting'))
    .select('waiting.webhook_id')
    // Not an `exists`: MySQL and PostgreSQL would join it, and read all of the webhooks' rows.
    .select(
      sql<
        number | null
      >`case when waiting.webhook_id not in (${removedWebhooks(tables)}) then (${first.select('webhook_deliveries.id')}) end`.as(
        'id',
      ),
    )
    .select(sql<string | null>`(${first.select('priority_at')})`.as('priority_at'))
    .execute();
  const firsts = rows.flatMap(({ webhook_id, id, priority_at }) =>
    id === null ? [] : [readyDelivery({ webhook_id, id, priority_at })],
  );
  const last = Math.max(...rows.map(({ webhook_id }) => Number(webhook_id)));
  return {
    webhooks: waitingIn({ oldest, newest, firsts }),
    cursor: rows.length < WEBHOOKS ? 0 : last,
  };
}

/**
 * Groups by webhook what a claim has read. The first delivery of a webhook in the ready queue tells
 * how many it has, where it is one of the newest: all behind it are read.
 */
export function waitingIn({
  oldest,
  newest,
  firsts,
}: {
  readonly oldest: readonly ReadyDelivery[];
  /** Newest first. */
  readonly newest: readonly ReadyDelivery[];
  readonly firsts: readonly ReadyDelivery[];
}): WaitingWebhook[] {
  const inNewest = new Set(newest.map(({ id }) => id));
  const counts = new Map(counted(newest).map(({ webhookId, due }) => [webhookId, due]));
  const firstsOfNewest = new Set(
    firsts.filter(({ id }) => inNewest.has(id)).map(({ webhookId }) => webhookId),
  );
  const all = [...oldest, ...firsts, ...newest].sort(byPriority);
  return [...new Set(all.map(({ webhookId }) => webhookId))].map((webhookId) => ({
    webhookId,
    due: firstsOfNewest.has(webhookId)
      ? (counts.get(webhookId) ?? Number.POSITIVE_INFINITY)
      : Number.POSITIVE_INFINITY,
  }));
}

function counted(deliveries: readonly ReadyDelivery[]): WaitingWebhook[] {
  const counts = new Map<number, number>();
  for (const { webhookId } of deliveries) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
  return [...counts].map(([webhookId, due]) => ({ webhookId, due }));
}

function byPriority(a: ReadyDelivery, b: ReadyDelivery): number {
  return a.priorityAt < b.priorityAt ? -1 : a.priorityAt > b.priorityAt ? 1 : a.id - b.id;
}

function readyDelivery(row: {
  readonly id: number;
  readonly webhook_id: number;
  readonly priority_at: string | null;
}): ReadyDelivery {
  return { id: Number(row.id), webhookId: Number(row.webhook_id), priorityAt: row.priority_at ?? '' };
}
