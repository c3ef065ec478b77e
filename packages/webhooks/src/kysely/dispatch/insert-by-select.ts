import { sql } from 'kysely';
import { deliveryIdParts } from '../../storage/delivery-ids.ts';
import { compiledOnce } from '../compiled-statement.ts';
import { nameInSql } from '../names.ts';
import { derived, type Given } from '../places.ts';
import type { IdempotencyKeyTable, Tables } from '../tables.ts';
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
  const longest = Math.max(1, ...dispatches.map(({ payload }) => payload.length));
  const affordable = Math.max(1, Math.floor(MAX_BYTES_PER_STATEMENT / longest));
  const rows = await insert(tables, dialect, {
    ...rowsOf(dispatches),
    payload: dispatches.length === 1 ? dispatches[0]?.payload : undefined,
    maxRows: Math.min(MAX_ROWS_PER_STATEMENT, affordable),
    isRetry,
    ownKeys,
    newKeys,
  });
  if (rows.length === 0 && dialect.isInProcess) return undefined;
  return rows.map(({ delivery_id }) => delivery_id);
}

/** What the statement needs. */
interface Insertion {
  readonly patternRows: readonly (PatternRow & { readonly target: number; readonly dispatches: number })[];
  readonly dispatchRows: readonly DispatchRow[];
  /** Of one dispatch: by itself it is no text within JSON, which would have to be escaped. */
  readonly payload: string | undefined;
  readonly maxRows: number;
  readonly isRetry: boolean;
  readonly ownKeys: readonly KeyedDispatch[];
  readonly newKeys: readonly KeyedDispatch[];
}

const insert = compiledOnce<Insertion, { readonly delivery_id: string }>(
  (tables, dialect, places, { payload, isRetry, ownKeys, newKeys }) => {
    const wanted = dialect.rowsOf(places.patternRows, 'wanted', {
      target: 'integer',
      dispatches: 'integer',
      tenant: 'text',
      pattern: 'text',
    });
    const listed = dialect.rowsOf(places.dispatchRows, 'dispatch', {
      number: 'integer',
      target: 'integer',
      prefix: 'text',
      factor: 'integer',
      shift: 'integer',
      event: 'text',
      payload: 'text',
      created_at: 'text',
    });
    const due = dialect.clock === 'caller' ? sql`dispatch.created_at` : dialect.timestamp(0);
    const written = payload === undefined ? sql`dispatch.payload` : sql`${places.payload}`;
    const conditions = [
      // Where the statement blocks the event loop; on a server it blocks nothing.
      ...(dialect.isInProcess
        ? [sql`coalesce((select sum(dispatches) from subscriber), 0) <= ${places.maxRows}`]
        : []),
      ...(newKeys.length > 0 ? [HAS_NEW_KEY] : []),
      haveTheirKeys(ownKeys),
    ];
    const deliveries = sql`
      select subscriber.webhook_id, ${dialect.selectedDeliveryId}, dispatch.event, ${written},
        dispatch.created_at, ${due}, ${due}
      from ${listed} join subscriber on subscriber.target = dispatch.target
      where ${sql.join(conditions, sql` and `)}
      order by dispatch.number, subscriber.webhook_id`;
    const reading = withSubscribers(tables, dialect, wanted, places.patternRows);
    const keys = derived([places.newKeys], keysInOrder);
    const writer = newKeys.length === 0 ? reading : withNewKeys(reading, dialect, keys);
    const insertion = writer
      .insertInto('webhook_deliveries')
      .columns(DELIVERY_COLUMNS)
      .expression(deliveries);
    return (isRetry ? dialect.ignoringWritten(insertion) : insertion).returning('delivery_id');
  },
  // In a host's transaction each statement has a text of its own, and conditions on its keys.
  ({ payload, isRetry, newKeys }) => `${payload === undefined} ${isRetry} ${newKeys.length > 0}`,
);

const HAS_NEW_KEY = sql`dispatch.prefix in (select substr(new_key.dispatch_id, 1, 24) from new_key)`;

/** A dispatch as a row. */
interface DispatchRow {
  readonly number: number;
  readonly target: number;
  readonly prefix: string;
  readonly factor: number;
  readonly shift: number;
  readonly event: string;
  /** Empty where there is but one. */
  readonly payload: string;
  readonly created_at: string;
}

/**
 * The dispatches as rows, and the patterns of their targets: most dispatches of a group share one.
 */
function rowsOf(dispatches: readonly DispatchWithId[]) {
  const targets = new Map<string, { readonly rows: readonly PatternRow[]; dispatches: number }>();
  const numbers = new Map<string, number>();
  const dispatchRows = dispatches.map((dispatch, number): DispatchRow => {
    const { event, createdAt, target } = dispatch;
    const payload = dispatches.length === 1 ? '' : dispatch.payload;
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
  rows: Given<readonly PatternRow[]>,
) {
  const found = sql`${nameInSql('webhook_patterns')} as found
    on found.tenant = wanted.tenant and found.pattern = wanted.pattern`;
  // PostgreSQL estimates by values that the statement names, and SQLite joins as it is told.
  const listed = (values: Given<readonly string[]>) => sql`any(${derived([values], arrayOf)}::text::text[])`;
  const matching = dialect.joinsAsWritten
    ? sql`cross join ${found}`
    : sql`join ${found} and found.tenant = ${listed(derived([rows], (all) => all.map(({ tenant }) => tenant)))}
        and found.pattern = ${listed(derived([rows], (all) => all.map(({ pattern }) => pattern)))}`;
  return tables.with(
    // Read once, and before what depends on it.
    (part) => part('subscriber').materialized(),
    () => sql<{ target: number }>`(
      select distinct wanted.target, wanted.dispatches, found.webhook_id from ${wanted} ${matching}
      where ${FOUND_IS_ACTIVE})`,
  );
}

/** An array as PostgreSQL writes it. */
function arrayOf(values: readonly string[]): string {
  const members = [...new Set(values)].map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`);
  return `{${members.join(',')}}`;
}

/** Writes the keys in their order. Every process therefore waits for others in that order. */
function withNewKeys(
  reading: ReturnType<typeof withSubscribers>,
  dialect: WebhookDialect,
  rows: Given<readonly IdempotencyKeyTable[]>,
) {
  const keys = dialect.rowsOf(rows, 'listed_key', {
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
