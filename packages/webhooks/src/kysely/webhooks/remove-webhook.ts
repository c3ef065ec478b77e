import { countWebhookChange } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { IndexName } from '../names.ts';
import { OF_A_WEBHOOK, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import type { removedWebhooks } from './removed-webhooks.ts';

type RemovedWebhooks = ReturnType<typeof removedWebhooks>;

/** Makes the webhook disappear in one step; {@link removeRemains} removes its deliveries later. */
export function removeWebhook(
  { write, dialect }: DatabaseAccess,
  id: number,
  expectedUpdatedAt?: string,
): Promise<boolean> {
  return write((tables) => hideWebhook(tables, dialect, id, expectedUpdatedAt));
}

async function hideWebhook(
  tables: Tables,
  dialect: WebhookDialect,
  id: number,
  expectedUpdatedAt: string | undefined,
): Promise<boolean> {
  let update = tables
    .updateTable('webhooks')
    .set({
      is_removed: 1,
      is_active: 0,
      secret: '',
      previous_secret: null,
      updated_at: dialect.timestamp(Date.now()),
    })
    .where('id', '=', id)
    .where('is_removed', '=', 0);
  if (expectedUpdatedAt !== undefined) update = update.where('updated_at', '=', expectedUpdatedAt);
  const { numUpdatedRows } = await update.executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tables.deleteFrom('webhook_patterns').where('webhook_id', '=', id).execute();
  await countWebhookChange(tables, dialect);
  return true;
}

/**
 * How long a removed webhook's row stays, hidden: longer than a dispatch that had found the webhook
 * takes to commit.
 */
const HIDDEN_MS = 86_400_000;

/**
 * Removes at most `limit` deliveries of these removed webhooks, and the webhooks that were removed
 * a day ago once fewer are left.
 *
 * @returns how many deliveries it removed
 */
export async function removeRemains(
  tables: Tables,
  dialect: WebhookDialect,
  webhooks: RemovedWebhooks,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  const ids = (await webhooks.execute()).map(({ id }) => id);
  const removed = await removeDeliveriesOf(tables, dialect, ids, limit);
  if (ids.length === 0 || removed === limit) return removed;
  const long = await webhooks.where('updated_at', '<', dialect.timestamp(now, -HIDDEN_MS)).execute();
  const gone = long.map(({ id }) => id);
  if (gone.length === 0) return removed;
  await tables.deleteFrom('webhooks').where('id', 'in', gone).execute();
  await tables.deleteFrom('webhook_activity').where('webhook_id', 'in', gone).execute();
  await tables.deleteFrom('webhook_pauses').where('webhook_id', 'in', gone).execute();
  await tables.deleteFrom('webhook_failures').where('webhook_id', 'in', gone).execute();
  return removed;
}

/** How many webhooks without a row one call deals with. */
const MAX_STRAY = 100;

/**
 * Removes at most `limit` deliveries whose webhook is gone without a trace, as a host's own `delete
 * from webhooks` leaves them. Finding their webhooks takes a step for each webhook with deliveries.
 *
 * @returns how many it removed
 */
export async function removeStray(tables: Tables, dialect: WebhookDialect, limit: number): Promise<number> {
  const webhooks = await tables
    .selectFrom(dialect.recipients().as('recipient'))
    .select('recipient.webhook_id')
    .where('recipient.webhook_id', 'not in', tables.selectFrom('webhooks').select('webhooks.id'))
    .limit(MAX_STRAY)
    .execute();
  if (webhooks.length === 0) return 0;
  const ids = webhooks.map(({ webhook_id }) => webhook_id);
  await tables.deleteFrom('webhook_activity').where('webhook_id', 'in', ids).execute();
  await tables.deleteFrom('webhook_pauses').where('webhook_id', 'in', ids).execute();
  await tables.deleteFrom('webhook_failures').where('webhook_id', 'in', ids).execute();
  return removeDeliveriesOf(tables, dialect, ids, limit);
}

async function removeDeliveriesOf(
  tables: Tables,
  dialect: WebhookDialect,
  ids: readonly number[],
  limit: number,
): Promise<number> {
  if (ids.length === 0) return 0;
  // Pending ones first: every claim has to skip those that are due.
  const waiting = remainsBy(tables, dialect, 'webhook_deliveries_ready_by_webhook', ids)
    .where(OF_A_WEBHOOK)
    .where('status', '=', PENDING)
    .orderBy('priority_at')
    .orderBy('id');
  const pending = await removeSome(tables, waiting, limit);
  if (pending === limit) return limit;
  const others = remainsBy(tables, dialect, 'webhook_deliveries_history', ids).orderBy('id');
  return pending + (await removeSome(tables, others, limit - pending));
}

/**
 * Deliveries webhook by webhook, to be ordered as the index is. Through another index, a whole
 * history would be sorted, or rows of others locked.
 */
function remainsBy(tables: Tables, dialect: WebhookDialect, index: IndexName, webhookIds: readonly number[]) {
  // One id is repeated: from a single id PostgreSQL makes an equation, needs only the order of
  // `id`, and reads the rows of all webhooks in it (50,000 of 200,000 deliveries removed in 12 s
  // instead of 1.1).
  const ids = [...webhookIds, ...webhookIds.slice(0, 1)];
  return tables
    .selectFrom(dialect.deliveriesBy(index))
    .select('id')
    .where('webhook_id', 'in', ids)
    .orderBy('webhook_id')
    .modifyEnd(dialect.locks.forUpdate);
}

async function removeSome(
  tables: Tables,
  remains: ReturnType<typeof remainsBy>,
  limit: number,
): Promise<number> {
  const rows = await remains.limit(limit).execute();
  if (rows.length === 0) return 0;
  await tables
    .deleteFrom('webhook_deliveries')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return rows.length;
}
