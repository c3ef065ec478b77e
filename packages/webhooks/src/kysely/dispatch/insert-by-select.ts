import { type RawBuilder, sql } from 'kysely';
import { deliveryIdParts } from '../../storage/delivery-ids.ts';
import { nameInSql } from '../names.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { KEY_WAIT } from './idempotency-keys.ts';
import {
  DELIVERY_COLUMNS,
  haveTheirKeys,
  type InsertConditions,
  MAX_BYTES_PER_STATEMENT,
  MAX_ROWS_PER_STATEMENT,
} from './insert-by-rows.ts';
import { type DispatchWithId, type KeyedDispatch, keysInOrder } from './keyed-dispatch.ts';
import { FOUND_IS_ACTIVE, type PatternRow, patternRowsOf, targetNameOf } from './subscriptions.ts';

/**
 * Whether one statement may write all of it. Elsewhere it would lock the webhooks that it reads, or
 * be too long.
 */
export function canSelect(dialect: WebhookDialect, dispatches: readonly DispatchWithId[]): boolean {
  if (dialect.selectedDeliveryId === undefined) return false;
  const bytes = dispatches.reduce((sum, { payload }) => sum + payload.length, 0);
  return bytes <= MAX_BYTES_PER_STATEMENT && dispatches.every(({ target }) => 'patterns' in target);
}

/**
 * Finds the subscribers of all dispatches and writes their deliveries in one statement.
 *
 * Locks no webhook: a dispatch beside a change of a webhook counts as before it.
 *
 * @param dispatches as {@link canSelect} allows
 * @param newKeys those whose key the same statement writes, before all else; their deliveries are
 *   written if the key is new
 * @returns the ids of the deliveries, in the order of the dispatches and of their webhooks;
 *   undefined if nothing is written because there may be too many
 */
export async function insertBySelect(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchWithId[],
  { isRetry, ownKeys = [] }: InsertConditions,
  newKeys: readonly KeyedDispatch[] = [],
): Promise<string[] | undefined> {
  const { patternRows, dispatchRows } = rowsOf(dispatches);
  const wanted = dialect.rowsOf(patternRows, 'wanted', {
    target: 'integer',
    dispatches: 'integer',
    tenant: 'text',
    pattern: 'text',
  });
  const listed = dialect.rowsOf(dispatchRows, 'dispatch', {
    number: 'integer',
    target: 'integer',
    prefix: 'text',
    factor: 'integer',
    shift: 'integer',
    event: 'text',
    payload: 'text',
    created_at: 'text',
  });
  const due = dialect.clock === 'caller' ? sql`dispatch.created_at` : dialect.timestamp(Date.now());
  const conditions = [
    ...(dialect.isInProcess ? [fits(dispatches)] : []),
    ...(newKeys.length > 0 ? [HAS_NEW_KEY] : []),
    haveTheirKeys(ownKeys),
  ];
  const deliveries = sql`
    select subscriber.webhook_id, ${dialect.selectedDeliveryId}, dispatch.event, dispatch.payload, dispatch.created_at, ${due}, ${due}
    from ${listed} join subscriber on subscriber.target = dispatch.target
    where ${sql.join(conditions, sql` and `)}
    order by dispatch.number, subscriber.webhook_id`;
  const reading = withSubscribers(tables, dialect, wanted, patternRows);
  const writer = newKeys.length === 0 ? reading : withNewKeys(reading, dialect, newKeys);
  const insertion = writer.insertInto('webhook_deliveries').columns(DELIVERY_COLUMNS).expression(deliveries);
  const rows = await (isRetry ? dialect.ignoringWritten(insertion) : insertion)
    .returning('delivery_id')
    .execute();
  if (rows.length === 0 && dialect.isInProcess) return undefined;
  return rows.map(({ delivery_id }) => delivery_id);
}

const HAS_NEW_KEY = sql`dispatch.prefix in (select substr(new_key.dispatch_id, 1, 24) from new_key)`;

/**
 * Whether there are few enough deliveries for one statement, by the longest of the payloads, where
 * it blocks the event loop. On a server it blocks nothing.
 */
function fits(dispatches: readonly DispatchWithId[]): RawBuilder<boolean> {
  const longest = Math.max(1, ...dispatches.map(({ payload }) => payload.length));
  const affordable = Math.max(1, Math.floor(MAX_BYTES_PER_STATEMENT / longest));
  return sql`coalesce((select sum(dispatches) from subscriber), 0) <= ${Math.min(MAX_ROWS_PER_STATEMENT, affordable)}`;
}

/**
 * The dispatches as rows, and the patterns of their targets: most dispatches of a group share one.
 */
function rowsOf(dispatches: readonly DispatchWithId[]) {
  const targets = new Map<string, { readonly rows: readonly PatternRow[]; dispatches: number }>();
  const numbers = new Map<string, number>();
  const dispatchRows = dispatches.map((dispatch, number) => {
    const { event, payload, createdAt, target } = dispatch;
    const rows = 'patterns' in target ? patternRowsOf(target) : [];
    const name = targetNameOf(rows);
    const known = targets.get(name) ?? { rows, dispatches: 0 };
    known.dispatches += 1;
    targets.set(name, known);
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    const { prefix, factor, offset } = deliveryIdParts(dispatch.id);
    return {
      number,
      target: numbers.get(name) ?? 0,
      prefix,
      factor,
      shift: offset,
      event,
      payload,
      created_at: createdAt,
    };
  });
  const patternRows = [...targets.values()].flatMap(({ rows, dispatches }, target) =>
    rows.map((row) => ({ target, dispatches, ...row })),
  );
  return { patternRows, dispatchRows };
}

/**
 * The active webhooks of each target. Webhooks are looked up one by one, and patterns by an index,
 * whatever statistics say: the cost grows with the subscribers, not with the webhooks.
 */
function withSubscribers(
  tables: Tables,
  dialect: WebhookDialect,
  wanted: ReturnType<WebhookDialect['rowsOf']>,
  rows: readonly PatternRow[],
) {
  const found = sql`${nameInSql('webhook_patterns')} as found
    on found.tenant = wanted.tenant and found.pattern = wanted.pattern`;
  // PostgreSQL estimates by values that the statement names, and SQLite joins as it is told.
  const listed = (values: readonly string[]) =>
    values.length === 0 ? sql`null` : sql.join([...new Set(values)]);
  const matching = dialect.joinsAsWritten
    ? sql`cross join ${found}`
    : sql`join ${found} and found.tenant in (${listed(rows.map(({ tenant }) => tenant))})
        and found.pattern in (${listed(rows.map(({ pattern }) => pattern))})`;
  return tables.with(
    // Read once, and before what depends on it.
    (part) => part('subscriber').materialized(),
    () => sql<{ target: number }>`(
      select distinct wanted.target, wanted.dispatches, found.webhook_id from ${wanted} ${matching}
      where ${FOUND_IS_ACTIVE})`,
  );
}

/** Writes the keys in their order. Every process therefore waits for others in that order. */
function withNewKeys(
  reading: ReturnType<typeof withSubscribers>,
  dialect: WebhookDialect,
  keyed: readonly KeyedDispatch[],
) {
  const keys = dialect.rowsOf(keysInOrder(keyed), 'listed_key', {
    tenant: 'text',
    event: 'text',
    key: 'text',
    created_at: 'text',
    dispatch_id: 'text',
  });
  return reading
    .with(
      (part) => part('key_wait').materialized(),
      () => sql<{ now: string }>`(select ${KEY_WAIT} as now)`,
    )
    .with('new_key', (part) =>
      part
        .insertInto('webhook_idempotency_keys')
        .columns(['tenant', 'event', 'key', 'created_at', 'dispatch_id'])
        .expression(
          sql`select tenant, event, key, created_at, dispatch_id from ${keys} cross join key_wait
            where key_wait.now <> '' order by tenant, event, key`,
        )
        .onConflict((conflict) => conflict.columns(['tenant', 'event', 'key']).doNothing())
        .returning('dispatch_id'),
    );
}
