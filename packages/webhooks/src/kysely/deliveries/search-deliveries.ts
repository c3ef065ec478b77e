import { sql } from 'kysely';
import type { DeliverySearch, DeliverySearchPage, FoundDelivery } from '../../storage/delivery-search.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { IndexName } from '../names.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';
import { SUMMARY_COLUMNS, summaryOf } from './delivery-rows.ts';

/** Reads a bounded number of rows of one index, in its order, and keeps those that match. */
export function searchDeliveries(
  { read, dialect }: DatabaseAccess,
  search: DeliverySearch,
): Promise<DeliverySearchPage> {
  return read(async (tables) => {
    const scan = scanOf(search);
    const page = await readPage(tables, dialect, search, scan);
    const { maxScanned } = search;
    // Cut short of the bound: among the rows were deliveries of removed webhooks.
    if (!page.isCut || scan.limit >= maxScanned) return page;
    return readPage(tables, dialect, search, { ...scan, limit: maxScanned });
  });
}

async function readPage(
  tables: Tables,
  dialect: WebhookDialect,
  search: DeliverySearch,
  scan: Scan,
): Promise<DeliverySearchPage> {
  const scanned = rowsOf(tables, dialect, search, scan);
  const places = await matching(tables, scanned.limit(scan.limit), search).execute();
  const shown = places.slice(0, search.limit);
  const deliveries = await foundOf(
    tables,
    shown.map(({ id }) => id),
  );
  if (places.length > search.limit) return { deliveries, next: placeOf(shown.at(-1)), isCut: false };
  const last = await scanned
    .limit(1)
    .offset(scan.limit - 1)
    .executeTakeFirst();
  return { deliveries, next: placeOf(last), isCut: last !== undefined };
}

interface Scan {
  readonly index: IndexName;
  /** How many rows of the index to read. */
  readonly limit: number;
}

/** The index that leads to the fewest rows, and how many of them may be needed. */
function scanOf({ deliveryId, status, event, error, statusCode, limit, maxScanned }: DeliverySearch): Scan {
  const isFailed = status === 'failed';
  const isFiltered = error !== undefined || statusCode !== undefined;
  if (deliveryId !== undefined) return { index: 'webhook_deliveries_by_delivery_id', limit: limit + 1 };
  // Failures are few: of an event, they are found among all failures.
  if (isFailed) {
    const isExact = !isFiltered && event === undefined;
    return { index: 'webhook_deliveries_failed', limit: isExact ? limit + 1 : maxScanned };
  }
  const isExact = !isFiltered && status === undefined;
  const index = event === undefined ? 'webhook_deliveries_by_age' : 'webhook_deliveries_by_event_and_age';
  return { index, limit: isExact ? limit + 1 : maxScanned };
}

function rowsOf(tables: Tables, dialect: WebhookDialect, search: DeliverySearch, { index }: Scan) {
  const { deliveryId, event, createdFrom, createdBefore, before } = search;
  let rows = tables
    .selectFrom(dialect.deliveriesBy(index))
    .select(['id', 'webhook_id', 'event', 'status', 'status_code', 'error', 'created_at']);
  if (deliveryId !== undefined) rows = rows.where('delivery_id', '=', deliveryId);
  // A literal: a plan made before parameters are known can use the index on these rows only.
  if (index === 'webhook_deliveries_failed') rows = rows.where('status', '=', sql.lit('failed' as const));
  if (index === 'webhook_deliveries_by_event_and_age' && event !== undefined) {
    rows = rows.where('event', '=', event);
  }
  if (createdFrom !== undefined) rows = rows.where('created_at', '>=', createdFrom);
  if (createdBefore !== undefined) rows = rows.where('created_at', '<', createdBefore);
  if (before !== undefined) {
    // The first bound is where MySQL begins, which cannot begin at a row value.
    rows = rows
      .where('created_at', '<=', before.createdAt)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(before.createdAt, before.id)),
      );
  }
  return rows.orderBy('created_at', 'desc').orderBy('id', 'desc');
}

function matching(tables: Tables, scanned: ReturnType<typeof rowsOf>, search: DeliverySearch) {
  const { status, event, error, statusCode } = search;
  let rows = tables
    .selectFrom(scanned.as('scanned'))
    .select(['id', 'created_at'])
    .where('webhook_id', 'not in', removedWebhooks(tables));
  if (status !== undefined) rows = rows.where('status', '=', status);
  if (event !== undefined) rows = rows.where('event', '=', event);
  if (error !== undefined) rows = rows.where('error', '=', error);
  if (statusCode !== undefined) rows = rows.where('status_code', '=', statusCode);
  return rows
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(search.limit + 1);
}

async function foundOf(tables: Tables, ids: readonly number[]): Promise<FoundDelivery[]> {
  if (ids.length === 0) return [];
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(SUMMARY_COLUMNS)
    .select((delivery) =>
      delivery
        .selectFrom('webhooks')
        .select('webhooks.url')
        .whereRef('webhooks.id', '=', 'webhook_deliveries.webhook_id')
        .where('webhooks.is_removed', '=', 0)
        .as('webhook_url'),
    )
    .where('id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({ ...summaryOf(row), webhookUrl: row.webhook_url }));
}

function placeOf(row: { readonly id: number; readonly created_at: string } | undefined) {
  return row === undefined ? null : { id: Number(row.id), createdAt: row.created_at };
}
