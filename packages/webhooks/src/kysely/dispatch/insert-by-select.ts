import { type RawBuilder, sql } from 'kysely';
import { deliveryIdsOf } from '../../storage/delivery-ids.ts';
import { KEY_WAIT } from '../dialects/insert-idempotency-keys.ts';
import { nameInSql } from '../names.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { DELIVERY_COLUMNS, MAX_BYTES_PER_STATEMENT, MAX_ROWS_PER_STATEMENT } from './insert-by-rows.ts';
import { type DispatchWithId, type KeyedDispatch, keysInOrder } from './keyed-dispatch.ts';

/**
 * Finds the subscribers of all dispatches and writes their deliveries in one statement, and with
 * it, of those with a key, the keys that are new and the deliveries of these alone. Writes nothing
 * where there would be too many deliveries for one statement.
 *
 * Locks no webhook: a dispatch beside a change of a webhook counts as before it.
 *
 * @param dispatches first tries, without targets by id
 * @param keyed those among them that have a key: all or none
 * @returns the ids of the deliveries, in the order of the dispatches and of their webhooks
 */
export async function insertBySelect(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchWithId[],
  keyed: readonly KeyedDispatch[],
): Promise<string[]> {
  const { patternRows, dispatchRows } = rowsOf(dispatches);
  const wanted = dialect.rowsOf(patternRows, 'wanted', {
    target: 'integer',
    dispatches: 'integer',
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
  const fits = sql<boolean>`coalesce((select sum(dispatches) from subscriber), 0) <= ${maxRowsOf(dialect, dispatches)}`;
  const due = dialect.isEmbedded ? sql`dispatch.created_at` : dialect.timestamp(Date.now());
  const deliveries = sql`
    select subscriber.webhook_id, ${dialect.selectedDeliveryId}, dispatch.event, dispatch.payload, dispatch.created_at, ${due}, ${due}
    from ${listed} join subscriber on subscriber.target = dispatch.target
    where ${fits}${keyed.length === 0 ? sql`` : HAS_NEW_KEY}
    order by dispatch.number, subscriber.webhook_id`;
  const patterns = [...new Set(patternRows.map(({ pattern }) => pattern))];
  const reading = withSubscribers(tables, dialect, wanted, patterns);
  const insertion =
    keyed.length === 0
      ? reading.insertInto('webhook_deliveries')
      : withNewKeys(reading, dialect, keyed, fits).insertInto('webhook_deliveries');
  const rows = await insertion
    .columns(DELIVERY_COLUMNS)
    .expression(deliveries)
    .returning('delivery_id')
    .execute();
  return rows.map(({ delivery_id }) => delivery_id);
}

const HAS_NEW_KEY = sql` and dispatch.prefix in (select substr(new_key.dispatch_id, 1, 24) from new_key)`;

/**
 * The most rows that the statement may write, by the longest of the payloads. On a server it blocks
 * no event loop, however many they are.
 */
function maxRowsOf({ isEmbedded }: WebhookDialect, dispatches: readonly DispatchWithId[]): number {
  const longest = Math.max(1, ...dispatches.map(({ payload }) => payload.length));
  const affordable = Math.max(1, Math.floor(MAX_BYTES_PER_STATEMENT / longest));
  return isEmbedded ? Math.min(MAX_ROWS_PER_STATEMENT, affordable) : affordable;
}

/**
 * The dispatches as rows, and the patterns of their targets: most dispatches of a group share one.
 */
function rowsOf(dispatches: readonly DispatchWithId[]) {
  const targets = new Map<string, { readonly patterns: readonly string[]; dispatches: number }>();
  const numbers = new Map<string, number>();
  const dispatchRows = dispatches.map((dispatch, number) => {
    const { event, payload, createdAt, target } = dispatch;
    const patterns = 'patterns' in target ? target.patterns : [];
    const name = patterns.join('\n');
    const known = targets.get(name) ?? { patterns, dispatches: 0 };
    known.dispatches += 1;
    targets.set(name, known);
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    const { prefix, factor, offset } = deliveryIdsOf(dispatch.id);
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
  const patternRows = [...targets.values()].flatMap(({ patterns, dispatches }, target) =>
    patterns.map((pattern) => ({ target, dispatches, pattern })),
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
  patterns: readonly string[],
) {
  const found = sql`${nameInSql('webhook_patterns')} as found on found.pattern = wanted.pattern`;
  // PostgreSQL estimates by values that the statement names, and SQLite joins as it is told.
  const listed = patterns.length === 0 ? sql`null` : sql.join(patterns);
  const matching = dialect.isEmbedded
    ? sql`cross join ${found}`
    : sql`join ${found} and found.pattern in (${listed})`;
  return tables.with(
    // Read once, and before what depends on it.
    (part) => part('subscriber').materialized(),
    () => sql<{ target: number }>`(
      select distinct wanted.target, wanted.dispatches, found.webhook_id from ${wanted} ${matching}
      where (select webhook.is_active from ${nameInSql('webhooks')} as webhook where webhook.id = found.webhook_id) = 1)`,
  );
}

/** Writes the keys in their order, in which so every process waits for others. */
function withNewKeys(
  reading: ReturnType<typeof withSubscribers>,
  dialect: WebhookDialect,
  keyed: readonly KeyedDispatch[],
  fits: RawBuilder<boolean>,
) {
  const keys = dialect.rowsOf(keysInOrder(keyed), 'listed_key', {
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
        .columns(['event', 'key', 'created_at', 'dispatch_id'])
        .expression(
          sql`select event, key, created_at, dispatch_id from ${keys} cross join key_wait
            where ${fits} and key_wait.now <> '' order by event, key`,
        )
        .onConflict((conflict) => conflict.columns(['event', 'key']).doNothing())
        .returning('dispatch_id'),
    );
}
