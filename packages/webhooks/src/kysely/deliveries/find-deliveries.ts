import { type RawBuilder, sql } from 'kysely';
import type { AttemptLogEntry } from '../../storage/delivery-record.ts';
import type { DeliveryPlace } from '../../storage/delivery-requests.ts';
import type { DeliverySearch, DeliverySearchPage, FoundDelivery } from '../../storage/delivery-search.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { IndexName } from '../names.ts';
import { jsonArrayOf } from '../parse-json-array.ts';
import { FAILED, OF_A_WEBHOOK, OF_THE_QUEUE, PENDING } from '../status-literals.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { isOfTenant, OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';
import { SUMMARY_COLUMNS, summaryOf } from './delivery-rows.ts';
import { type IdRange, idsOfTimes } from './ids-of-times.ts';

/** Reads bounded parts of indexes, first those that are short, and keeps the rows that match. */
export function findDeliveries(
  { run, dialect }: DatabaseAccess,
  search: DeliverySearch,
): Promise<DeliverySearchPage> {
  return run(async (tables) => {
    let page: DeliverySearchPage = { deliveries: [], next: null, isCut: true };
    for (const scan of scansOf(search)) {
      if (!page.isCut) break;
      const ofWebhook = scan.isOrdered && search.webhookId !== undefined;
      const ids = ofWebhook ? await idsOfTimes(tables, dialect, search) : {};
      page = await readPage(tables, dialect, search, { ...scan, ids });
    }
    return page;
  });
}

/** A part of an index. */
interface Scan {
  readonly index: IndexName;
  /** How many rows to read. */
  readonly limit: number;
  /** Whether the index has the order of the search. If not, a part that is cut is of no use. */
  readonly isOrdered: boolean;
}

type ScanOfIds = Scan & { readonly ids: IdRange };

/** The parts to read, until one has not been cut. */
function scansOf(search: DeliverySearch): Scan[] {
  const { webhookId, deliveryId, status, limit, maxScanned } = search;
  const unordered = (index: IndexName): Scan => ({ index, limit: maxScanned, isOrdered: false });
  if (deliveryId !== undefined) return [{ ...unordered('webhook_deliveries_by_delivery_id'), limit: 2 }];
  const isOfAll = webhookId === undefined;
  const index = indexOf(search);
  const ordered = { index, limit: maxScanned, isOrdered: true };
  if (status === 'pending') {
    const pending = isOfAll ? 'webhook_deliveries_ready' : 'webhook_deliveries_ready_by_webhook';
    return [unordered(pending), ordered];
  }
  const { tenant, event, error, statusCode, createdFrom, createdBefore } = search;
  const others = [tenant, event, error, statusCode, ...(isOfAll ? [] : [createdFrom, createdBefore])];
  const isExact = status !== 'success' && !search.hasError && others.every((filter) => filter === undefined);
  // What most deliveries match is found among a few, and what all match is cut only if it meets
  // deliveries of removed webhooks.
  const few = isExact ? limit + 1 : 10 * limit;
  return few < maxScanned ? [{ ...ordered, limit: few }, ordered] : [ordered];
}

function indexOf({ webhookId, status }: DeliverySearch): IndexName {
  if (status === 'failed') {
    return webhookId === undefined ? 'webhook_deliveries_failed' : 'webhook_deliveries_failed_by_webhook';
  }
  return webhookId === undefined ? 'webhook_deliveries_by_age' : 'webhook_deliveries_history';
}

async function readPage(
  tables: Tables,
  dialect: WebhookDialect,
  search: DeliverySearch,
  scan: ScanOfIds,
): Promise<DeliverySearchPage> {
  const places = await placesIn(tables, dialect, search, scan);
  const end = places.find((place) => Number(place.is_found) === 0);
  if (end !== undefined && !scan.isOrdered) return { deliveries: [], next: null, isCut: true };
  const found = places.filter((place) => Number(place.is_found) === 1);
  const shown = found.slice(0, search.limit);
  const deliveries = await deliveriesAt(tables, search, shown);
  if (found.length > shown.length) return { deliveries, next: placeOf(shown.at(-1)), isCut: false };
  return { deliveries, next: placeOf(end), isCut: end !== undefined };
}

interface ScannedPlace {
  readonly id: number;
  readonly created_at: string;
  /** 1 for a row that matches, 0 for the last row of the scan. */
  readonly is_found: number;
}

/**
 * The places of the first rows that match, and that of the last row if the scan reached its limit.
 * In one statement: between two, new deliveries would move the end.
 */
function placesIn(
  tables: Tables,
  dialect: WebhookDialect,
  search: DeliverySearch,
  scan: ScanOfIds,
): Promise<ScannedPlace[]> {
  const order = search.webhookId === undefined ? BY_PLACE : BY_ID;
  const scanned = sql`select id, webhook_id, event, status, status_code, error, created_at
    from ${dialect.deliveriesBy(scan.index)} where ${all(boundsOf(search, scan))}
    ${scan.isOrdered ? order : sql``} limit ${scan.limit}`;
  const matching = [...filtersOf(search), OF_NO_REMOVED_WEBHOOK];
  const places = sql<ScannedPlace>`(with scanned as (${scanned})
    select id, created_at, 1 as is_found from
      (select * from scanned where ${all(matching)} ${order} limit ${search.limit + 1}) as matching
    union all select id, created_at, 0 from
      (select * from scanned ${order} limit 1 offset ${scan.limit - 1}) as last_scanned)`;
  return tables
    .selectFrom(places.as('place'))
    .selectAll()
    .$if(search.webhookId === undefined, (rows) => rows.orderBy('created_at', 'desc'))
    .orderBy('id', 'desc')
    .execute();
}

const BY_PLACE = sql`order by created_at desc, id desc`;
const BY_ID = sql`order by webhook_id desc, id desc`;

type Condition = RawBuilder<unknown>;

/** What the index can tell, as the part to read. */
function boundsOf(search: DeliverySearch, { index, isOrdered, ids }: ScanOfIds): Condition[] {
  const { webhookId, deliveryId, before } = search;
  const bounds: Condition[] = [sql`1 = 1`];
  // Literals: a plan made before parameters are known can use an index on these rows only.
  if (index === 'webhook_deliveries_ready' || index === 'webhook_deliveries_ready_by_webhook') {
    bounds.push(sql`status = ${PENDING}`);
  }
  if (index === 'webhook_deliveries_ready') bounds.push(OF_THE_QUEUE);
  if (index === 'webhook_deliveries_ready_by_webhook') bounds.push(OF_A_WEBHOOK);
  if (index === 'webhook_deliveries_failed' || index === 'webhook_deliveries_failed_by_webhook') {
    bounds.push(sql`status = ${FAILED}`);
  }
  if (deliveryId !== undefined) bounds.push(sql`delivery_id = ${deliveryId}`);
  // Twice: from a single id PostgreSQL makes an equation, needs only the order of `id`, and goes
  // through the deliveries of all webhooks until it has found enough.
  if (webhookId !== undefined) bounds.push(sql`webhook_id in (${webhookId}, ${webhookId})`);
  if (!isOrdered) return bounds;
  if (webhookId === undefined) return [...bounds, ...timesOf(search), ...beforeOf(search)];
  if (ids.after !== undefined) bounds.push(sql`id > ${ids.after}`);
  // One bound: SQLite would begin at either of two.
  const end = Math.min(before?.id ?? Infinity, ids.before ?? Infinity);
  if (end < Infinity) bounds.push(sql`id < ${end}`);
  return bounds;
}

/** Everything that is asked for, also what an index has told. */
function filtersOf(search: DeliverySearch): Condition[] {
  const { tenant, status, event, error, statusCode } = search;
  const filters = [...timesOf(search), ...beforeOf(search)];
  if (status !== undefined) filters.push(sql`status = ${status}`);
  if (tenant !== undefined) filters.push(isOfTenant(tenant));
  const prefix = event?.slice(0, -1) ?? '';
  if (event?.endsWith('.*')) filters.push(sql`substr(event, 1, ${sql.lit(prefix.length)}) = ${prefix}`);
  else if (event !== undefined) filters.push(sql`event = ${event}`);
  if (error !== undefined) filters.push(sql`error = ${error}`);
  if (search.hasError) filters.push(sql`error <> ''`);
  if (statusCode !== undefined) filters.push(sql`status_code = ${statusCode}`);
  return filters;
}

function timesOf({ createdFrom, createdBefore }: DeliverySearch): Condition[] {
  return [
    ...(createdFrom === undefined ? [] : [sql`created_at >= ${createdFrom}`]),
    ...(createdBefore === undefined ? [] : [sql`created_at < ${createdBefore}`]),
  ];
}

function beforeOf({ webhookId, before }: DeliverySearch): Condition[] {
  if (before === undefined) return [];
  if (webhookId !== undefined) return [sql`id < ${before.id}`];
  // The first bound is where MySQL begins, which cannot begin at a row value.
  return [
    sql`created_at <= ${before.createdAt}`,
    sql`(created_at, id) < (${before.createdAt}, ${before.id})`,
  ];
}

function all(conditions: readonly Condition[]): Condition {
  return sql.join(conditions, sql` and `);
}

async function deliveriesAt(
  tables: Tables,
  { webhookId, withContent = false }: DeliverySearch,
  places: readonly ScannedPlace[],
): Promise<FoundDelivery[]> {
  if (places.length === 0) return [];
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(SUMMARY_COLUMNS)
    .$if(withContent === true, (row) => row.select('payload'))
    .$if(withContent !== false, (row) => row.select('attempt_log'))
    .select((delivery) => {
      const webhook = delivery
        .selectFrom('webhooks')
        .whereRef('webhooks.id', '=', 'webhook_deliveries.webhook_id')
        .where('webhooks.is_removed', '=', 0);
      return [
        webhook.select('webhooks.url').as('webhook_url'),
        webhook.select('webhooks.name').as('webhook_name'),
      ];
    })
    .where(
      'id',
      'in',
      places.map(({ id }) => id),
    )
    .$if(webhookId === undefined, (row) => row.orderBy('created_at', 'desc'))
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ payload, attempt_log: log, ...row }) => ({
    ...summaryOf(row),
    webhookUrl: row.webhook_url,
    webhookName: row.webhook_name,
    ...(log !== undefined && {
      content: { payload: payload ?? '', attemptLog: jsonArrayOf<AttemptLogEntry>(log) },
    }),
  }));
}

function placeOf(row: ScannedPlace | undefined): DeliveryPlace | null {
  return row === undefined ? null : { id: Number(row.id), createdAt: row.created_at };
}
