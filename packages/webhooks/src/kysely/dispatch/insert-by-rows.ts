import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { deliveryIdOf } from '../../storage/delivery-ids.ts';
import { nameInSql } from '../names.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { areKeys } from './idempotency-keys.ts';
import { type DispatchWithId, type KeyedDispatch, keysInOrder } from './keyed-dispatch.ts';
import { findSubscribers } from './subscriptions.ts';

/**
 * The most deliveries that one statement writes, which bounds how long it blocks the event loop.
 */
export const MAX_ROWS_PER_STATEMENT = 500;
/** The most bytes of payload that one statement writes, one row at the least. */
export const MAX_BYTES_PER_STATEMENT = 4 * 1024 * 1024;
/** The fewest deliveries for which a dispatch has a statement of its own. */
const MIN_SHARED_ROWS = 8;
/**
 * A larger payload has a statement of its own, too, and is a parameter of it: mysql2 blocks the
 * event loop up to ten times as long to escape a text within JSON.
 */
const MAX_SHARED_PAYLOAD_BYTES = 16 * 1024;
/** The most bytes of payload in the JSON that several dispatches share, for the same reason. */
const MAX_SHARED_BYTES = 1024 * 1024;
/**
 * A payload is JSON; as a text within JSON each of its quotes and backslashes takes two characters.
 */
const MAX_GROWTH_IN_JSON = 2;
/** The columns that a dispatch writes. */
export const DELIVERY_COLUMNS = [
  'webhook_id',
  'delivery_id',
  'event',
  'payload',
  'created_at',
  'next_attempt_at',
  'priority_at',
] as const;

/** A delivery to be written. */
interface DeliveryRow {
  readonly webhook_id: number;
  readonly delivery_id: string;
  readonly event: string;
  readonly payload: string;
  readonly created_at: string;
}

/** Deliveries that one statement writes; those of one dispatch share their payload. */
export interface Batch {
  readonly rows: readonly DeliveryRow[];
  readonly isOneDispatch: boolean;
}

/** Looks up the subscribers of all dispatches, and divides their deliveries into statements. */
export async function planBatches(tables: Tables, dispatches: readonly DispatchWithId[]): Promise<Batch[]> {
  const subscribers = await findSubscribers(tables, dispatches);
  const batches: Batch[] = [];
  let shared: DeliveryRow[] = [];
  let bytes = 0;
  const flush = () => {
    if (shared.length > 0) batches.push({ rows: shared, isOneDispatch: false });
    [shared, bytes] = [[], 0];
  };
  for (const [index, dispatch] of dispatches.entries()) {
    const rows = rowsOf(dispatch, subscribers[index] ?? []);
    const payloadBytes = Buffer.byteLength(dispatch.payload);
    if (rows.length >= MIN_SHARED_ROWS || payloadBytes > MAX_SHARED_PAYLOAD_BYTES) {
      // After the dispatches before it: ids ascend in the order of creation.
      flush();
      const maxRows = Math.floor(MAX_BYTES_PER_STATEMENT / Math.max(payloadBytes, 1));
      const size = Math.max(1, Math.min(MAX_ROWS_PER_STATEMENT, maxRows));
      for (let start = 0; start < rows.length; start += size) {
        batches.push({ rows: rows.slice(start, start + size), isOneDispatch: true });
      }
      continue;
    }
    const bytesInJson = MAX_GROWTH_IN_JSON * payloadBytes;
    for (const row of rows) {
      if (shared.length >= MAX_ROWS_PER_STATEMENT || bytes + bytesInJson > MAX_SHARED_BYTES) flush();
      shared.push(row);
      bytes += bytesInJson;
    }
  }
  flush();
  return batches;
}

function rowsOf({ id, event, payload, createdAt }: DispatchWithId, webhookIds: readonly number[]) {
  return webhookIds.map((webhookId) => ({
    webhook_id: webhookId,
    delivery_id: deliveryIdOf(id, webhookId),
    event,
    payload,
    created_at: createdAt,
  }));
}

/** Conditions of every statement that writes deliveries. */
export interface InsertConditions {
  /** Rows that are there already stay as they are. */
  readonly isRetry: boolean;
  /**
   * Dispatches of the same transaction whose keys must be there: they are not once a host's
   * transaction has ended too early. Default: none.
   */
  readonly ownKeys?: readonly KeyedDispatch[];
}

/** Whether the keys of these dispatches are there, as they brought them. */
export function haveTheirKeys(keyed: readonly KeyedDispatch[]): RawBuilder<boolean> {
  if (keyed.length === 0) return sql`1 = 1`;
  const ids = keyed.map(({ id }) => id);
  return sql`(select count(*) from ${nameInSql('webhook_idempotency_keys')}
    where ${areKeys(keysInOrder(keyed))} and dispatch_id in (${sql.join(ids)})) = ${keyed.length}`;
}

/**
 * Writes the batches, one statement each; the caller's transaction makes it all or nothing.
 *
 * @returns the ids of the deliveries
 */
export async function insertBatches(
  tables: Tables,
  dialect: WebhookDialect,
  batches: readonly Batch[],
  conditions: InsertConditions,
): Promise<string[]> {
  for (const [index, batch] of batches.entries()) {
    // Without this, a large fan-out would block the rest of the process.
    if (index > 0) await nextTurn();
    await insertBatch(tables, dialect, batch, conditions);
  }
  return batches.flatMap(({ rows }) => rows.map(({ delivery_id }) => delivery_id));
}

async function insertBatch(
  tables: Tables,
  dialect: WebhookDialect,
  { rows, isOneDispatch }: Batch,
  { isRetry, ownKeys = [] }: InsertConditions,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const isListed = dialect.locksIdsOfSelect && !isOneDispatch && ownKeys.length === 0;
  const insertion = isListed
    ? insertListed(tables, dialect, rows)
    : insertSelected(tables, dialect, { rows, isOneDispatch }, first, ownKeys);
  await (isRetry ? dialect.ignoringWritten(insertion) : insertion).execute();
}

/** The rows in the statement's text: how many ids it takes is known before it runs. */
function insertListed(tables: Tables, dialect: WebhookDialect, rows: readonly DeliveryRow[]) {
  const due = dialect.timestamp(Date.now());
  return tables
    .insertInto('webhook_deliveries')
    .values(rows.map((row) => ({ ...row, next_attempt_at: due, priority_at: due })));
}

function insertSelected(
  tables: Tables,
  dialect: WebhookDialect,
  { rows, isOneDispatch }: Batch,
  first: DeliveryRow,
  ownKeys: readonly KeyedDispatch[],
) {
  const due = dialect.clock === 'caller' ? sql`created_at` : dialect.timestamp(Date.now());
  const deliveries = isOneDispatch ? oneDispatch(dialect, rows, first) : eachWithPayload(dialect, rows);
  return tables
    .insertInto('webhook_deliveries')
    .columns(DELIVERY_COLUMNS)
    .expression(
      sql`select webhook_id, delivery_id, event, payload, created_at, ${due}, ${due} from ${deliveries} where ${haveTheirKeys(ownKeys)}`,
    );
}

function eachWithPayload(dialect: WebhookDialect, rows: readonly DeliveryRow[]) {
  return dialect.rowsOf(rows, 'delivery', {
    webhook_id: 'integer',
    delivery_id: 'text',
    event: 'text',
    payload: 'text',
    created_at: 'text',
  });
}

/** The deliveries of one dispatch, with its payload once. */
function oneDispatch(
  dialect: WebhookDialect,
  rows: readonly DeliveryRow[],
  { event, payload, created_at }: DeliveryRow,
) {
  const ids = rows.map(({ webhook_id, delivery_id }) => ({ webhook_id, delivery_id }));
  const targets = dialect.rowsOf(ids, 'target', { webhook_id: 'integer', delivery_id: 'text' });
  return sql`(select target.webhook_id, target.delivery_id, ${event} as event, ${payload} as payload, ${created_at} as created_at
    from ${targets}) as delivery`;
}
