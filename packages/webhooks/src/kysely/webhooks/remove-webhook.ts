import { timestampText } from '../../clock.ts';
import { BEFORE_ANY, type PurgeRequest } from '../../storage/purge-requests.ts';
import { countWebhookChange, TOTAL } from '../counters/count-changes.ts';
import { hoursBetween } from '../counters/hours.ts';
import type { DatabaseAccess } from '../database-access.ts';
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
      url: '',
      name: '',
      description: '',
      events: '[]',
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

/** A purge by age. */
type RemovalRequest = Pick<
  Extract<PurgeRequest, { createdBefore: string }>,
  'now' | 'limit' | 'createdBefore'
>;

/** How many removed webhooks are dealt with at a time. */
const MAX_REMOVED = 500;

/**
 * How long a removed webhook's row stays, hidden: longer than a dispatch that had found the webhook
 * takes to commit.
 */
const HIDDEN_MS = 86_400_000;

/**
 * Removes at most `limit` deliveries of these removed webhooks, and the webhooks that were removed
 * a day ago once fewer are left.
 *
 * @param from where the call before this one stopped
 */
export async function removeRemains(
  tables: Tables,
  dialect: WebhookDialect,
  webhooks: RemovedWebhooks,
  { now, limit, createdBefore }: RemovalRequest,
  from: RemovalPlace | undefined,
): Promise<Removal> {
  let removed = 0;
  // Their number is bounded by how many are removed within a day.
  for (let after = from?.after ?? 0, place = from; ; place = undefined) {
    const some = webhooks.where('webhooks.id', '>', after).orderBy('webhooks.id').limit(MAX_REMOVED);
    const ids = (await some.execute()).map(({ id }) => Number(id));
    const removal = await removeDeliveriesOf(tables, dialect, ids, limit - removed, place);
    removed += removal.removed;
    if (removed === limit && removal.last) return { removed, last: { ...removal.last, after } };
    if (removed === limit) return { removed };
    if (ids.length > 0) await forgetLongRemoved(tables, dialect, ids, { now, createdBefore });
    const last = ids.at(-1);
    if (last !== undefined && ids.length === MAX_REMOVED) {
      after = last;
      continue;
    }
    if (!from?.after) return { removed };
    // What was written since, for a webhook before that place, is looked for once at the end.
    const left = { now, createdBefore, limit: limit - removed };
    const rest = await removeRemains(tables, dialect, webhooks, left, undefined);
    return { ...rest, removed: removed + rest.removed };
  }
}

/** Removes those of these webhooks that were removed a day ago. */
async function forgetLongRemoved(
  tables: Tables,
  dialect: WebhookDialect,
  ids: readonly number[],
  { now, createdBefore }: Omit<RemovalRequest, 'limit'>,
): Promise<void> {
  const long = await tables
    .selectFrom('webhooks')
    .select('id')
    .where('id', 'in', ids)
    .where('updated_at', '<', dialect.timestamp(now, -HIDDEN_MS))
    .execute();
  const gone = long.map(({ id }) => id);
  // Without the time of retention, it is not known which hours have counters.
  if (gone.length === 0 || createdBefore === BEFORE_ANY) return;
  await tables.deleteFrom('webhooks').where('id', 'in', gone).execute();
  await forgetRecipients(tables, gone, { now, createdBefore });
}

/** Forgets the counters, pauses and failures of webhooks that are gone. */
async function forgetRecipients(
  tables: Tables,
  ids: readonly number[],
  { now, createdBefore }: Omit<RemovalRequest, 'limit'>,
): Promise<void> {
  await tables
    .deleteFrom('webhook_activity')
    .where('hour', 'in', [TOTAL, ...hoursBetween(createdBefore, timestampText(now))])
    .where('webhook_id', 'in', ids)
    .execute();
  await tables.deleteFrom('webhook_pauses').where('webhook_id', 'in', ids).execute();
  await tables.deleteFrom('webhook_failures').where('webhook_id', 'in', ids).execute();
}

/** How many webhooks without a row one call deals with. */
const MAX_STRAY = 100;

/**
 * Removes at most `limit` deliveries whose webhook is gone without a trace, as a host's own `delete
 * from webhooks` leaves them. Finding their webhooks takes a step for each webhook with deliveries,
 * during which no row is locked: an id never comes back.
 *
 * @returns how many it removed
 */
export async function removeStray(
  { run, write, dialect }: DatabaseAccess,
  request: RemovalRequest,
): Promise<number> {
  const webhooks = await run((tables) =>
    tables
      .selectFrom(dialect.recipients().as('recipient'))
      .select('recipient.webhook_id')
      .where('recipient.webhook_id', 'not in', tables.selectFrom('webhooks').select('webhooks.id'))
      .limit(MAX_STRAY)
      .execute(),
  );
  if (webhooks.length === 0) return 0;
  const ids = webhooks.map(({ webhook_id }) => Number(webhook_id));
  return write(async (tables) => {
    await forgetRecipients(tables, ids, request);
    return (await removeDeliveriesOf(tables, dialect, ids, request.limit)).removed;
  });
}

/** A delivery in the order in which deliveries of removed webhooks are removed. */
export interface RemovalPlace {
  readonly part: 'waiting' | 'others';
  readonly webhookId: number;
  /** The priority time of one that waits; the id of another. */
  readonly at: string | number;
  /** The removed webhook behind which its group of webhooks begins. Default: the first. */
  readonly after?: number;
}

interface Removal {
  /** How many deliveries were removed. */
  readonly removed: number;
  /** The last of them, where there may be more. */
  readonly last?: RemovalPlace;
}

/** Pending ones first: every claim has to skip those that are due. */
const PARTS = ['waiting', 'others'] as const;

/** @param ids in ascending order */
async function removeDeliveriesOf(
  tables: Tables,
  dialect: WebhookDialect,
  ids: readonly number[],
  limit: number,
  from?: RemovalPlace,
): Promise<Removal> {
  let removed = 0;
  for (const part of from === undefined ? PARTS : PARTS.slice(PARTS.indexOf(from.part))) {
    for (const range of rangesOf(ids, from?.part === part ? from : undefined)) {
      if (range.ids.length === 0) continue;
      const rows = await removeSome(tables, dialect, part, range, limit - removed);
      removed += rows.length;
      const last = rows.at(-1);
      if (removed === limit && last !== undefined) {
        const at = part === 'waiting' ? (last.priority_at ?? '') : Number(last.id);
        return { removed, last: { part, webhookId: Number(last.webhook_id), at } };
      }
    }
  }
  // What was skipped, a delivery that was written since for example, is looked for once at the end.
  if (from === undefined) return { removed };
  const skipped = await removeDeliveriesOf(tables, dialect, ids, limit - removed);
  return { ...skipped, removed: removed + skipped.removed };
}

interface RemovalRange {
  readonly ids: readonly number[];
  readonly at?: string | number;
}

/** The rest of one webhook's deliveries, and all of the webhooks after it. */
function rangesOf(ids: readonly number[], from: RemovalPlace | undefined): RemovalRange[] {
  if (from === undefined) return [{ ids }];
  const { webhookId, at } = from;
  return [{ ids: ids.filter((id) => id === webhookId), at }, { ids: ids.filter((id) => id > webhookId) }];
}

/**
 * Removes deliveries webhook by webhook, in the order of an index. Through another index, a whole
 * history would be sorted, or rows of others locked.
 */
async function removeSome(
  tables: Tables,
  dialect: WebhookDialect,
  part: RemovalPlace['part'],
  { ids, at }: RemovalRange,
  limit: number,
) {
  const isWaiting = part === 'waiting';
  let remains = tables
    .selectFrom(
      dialect.deliveriesBy(isWaiting ? 'webhook_deliveries_ready_by_webhook' : 'webhook_deliveries_history'),
    )
    .select(['id', 'webhook_id', 'priority_at'])
    // One id is repeated: from a single id PostgreSQL makes an equation, needs only the order of
    // `id`, and reads the rows of all webhooks in it (50,000 of 200,000 deliveries removed in 12 s
    // instead of 1.1).
    .where('webhook_id', 'in', [...ids, ...ids.slice(0, 1)])
    .orderBy('webhook_id');
  if (isWaiting) remains = remains.where(OF_A_WEBHOOK).where('status', '=', PENDING).orderBy('priority_at');
  if (at !== undefined) remains = remains.where(isWaiting ? 'priority_at' : 'id', '>=', at as never);
  const rows = await remains.orderBy('id').limit(limit).modifyEnd(dialect.locks.forUpdate).execute();
  if (rows.length === 0) return rows;
  await tables
    .deleteFrom('webhook_deliveries')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return rows;
}
