import { type RawBuilder, sql } from 'kysely';
import { RETRY_PRIORITY_DELAY_MS } from '../../storage/retry-priority.ts';
import type { IndexName } from '../names.ts';
import type { Given } from '../places.ts';
import { OF_A_WEBHOOK, OF_THE_QUEUE, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';

/** A read of the ready queue. */
export interface QueueRead {
  /** The caller's clock, ms since the epoch. */
  readonly now: number;
  /**
   * The priority time at which the read begins; '' is the start of the queue. Entries before it
   * may be those of ended deliveries that somebody's snapshot keeps in the index.
   */
  readonly since: string;
}

type GivenRead = { readonly [Name in keyof QueueRead]: Given<QueueRead[Name]> };

/**
 * The ready queue: deliveries that are due and not leased, to be ordered by their priority time.
 */
export function readyQueue(tables: Tables, dialect: WebhookDialect, read: GivenRead) {
  return dueDeliveries(tables, dialect, read, 'webhook_deliveries_ready')
    .where(OF_THE_QUEUE)
    .where(OF_NO_REMOVED_WEBHOOK);
}

/** One webhook's part of the ready queue. */
export function readyQueueOf(
  tables: Tables,
  dialect: WebhookDialect,
  read: GivenRead,
  webhookId: RawBuilder<number>,
) {
  return (
    dueDeliveries(tables, dialect, read, 'webhook_deliveries_ready_by_webhook')
      .where('webhook_deliveries.webhook_id', '=', webhookId)
      .where(OF_A_WEBHOOK)
      // Constant here. Without it MySQL sorts the webhook's rows where the id comes from another
      // table.
      .orderBy('webhook_id')
      .orderBy('priority_at')
      .orderBy('id')
  );
}

/** The priority time of the first pending delivery, leased or not; of the present where none is. */
export function firstPriorityTime(tables: Tables, dialect: WebhookDialect, { now, since }: GivenRead) {
  const present = dialect.timestamp(now);
  const first = tables
    .selectFrom(dialect.deliveriesBy('webhook_deliveries_ready'))
    .select('priority_at')
    .where('status', '=', PENDING)
    .where(OF_THE_QUEUE)
    .where('priority_at', '>=', sql<string>`${since}`)
    .where('priority_at', '<=', present)
    .orderBy('priority_at')
    .orderBy('id')
    .limit(dialect.limitInIndexOrder(1));
  return sql<string>`coalesce((${first}), ${present})`;
}

function dueDeliveries(tables: Tables, dialect: WebhookDialect, { now, since }: GivenRead, index: IndexName) {
  const present = dialect.timestamp(now);
  const isDue = sql<boolean>`next_attempt_at <= ${present}`;
  const isFree = sql<boolean>`(locked_until is null or locked_until <= ${present})`;
  return (
    tables
      .selectFrom(dialect.deliveriesBy(index))
      .where('status', '=', PENDING)
      .where('priority_at', '>=', sql<string>`${since}`)
      // The bound of the index: a first attempt within it may not be due yet.
      .where('priority_at', '<=', dialect.timestamp(now, RETRY_PRIORITY_DELAY_MS))
      // As one condition, which fits no index.
      .where(sql<boolean>`(${isDue} and ${isFree})`)
  );
}
