import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { deliveryIdOf, deliveryIdsOf } from '../../storage/delivery-ids.ts';
import type { DispatchRecord } from '../../storage/delivery-requests.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import type { DispatchWithId } from './dispatch-with-id.ts';
import type { InsertedDelivery } from './inserted-delivery.ts';
import { MAX_GROWTH_IN_JSON, MAX_ROWS_PER_STATEMENT, rowsPerStatement } from './statement-bounds.ts';

/** The fewest deliveries for which a dispatch has a statement of its own. */
const MIN_SHARED_ROWS = 8;
/**
 * A larger payload has a statement of its own, too, and is a parameter of it: mysql2 blocks the
 * event loop up to ten times as long to escape a text within JSON.
 */
const MAX_SHARED_PAYLOAD_BYTES = 16 * 1024;
/** The most bytes of payload in the JSON that several dispatches share, for the same reason. */
const MAX_SHARED_BYTES = 1024 * 1024;
/** The most patterns or ids that one statement looks up. */
const MAX_LOOKED_UP = 1_000;

/**
 * Looks up the subscribers of all dispatches at once and writes their deliveries together: the cost
 * of a dispatch is its number of statements.
 *
 * The webhooks are kept from being removed until the transaction ends, as the foreign key would:
 * one that is removed concurrently either gets deliveries, which are removed with it, or none. Rows
 * of webhooks that are not looked up by id are not locked, so that a host's transaction does not
 * hold up registrations on a database that locks gaps.
 */
export async function insertByRows(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchWithId[],
  { isCounted, isHostTransaction }: { readonly isCounted: boolean; readonly isHostTransaction: boolean },
): Promise<InsertedDelivery[][]> {
  const lock = isHostTransaction ? dialect.locks.forKeyShare : dialect.locks.forKeyShareNowait;
  const subscribers = await findSubscribers(tables, dispatches, lock);
  const inserted: InsertedDelivery[][] = [];
  let batch: DeliveryRow[] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length > 0) await insertRows(tables, dialect, batch, isCounted);
    [batch, bytes] = [[], 0];
  };
  for (const [index, dispatch] of dispatches.entries()) {
    const { event, payload, createdAt } = dispatch;
    const webhookIds = subscribers[index] ?? [];
    const ids = deliveryIdsOf(dispatch.id);
    const deliveries = webhookIds.map((webhookId) => ({
      webhookId,
      deliveryId: deliveryIdOf(ids, webhookId),
    }));
    inserted.push(deliveries);
    const payloadBytes = Buffer.byteLength(payload);
    if (deliveries.length >= MIN_SHARED_ROWS || payloadBytes > MAX_SHARED_PAYLOAD_BYTES) {
      // After the dispatches before it: ids ascend in the order of creation.
      await flush();
      await insertShared(tables, dialect, dispatch, deliveries, isCounted);
      continue;
    }
    const bytesInJson = MAX_GROWTH_IN_JSON * payloadBytes;
    for (const { webhookId, deliveryId } of deliveries) {
      const isFull = batch.length >= MAX_ROWS_PER_STATEMENT || bytes + bytesInJson > MAX_SHARED_BYTES;
      if (isFull) await flush();
      batch.push({ webhook_id: webhookId, delivery_id: deliveryId, event, payload, created_at: createdAt });
      bytes += bytesInJson;
    }
  }
  await flush();
  return inserted;
}

interface DeliveryRow {
  readonly webhook_id: number;
  readonly delivery_id: string;
  readonly event: string;
  readonly payload: string;
  readonly created_at: string;
}

/** Writes deliveries of several dispatches, each row with its payload. */
async function insertRows(
  tables: Tables,
  dialect: WebhookDialect,
  rows: readonly DeliveryRow[],
  isCounted: boolean,
): Promise<void> {
  const deliveries = dialect.rowsOf(rows, 'delivery', {
    webhook_id: 'integer',
    delivery_id: 'text',
    event: 'text',
    payload: 'text',
    created_at: 'text',
  });
  // In this process each dispatch has its own time; elsewhere the database's clock decides.
  const due = dialect.isEmbedded ? sql`created_at` : dialect.timestamp(Date.now());
  await insertColumns(tables)
    .expression(
      sql`select webhook_id, delivery_id, event, payload, created_at, ${due}, ${due}, ${counted(isCounted)} from ${deliveries}`,
    )
    .execute();
}

/** Writes the deliveries of one dispatch, with its payload once per statement. */
async function insertShared(
  tables: Tables,
  dialect: WebhookDialect,
  { event, payload, createdAt }: DispatchRecord,
  deliveries: readonly InsertedDelivery[],
  isCounted: boolean,
): Promise<void> {
  const maxRows = rowsPerStatement(payload);
  const due = dialect.timestamp(Date.parse(createdAt));
  for (let start = 0; start < deliveries.length; start += maxRows) {
    // Without this, a large fan-out would block the rest of the process.
    if (start > 0) await nextTurn();
    const rows = deliveries
      .slice(start, start + maxRows)
      .map(({ webhookId, deliveryId }) => ({ webhook_id: webhookId, delivery_id: deliveryId }));
    const targets = dialect.rowsOf(rows, 'target', { webhook_id: 'integer', delivery_id: 'text' });
    await insertColumns(tables)
      .expression(
        sql`select webhook_id, delivery_id, ${event}, ${payload}, ${createdAt},
          ${due}, ${due}, ${counted(isCounted)} from ${targets}`,
      )
      .execute();
  }
}

function insertColumns(tables: Tables) {
  return tables
    .insertInto('webhook_deliveries')
    .columns([
      'webhook_id',
      'delivery_id',
      'event',
      'payload',
      'created_at',
      'next_attempt_at',
      'priority_at',
      'is_counted',
    ]);
}

function counted(isCounted: boolean) {
  return sql.lit(isCounted ? 1 : 0);
}

/** Finds the active webhooks of each dispatch, in ascending order of id. */
async function findSubscribers(
  tables: Tables,
  dispatches: readonly DispatchRecord[],
  lock: RawBuilder<unknown>,
): Promise<number[][]> {
  const patterns = new Set(dispatches.flatMap(({ target }) => ('patterns' in target ? target.patterns : [])));
  const byPattern = await webhooksByPattern(tables, [...patterns]);
  const candidates = new Map<string, number[]>();
  const names = dispatches.map(({ target }) => {
    const name = JSON.stringify(target);
    // Most dispatches of a group are of few events, each with the same subscribers.
    if (!candidates.has(name)) candidates.set(name, candidatesOf(target, byPattern));
    return name;
  });
  const ids = [...new Set([...candidates.values()].flat())];
  const active = await keepActive(tables, ids, lock);
  const subscribers = new Map(
    [...candidates].map(([name, ids]) => [name, ids.filter((id) => active.has(id)).sort((a, b) => a - b)]),
  );
  return names.map((name) => subscribers.get(name) ?? []);
}

function candidatesOf(
  target: DispatchRecord['target'],
  byPattern: ReadonlyMap<string, readonly number[]>,
): number[] {
  if ('webhookId' in target) return [target.webhookId];
  return [...new Set(target.patterns.flatMap((pattern) => byPattern.get(pattern) ?? []))];
}

async function webhooksByPattern(
  tables: Tables,
  patterns: readonly string[],
): Promise<ReadonlyMap<string, number[]>> {
  const found = new Map<string, number[]>();
  for (let start = 0; start < patterns.length; start += MAX_LOOKED_UP) {
    const rows = await tables
      .selectFrom('webhook_patterns')
      .select(['pattern', 'webhook_id'])
      .where('pattern', 'in', patterns.slice(start, start + MAX_LOOKED_UP))
      .execute();
    for (const { pattern, webhook_id } of rows) {
      const ids = found.get(pattern);
      if (ids === undefined) found.set(pattern, [Number(webhook_id)]);
      else ids.push(Number(webhook_id));
    }
  }
  return found;
}

async function keepActive(
  tables: Tables,
  ids: number[],
  lock: RawBuilder<unknown>,
): Promise<ReadonlySet<number>> {
  const active = new Set<number>();
  ids.sort((a, b) => a - b);
  for (let start = 0; start < ids.length; start += MAX_LOOKED_UP) {
    const rows = await tables
      .selectFrom('webhooks')
      .select('id')
      .where('id', 'in', ids.slice(start, start + MAX_LOOKED_UP))
      .where('is_active', '=', 1)
      .orderBy('id')
      .modifyEnd(lock)
      .execute();
    for (const { id } of rows) active.add(Number(id));
  }
  return active;
}
