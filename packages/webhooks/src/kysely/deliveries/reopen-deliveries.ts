import { type Selectable, sql } from 'kysely';
import type {
  DeliveryPlace,
  FailedQuery,
  ReopenReceipt,
  ReopenRequest,
} from '../../storage/delivery-requests.ts';
import { RETRY_PRIORITY_DELAY_MS } from '../../storage/retry-priority.ts';
import { TEST_DELIVERY_PATTERN } from '../../test-deliveries.ts';
import { countChanges } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { FAILED } from '../status-literals.ts';
import type { DeliveryTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';
import { type IdRange, idsOfTimes } from './ids-of-times.ts';

/** Reopens one delivery, or failed ones oldest first, or counts those. */
export function reopenDeliveries(
  { run, write, dialect }: DatabaseAccess,
  { target, ...request }: ReopenRequest,
): Promise<ReopenReceipt> {
  if ('deliveryId' in target) return write((tables) => reopenOne(tables, dialect, target, request.now));
  if (!request.dryRun) return write((tables) => reopenFailed(tables, dialect, target, request));
  return run(async (tables) => ({ ...NOTHING, count: await countFailed(tables, dialect, target) }));
}

const NOTHING: ReopenReceipt = { outcome: 'none', deliveries: [], count: 0 };
const REOPEN_COLUMNS = ['id', 'delivery_id', 'webhook_id', 'status', 'created_at'] as const;

async function reopenOne(
  tables: Tables,
  dialect: WebhookDialect,
  target: { readonly webhookId: number; readonly deliveryId: string },
  now: number,
): Promise<ReopenReceipt> {
  const row = await tables
    .selectFrom('webhook_deliveries')
    .select(REOPEN_COLUMNS)
    .where('delivery_id', '=', target.deliveryId)
    .where('webhook_id', '=', target.webhookId)
    .where(OF_NO_REMOVED_WEBHOOK)
    .modifyEnd(dialect.locks.forUpdate)
    .executeTakeFirst();
  if (row === undefined) return NOTHING;
  if (row.status === 'pending') return { ...NOTHING, outcome: 'pending' };
  return reopen(tables, dialect, [row], now, 0);
}

async function reopenFailed(
  tables: Tables,
  dialect: WebhookDialect,
  query: FailedQuery,
  { after, limit, now }: Pick<ReopenRequest, 'after' | 'limit' | 'now'>,
): Promise<ReopenReceipt> {
  await dialect.preferIndexOrder(tables);
  const ids = await idsOf(tables, dialect, query, after);
  const rows = await failedInOrder(tables, dialect, query, ids, after)
    .select(REOPEN_COLUMNS)
    .orderBy(query.webhookId === undefined ? 'created_at' : 'webhook_id')
    .orderBy('id')
    .limit(limit)
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  return rows.length === 0 ? NOTHING : reopen(tables, dialect, rows, now, RETRY_PRIORITY_DELAY_MS);
}

/** Of all webhooks from an index alone, unless events or the time of the end count. */
async function countFailed(tables: Tables, dialect: WebhookDialect, query: FailedQuery): Promise<number> {
  const { failed } = await failedRows(tables, dialect, query, await idsOf(tables, dialect, query))
    .select((count) => count.fn.countAll<number>().as('failed'))
    .executeTakeFirstOrThrow();
  return Number(failed);
}

/** Where the failures of one webhook are, whose index has ids first. Those of all are found by time. */
async function idsOf(
  tables: Tables,
  dialect: WebhookDialect,
  { webhookId, createdSince, createdBefore }: FailedQuery,
  after?: DeliveryPlace,
): Promise<IdRange> {
  if (webhookId === undefined) return {};
  if (after === undefined) return idsOfTimes(tables, dialect, { createdFrom: createdSince, createdBefore });
  return { ...(await idsOfTimes(tables, dialect, { createdBefore })), after: after.id };
}

/**
 * Reads from a place on through an index that has that order, of all or of one webhook: successive
 * batches read each row once. Webhook by webhook, every batch would read and sort all that are
 * left.
 */
function failedInOrder(
  tables: Tables,
  dialect: WebhookDialect,
  query: FailedQuery,
  ids: IdRange,
  after: DeliveryPlace | undefined,
) {
  if (query.webhookId !== undefined || after === undefined) return failedRows(tables, dialect, query, ids);
  // MySQL cannot begin at a row value, and SQLite begins at the first of two bounds: one lower
  // bound serves both.
  const createdSince = after.createdAt > query.createdSince ? after.createdAt : query.createdSince;
  return failedRows(tables, dialect, { ...query, createdSince }, ids).where(({ eb, refTuple, tuple }) =>
    eb(refTuple('created_at', 'id'), '>', tuple(after.createdAt, after.id)),
  );
}

function failedRows(
  tables: Tables,
  { deliveriesBy, withoutIndex }: WebhookDialect,
  { webhookId, createdSince, createdBefore, events, ended }: FailedQuery,
  ids: IdRange,
) {
  const index =
    webhookId === undefined ? 'webhook_deliveries_failed' : 'webhook_deliveries_failed_by_webhook';
  let rows = tables
    .selectFrom(deliveriesBy(index))
    .where('status', '=', FAILED)
    .where('created_at', '>=', createdSince)
    .where('delivery_id', 'not like', TEST_DELIVERY_PATTERN)
    .where(
      ({ ref }) => withoutIndex(ref('webhook_id')),
      'in',
      tables.selectFrom('webhooks').select('webhooks.id').where('webhooks.is_active', '=', 1),
    );
  if (createdBefore !== undefined) rows = rows.where('created_at', '<', createdBefore);
  if (ids.after !== undefined) rows = rows.where('id', '>', ids.after);
  if (ids.before !== undefined) rows = rows.where('id', '<', ids.before);
  if (events !== undefined) rows = rows.where(({ ref }) => withoutIndex(ref('event')), 'in', events);
  if (ended !== undefined) {
    const { from, to, exceptErrors } = ended;
    rows = rows.where('completed_at', '>=', from).where('completed_at', '<=', to);
    if (exceptErrors.length > 0) rows = rows.where('error', 'not in', exceptErrors);
  }
  // Twice, for the order of an index on PostgreSQL, as in a search.
  return webhookId === undefined ? rows : rows.where('webhook_id', 'in', [webhookId, webhookId]);
}

async function reopen(
  tables: Tables,
  dialect: WebhookDialect,
  rows: readonly Pick<Selectable<DeliveryTable>, (typeof REOPEN_COLUMNS)[number]>[],
  now: number,
  priorityDelayMs: number,
): Promise<ReopenReceipt> {
  await tables
    .updateTable('webhook_deliveries')
    .set((row) => ({
      status: 'pending',
      series_start: sql<number>`${row.ref('attempts')} - ${row.ref('deferrals')}`,
      series_since: dialect.timestamp(now),
      completed_at: null,
      next_attempt_at: dialect.timestamp(now),
      priority_at: dialect.timestamp(now, priorityDelayMs),
    }))
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  const changes = rows.map((row) => ({
    webhookId: Number(row.webhook_id),
    createdAt: row.created_at,
    from: row.status,
    to: 'pending' as const,
  }));
  await countChanges(tables, dialect, changes);
  const deliveries = rows.map((row) => ({
    id: Number(row.id),
    deliveryId: row.delivery_id,
    createdAt: row.created_at,
  }));
  return { outcome: 'reopened', deliveries, count: rows.length };
}
