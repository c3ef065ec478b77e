import { type RawBuilder, sql } from 'kysely';
import { RETRY_PRIORITY_DELAY_MS } from '../../storage/retry-priority.ts';
import type { IndexName } from '../names.ts';
import { PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';

/** The ready queue: deliveries that are due and not leased, to be ordered by their priority time. */
export function readyQueue(tables: Tables, dialect: WebhookDialect, now: number) {
  return dueDeliveries(tables, dialect, now, 'webhook_deliveries_ready').where(
    'webhook_id',
    'not in',
    removedWebhooks(tables),
  );
}

export async function isAnythingDue(tables: Tables, dialect: WebhookDialect, now: number): Promise<boolean> {
  const queue = readyQueue(tables, dialect, now).orderBy('priority_at').orderBy('id');
  return (await queue.select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** One webhook's part of the ready queue. */
export function readyQueueOf(
  tables: Tables,
  dialect: WebhookDialect,
  now: number,
  webhookId: RawBuilder<number>,
) {
  return (
    dueDeliveries(tables, dialect, now, 'webhook_deliveries_ready_by_webhook')
      .where('webhook_deliveries.webhook_id', '=', webhookId)
      // Constant here. Without it MySQL sorts the webhook's rows where the id comes from another
      // table.
      .orderBy('webhook_id')
      .orderBy('priority_at')
      .orderBy('id')
  );
}

function dueDeliveries(tables: Tables, dialect: WebhookDialect, now: number, index: IndexName) {
  const present = dialect.timestamp(now);
  const isDue = sql<boolean>`next_attempt_at <= ${present}`;
  const isFree = sql<boolean>`(locked_until is null or locked_until <= ${present})`;
  return (
    tables
      .selectFrom(dialect.deliveriesBy(index))
      .where('status', '=', PENDING)
      // The bound of the index: a first attempt within it may not be due yet.
      .where('priority_at', '<=', dialect.timestamp(now, RETRY_PRIORITY_DELAY_MS))
      // As one condition, which fits no index.
      .where(sql<boolean>`(${isDue} and ${isFree})`)
  );
}
