import { sql } from 'kysely';
import type { FailedQuery } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { countChanges } from './activity.ts';
import type { WebhookDialect } from './dialect.ts';
import { removedWebhooks } from './removed-webhooks.ts';
import type { TableAccess } from './table-access.ts';
import type { Tables } from './tables.ts';

const REOPEN_COLUMNS = ['id', 'delivery_id', 'webhook_id', 'status', 'created_at'] as const;

/** Reopens one delivery; the caller's transaction makes it one step. */
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
    .modifyEnd(dialect.locks.rows)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.status === 'pending') return 'pending';
  await reopen(tables, dialect, [row], request.now);
  return 'reopened';
}

/** Reopens failed deliveries, oldest first; the caller's transaction makes it one step. */
export async function reopenFailed(
  tables: Tables,
  dialect: WebhookDialect,
  request: FailedQuery & { readonly now: number; readonly limit: number },
): Promise<string[]> {
  const rows = await failedRows(tables, request)
    .select(REOPEN_COLUMNS)
    .orderBy('created_at')
    .orderBy('id')
    .limit(request.limit)
    .modifyEnd(dialect.locks.rows)
    .execute();
  if (rows.length > 0) await reopen(tables, dialect, rows, request.now);
  return rows.map((row) => row.delivery_id);
}

export async function countFailed({ read }: TableAccess, query: FailedQuery): Promise<number> {
  const { failed } = await read((tables) =>
    failedRows(tables, query)
      .select((count) => count.fn.countAll<number>().as('failed'))
      .executeTakeFirstOrThrow(),
  );
  return Number(failed);
}

function failedRows(tables: Tables, { webhookId, createdSince }: FailedQuery) {
  const rows = tables
    .selectFrom('webhook_deliveries')
    // Written as text: a plan made before parameters are known can use the index on these rows alone.
    .where('status', '=', sql.lit('failed' as const))
    .where('created_at', '>=', createdSince)
    .where(
      'webhook_id',
      'in',
      tables.selectFrom('webhooks').select('webhooks.id').where('webhooks.is_active', '=', 1),
    );
  return webhookId === undefined ? rows : rows.where('webhook_id', '=', webhookId);
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
): Promise<void> {
  await tables
    .updateTable('webhook_deliveries')
    .set((row) => ({
      status: 'pending',
      series_start: row.ref('attempts'),
      completed_at: null,
      next_attempt_at: dialect.timestamp(now),
      turn_at: dialect.timestamp(now),
    }))
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  const changes = rows.map((row) => ({
    ...{ webhookId: Number(row.webhook_id), createdAt: row.created_at },
    ...{ from: row.status, to: 'pending' as const },
  }));
  await countChanges(tables, dialect, changes);
}
