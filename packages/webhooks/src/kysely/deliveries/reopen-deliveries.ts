import { sql } from 'kysely';
import type { FailedQuery, ReopenedDelivery, ReopenRequest } from '../../storage/delivery-requests.ts';
import { RETRY_PRIORITY_DELAY_MS } from '../../storage/retry-priority.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import { TEST_DELIVERY_PATTERN } from '../../test-deliveries.ts';
import { countChanges } from '../counters/count-changes.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { unhintedDeliveriesTable } from '../dialects/unhinted-deliveries-table.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';

const REOPEN_COLUMNS = ['id', 'delivery_id', 'webhook_id', 'status', 'created_at'] as const;

/** Reopens one delivery; the caller's transaction makes it atomic. */
export async function reopenDelivery(
  tables: Tables,
  dialect: WebhookDialect,
  request: Parameters<WebhookStorage['reopenDelivery']>[0],
): Promise<'reopened' | 'pending' | undefined> {
  const row = await tables
    .selectFrom('webhook_deliveries')
    .select(REOPEN_COLUMNS)
    .where('delivery_id', '=', request.deliveryId)
    .where('webhook_id', '=', request.webhookId)
    .where('webhook_id', 'not in', removedWebhooks(tables))
    .modifyEnd(dialect.locks.forUpdate)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.status === 'pending') return 'pending';
  await reopen(tables, dialect, [row], request.now, 0);
  return 'reopened';
}

/**
 * Reopens failed deliveries, and returns them oldest first; the caller's transaction makes it
 * atomic.
 */
export async function reopenFailed(
  tables: Tables,
  dialect: WebhookDialect,
  request: ReopenRequest,
): Promise<ReopenedDelivery[]> {
  await dialect.preferIndexOrder(tables);
  const rows = await failedInOrder(tables, dialect, request)
    .select(REOPEN_COLUMNS)
    .orderBy('created_at')
    .orderBy('id')
    .limit(request.limit)
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  if (rows.length > 0) await reopen(tables, dialect, rows, request.now, RETRY_PRIORITY_DELAY_MS);
  return rows.map((row) => ({
    id: Number(row.id),
    deliveryId: row.delivery_id,
    createdAt: row.created_at,
  }));
}

export async function countFailed({ read }: DatabaseAccess, query: FailedQuery): Promise<number> {
  const { failed } = await read((tables) =>
    failedRows(tables, query, { deliveries: unhintedDeliveriesTable(), withoutIndex: (column) => column })
      .select((count) => count.fn.countAll<number>().as('failed'))
      .executeTakeFirstOrThrow(),
  );
  return Number(failed);
}

/**
 * Reads from a place on through the one index that has that order: successive batches read each row
 * once. Webhook by webhook, every batch would read and sort all that are left.
 */
function failedInOrder(tables: Tables, dialect: WebhookDialect, { after, ...query }: ReopenRequest) {
  const deliveries = dialect.deliveriesBy('webhook_deliveries_failed');
  const { withoutIndex } = dialect;
  if (after === undefined) return failedRows(tables, query, { deliveries, withoutIndex });
  // MySQL cannot begin at a row value, and SQLite begins at the first of two bounds: one lower
  // bound serves both.
  const createdSince = after.createdAt > query.createdSince ? after.createdAt : query.createdSince;
  return failedRows(tables, { ...query, createdSince }, { deliveries, withoutIndex }).where(
    ({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>', tuple(after.createdAt, after.id)),
  );
}

function failedRows(
  tables: Tables,
  { webhookId, createdSince, createdBefore, events }: FailedQuery,
  { deliveries, withoutIndex }: Reading,
) {
  let rows = tables
    .selectFrom(deliveries)
    // A literal: a plan made before parameters are known can use the index on these rows only.
    .where('status', '=', sql.lit('failed' as const))
    .where('created_at', '>=', createdSince)
    .where('delivery_id', 'not like', TEST_DELIVERY_PATTERN)
    .where(
      ({ ref }) => withoutIndex(ref('webhook_id')),
      'in',
      tables.selectFrom('webhooks').select('webhooks.id').where('webhooks.is_active', '=', 1),
    );
  if (createdBefore !== undefined) rows = rows.where('created_at', '<', createdBefore);
  if (events !== undefined) rows = rows.where(({ ref }) => withoutIndex(ref('event')), 'in', events);
  return webhookId === undefined
    ? rows
    : rows.where(({ ref }) => withoutIndex(ref('webhook_id')), '=', webhookId);
}

/** How deliveries are read. */
interface Reading extends Pick<WebhookDialect, 'withoutIndex'> {
  readonly deliveries: ReturnType<WebhookDialect['deliveriesBy']>;
}

interface EndedRow {
  readonly id: number;
  readonly webhook_id: number;
  readonly status: 'success' | 'failed' | 'pending';
  readonly created_at: string;
}

async function reopen(
  tables: Tables,
  dialect: WebhookDialect,
  rows: readonly EndedRow[],
  now: number,
  priorityDelayMs: number,
): Promise<void> {
  await tables
    .updateTable('webhook_deliveries')
    .set((row) => ({
      status: 'pending',
      series_start: row.ref('attempts'),
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
}
