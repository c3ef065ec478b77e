import { sql } from 'kysely';
import type { WaitingWebhook } from '../../storage/delivery-requests.ts';
import { compiledOnce } from '../compiled-statement.ts';
import { derived } from '../places.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { PAUSED, pauseState, RESUMING } from './paused-webhooks.ts';
import { firstPriorityTime, type QueueRead, readyQueue, readyQueueOf } from './ready-queue.ts';

/** How many of the newest first attempts, and of the newest retries, a read sees. */
export const NEWEST = 300;

/** How many webhooks a claim looks at one by one, beginning after its cursor. */
const WEBHOOKS = 256;

/** A read of the ready queue, and where it looks at webhooks. */
export interface WaitingRead extends QueueRead {
  /** The number of deliveries that may be leased. */
  readonly limit: number;
  /** Look at the webhooks after this one. */
  readonly cursor: number;
  /** And at these: see `SeenWebhooks`. */
  readonly seen: readonly number[];
}

/** What a claim chooses from. */
export interface Waiting {
  readonly webhooks: readonly WaitingWebhook[];
  /** The webhook after which the next claim looks at webhooks. */
  readonly cursor: number;
  /** The priority time of the first pending delivery, leased or not. */
  readonly firstPriorityAt: string;
}

/** A delivery in the ready queue. */
export interface ReadyDelivery {
  readonly id: number;
  readonly webhookId: number;
  readonly tenant: string;
  /** Whether its webhook pauses, or its pause is over. Default: false. */
  readonly isPaused?: boolean;
  readonly isResuming?: boolean;
}

interface Found {
  readonly part: 'start' | 'oldest' | 'newest' | 'retried' | 'webhook' | 'seen';
  /** Null for a webhook with nothing due. */
  readonly id: number | null;
  readonly webhook_id: number;
  readonly first_priority_at: string | null;
  readonly pause_state: number;
  readonly tenant: string | null;
}

/**
 * Reads which webhooks have something due, in one statement that locks nothing: the oldest
 * deliveries and, where more are due than may be leased, the newest ones and the first one of each
 * of the next webhooks, and of those seen before. Retries of the last minute are newer than any
 * first attempt by their priority time, and would hide those. The cost does not grow with the queue.
 */
export async function readWaiting(
  tables: Tables,
  dialect: WebhookDialect,
  read: WaitingRead,
): Promise<Waiting> {
  const { limit } = read;
  const rows = await findWaiting(tables, dialect, read);
  const found = new Map<Found['part'], ReadyDelivery[]>();
  for (const { part, id, webhook_id, pause_state, tenant } of rows) {
    const ofPart = found.get(part) ?? [];
    found.set(part, ofPart);
    const state = Number(pause_state);
    const pause = { isPaused: state === PAUSED, isResuming: state === RESUMING };
    ofPart.push({ id: Number(id), webhookId: Number(webhook_id), tenant: tenant ?? '', ...pause });
  }
  return {
    webhooks: waitingIn(
      {
        oldest: found.get('oldest') ?? [],
        newest: found.get('newest') ?? [],
        retried: found.get('retried') ?? [],
        // No delivery has the id 0.
        firsts: [...(found.get('webhook') ?? []), ...(found.get('seen') ?? [])].filter(({ id }) => id > 0),
      },
      limit,
    ),
    cursor: lastOfFull(found.get('webhook') ?? []),
    firstPriorityAt: rows.find(({ part }) => part === 'start')?.first_priority_at ?? '',
  };
}

const findWaiting = compiledOnce<WaitingRead, Found>((tables, dialect, read) => {
  const { limit, cursor, seen } = read;
  const isMoreDue = sql<boolean>`(select count(*) from oldest) > ${limit}`;
  const queue = readyQueue(tables, dialect, read).select(['id', 'webhook_id']);
  const newest = queue
    .where(isMoreDue)
    .orderBy('priority_at', 'desc')
    .orderBy('id', 'desc')
    .limit(dialect.limitInIndexOrder(NEWEST));
  const present = dialect.timestamp(read.now);
  const webhooks = tables
    .selectFrom('webhooks')
    .select(['webhooks.id', 'webhooks.is_removed'])
    .where('webhooks.id', '>', sql<number>`${cursor}`)
    .where(isMoreDue)
    .orderBy('webhooks.id')
    // In sight: PostgreSQL would take it for a tenth of all webhooks, each with a tenth of its queue,
    // and compile the statement (74 ms instead of 3 with 10,000 webhooks and a million due).
    .limit(sql.lit(WEBHOOKS));
  const first = readyQueueOf(tables, dialect, read, sql<number>`looked.id`)
    .select('webhook_deliveries.id')
    .limit(sql.lit(1));
  const again = tables
    .selectFrom(
      dialect.rowsOf(
        derived([seen], (ids) => ids.map((id) => ({ id }))),
        'looked',
        { id: 'integer' },
      ),
    )
    .select('looked.id')
    .select((one) =>
      one
        .selectFrom('webhooks')
        .select('is_removed')
        .whereRef('webhooks.id', '=', 'looked.id')
        .as('is_removed'),
    )
    .where(isMoreDue);
  const parts = sql<Found>`(
    select 'start' as part, 0 as id, 0 as webhook_id, ${firstPriorityTime(tables, dialect, read)} as first_priority_at
    union all select 'oldest', id, webhook_id, null from oldest
    union all select 'newest', id, webhook_id, null from (${newest.where('priority_at', '<=', present)}) as newest
    union all select 'retried', id, webhook_id, null from (${newest.where('priority_at', '>', present)}) as retried
    union all select 'webhook', case when looked.is_removed = 0 then (${first}) end,
      looked.id, null from (${webhooks}) as looked
    union all select 'seen', case when looked.is_removed = 0 then (${first}) end,
      looked.id, null from (${again}) as looked)`;
  return tables
    .with('oldest', () =>
      queue
        .orderBy('priority_at')
        .orderBy('id')
        .limit(dialect.limitInIndexOrder(derived([limit], (count) => count + 1))),
    )
    .selectFrom(parts.as('found'))
    .select(['part', 'id', 'webhook_id', 'first_priority_at'])
    .select(pauseState(tables, dialect, read.now, sql.ref<number>('found.webhook_id')).as('pause_state'))
    .select((one) =>
      one
        .selectFrom('webhooks')
        .select('webhooks.tenant')
        .whereRef('webhooks.id', '=', 'found.webhook_id')
        .as('tenant'),
    );
});

/** The last of as many webhooks as a claim looks at; 0, the start, after fewer. */
function lastOfFull(looked: readonly ReadyDelivery[]): number {
  return looked.length < WEBHOOKS ? 0 : Math.max(...looked.map(({ webhookId }) => webhookId));
}

/**
 * Groups by webhook what a claim has read. The first delivery of a webhook tells how many it has,
 * where it is one of the newest: all behind it are read.
 *
 * @param limit how many of the oldest are all that are due
 */
export function waitingIn(
  parts: {
    readonly oldest: readonly ReadyDelivery[];
    readonly newest: readonly ReadyDelivery[];
    /** Those of the last minute, the newest first. All others come before them. */
    readonly retried: readonly ReadyDelivery[];
    readonly firsts: readonly ReadyDelivery[];
  },
  limit: number,
): WaitingWebhook[] {
  const { oldest, retried, firsts } = parts;
  if (oldest.length <= limit) return counted(oldest);
  const areRetriesRead = retried.length < NEWEST;
  const newest = [...retried, ...parts.newest];
  if (areRetriesRead && parts.newest.length < NEWEST) return counted(newest);
  const inNewest = new Set((areRetriesRead ? newest : retried).map(({ id }) => id));
  const isCounted = new Set(firsts.filter(({ id }) => inNewest.has(id)).map(({ webhookId }) => webhookId));
  return counted([...oldest, ...firsts, ...newest]).map(({ webhookId, ...pause }) => ({
    webhookId,
    ...pause,
    due: isCounted.has(webhookId)
      ? newest.filter((one) => one.webhookId === webhookId).length
      : Number.POSITIVE_INFINITY,
  }));
}

function counted(deliveries: readonly ReadyDelivery[]): WaitingWebhook[] {
  const counts = new Map<number, WaitingWebhook>();
  for (const { webhookId, tenant, isPaused, isResuming } of deliveries) {
    const due = (counts.get(webhookId)?.due ?? 0) + 1;
    counts.set(webhookId, { webhookId, tenant, isPaused, isResuming, due });
  }
  return [...counts.values()];
}
