import type { ExpressionBuilder, Transaction } from 'kysely';
import { withDeadline } from '../../../../toolkit/src/deadline.ts';
import type { SqlTransaction } from '../../../../toolkit/src/transactions/sql-transaction.ts';
import type { DispatchReceipt } from '../../storage/delivery-requests.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Tables, WebhookTables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { findWritten, groupByDispatch } from './find-written.ts';
import { insertBatches, planBatches } from './insert-by-rows.ts';
import { canSelect, insertBySelect } from './insert-by-select.ts';
import {
  type DispatchWithId,
  firstOfEachKey,
  isKeyed,
  type KeyedDispatch,
  keysInOrder,
  withDispatchId,
} from './keyed-dispatch.ts';

/** By dispatch the ids of its deliveries, without those that are repeated. */
type Written = ReadonlyMap<DispatchWithId, readonly string[]>;

/** Writes dispatches: on the host's transaction, or by itself. */
export function createDispatching<DB>(
  access: DatabaseAccess,
): WebhookStorage<Transaction<DB> | SqlTransaction>['recordDispatches'] {
  return async (records, transaction) => {
    if (records.length === 0) return [];
    const dispatches = records.map(withDispatchId);
    const first = firstOfEachKey(dispatches);
    const written =
      transaction === undefined
        ? await writeAlone(access, first)
        : await writeForHost(access, transaction, first);
    return dispatches.map((dispatch) => receiptOf(dispatch, written));
  };
}

function receiptOf(dispatch: DispatchWithId, written: Written | undefined): DispatchReceipt {
  if (written === undefined) return { outcome: 'blocked', deliveryIds: [] };
  const deliveryIds = written.get(dispatch);
  return deliveryIds === undefined
    ? { outcome: 'repeated', deliveryIds: [] }
    : { outcome: 'written', deliveryIds };
}

/** @returns undefined if another transaction holds one of the keys */
async function writeAlone(
  { dialect, run, write }: DatabaseAccess,
  dispatches: readonly DispatchWithId[],
): Promise<Written | undefined> {
  const isRetry = dispatches.some((dispatch) => dispatch.isRetry === true);
  const keyed = dispatches.filter(isKeyed);
  const isMixed = keyed.length > 0 && keyed.length < dispatches.length;
  // A transaction of SQLite's takes less than a statement that writes two tables could.
  if (canSelect(dialect, dispatches) && !isMixed && (keyed.length === 0 || !dialect.isInProcess)) {
    const ids = await run<readonly string[] | 'blocked' | undefined>(
      (tables) => insertBySelect(tables, dialect, dispatches, { isRetry }, keyed),
      keyed.length > 0 ? { ifLocked: () => 'blocked' } : {},
    );
    if (ids === 'blocked') return undefined;
    if (ids !== undefined) return run((tables) => settle(tables, dispatches, ids, isRetry));
  }
  if (keyed.length > 0) {
    const own = { isRetry, isHost: false };
    return write<Written | undefined>((tables) => writeInTransaction(tables, dialect, dispatches, own), {
      ifLocked: () => undefined,
    });
  }
  const batches = await run((tables) => planBatches(tables, dispatches));
  const inserting = batches.length > 1 ? write : run;
  const ids = await inserting((tables) => insertBatches(tables, dialect, batches, { isRetry }));
  return run((tables) => settle(tables, dispatches, ids, isRetry));
}

/**
 * How long a dispatch that fails waits for the withdrawal of its keys. A pool may be exhausted by
 * hosts' transactions that wait here.
 */
const MAX_WITHDRAWAL_MS = 1_000;

/** Writes in a transaction of the host's, who decides how long it waits for locks. */
async function writeForHost(
  { dialect, run, within }: DatabaseAccess,
  transaction: object,
  dispatches: readonly DispatchWithId[],
): Promise<Written> {
  const isRetry = dispatches.some((dispatch) => dispatch.isRetry === true);
  const host = { isRetry, isHost: true };
  try {
    return await within(transaction, (tables) => writeInTransaction(tables, dialect, dispatches, host));
  } catch (error) {
    const withdrawn = run((tables) => withdrawKeys(tables, dialect, dispatches.filter(isKeyed)));
    // The host holds a connection, and on SQLite the only one.
    await withDeadline(withdrawn, dialect.hasOneWriter ? 0 : MAX_WITHDRAWAL_MS, () => undefined).catch(
      () => undefined,
    );
    throw error;
  }
}

/**
 * Removes the keys of dispatches that failed in a host's transaction, where they are committed all
 * the same: on a database that does not bind writes to a transaction, the key can come just after
 * its end. A repeat with that key would write nothing.
 */
async function withdrawKeys(
  tables: Tables,
  dialect: WebhookDialect,
  keyed: readonly KeyedDispatch[],
): Promise<void> {
  for (const { tenant = '', event, idempotencyKey: key, id } of keyed) {
    const own = { tenant, event, key, dispatch_id: id };
    const from = (either: KeyExpression) => either.and(own);
    const committed = tables.selectFrom('webhook_idempotency_keys').select('key').where(from);
    // A server's delete would wait for the host's transaction where that is still open.
    if (dialect.hasOneWriter || (await committed.execute()).length > 0)
      await tables.deleteFrom('webhook_idempotency_keys').where(from).execute();
  }
}

type KeyExpression = ExpressionBuilder<WebhookTables, 'webhook_idempotency_keys'>;

/** Writes the keys, and then the deliveries of those dispatches whose key is new. */
async function writeInTransaction(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchWithId[],
  { isRetry, isHost }: { readonly isRetry: boolean; readonly isHost: boolean },
): Promise<Written> {
  const keys = keysInOrder(dispatches.filter(isKeyed));
  const fresh = new Set(keys.length === 0 ? [] : await dialect.insertKeys(tables, keys, !isHost));
  const writable = dispatches.filter((dispatch) => !isKeyed(dispatch) || fresh.has(dispatch.id));
  const conditions = { isRetry, ...(isHost && { ownKeys: writable.filter(isKeyed) }) };
  const selected =
    canSelect(dialect, writable) && (await insertBySelect(tables, dialect, writable, conditions));
  const ids =
    selected || (await insertBatches(tables, dialect, await planBatches(tables, writable), conditions));
  return settle(tables, dispatches, ids, isRetry);
}

/** Reads what is there of retries, and of those with a key for which no delivery was written. */
async function settle(
  tables: Tables,
  dispatches: readonly DispatchWithId[],
  ids: readonly string[],
  isRetry: boolean,
): Promise<Written> {
  const inserted = groupByDispatch(dispatches, ids);
  const open = dispatches.filter((one) => isRetry || (isKeyed(one) && !inserted.has(one)));
  const found = await findWritten(tables, open);
  const isOpen = new Set(open);
  const settled = dispatches.filter((one) => !isOpen.has(one));
  return new Map([...found, ...settled.map((one) => [one, inserted.get(one) ?? []] as const)]);
}
