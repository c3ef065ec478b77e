import type { Kysely, Transaction } from 'kysely';
import type { SqlTransaction } from '../../../../toolkit/src/transactions/sql-transaction.ts';
import type { DispatchReceipt } from '../../storage/delivery-requests.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { findWritten, groupByDispatch, type WrittenDispatches } from './find-written.ts';
import { createHostDispatching } from './host-transaction.ts';
import { insertBatches, MAX_BYTES_PER_STATEMENT, planBatches } from './insert-by-rows.ts';
import { insertBySelect } from './insert-by-select.ts';
import {
  type DispatchWithId,
  firstOfEachKey,
  isKeyed,
  type KeyedDispatch,
  keyNameOf,
  keysInOrder,
  type Receipts,
  withDispatchId,
} from './keyed-dispatch.ts';

/** Writes dispatches: on the host's transaction, or by itself. */
export function createDispatching<DB>(
  db: Kysely<DB>,
  access: DatabaseAccess,
): WebhookStorage<Transaction<DB> | SqlTransaction>['recordDispatches'] {
  const inHostTransaction = createHostDispatching(db, access, writeInTransaction);
  return async (records, transaction) => {
    if (records.length === 0) return [];
    const dispatches = records.map(withDispatchId);
    const deliveryIds =
      transaction === undefined
        ? await writeAlone(access, dispatches)
        : await inHostTransaction(transaction, dispatches);
    return dispatches.map((dispatch) => deliveryIds.get(dispatch) ?? REPEATED);
  };
}

const REPEATED: DispatchReceipt = { outcome: 'repeated', deliveryIds: [] };
const BLOCKED: DispatchReceipt = { outcome: 'blocked', deliveryIds: [] };

async function writeAlone(access: DatabaseAccess, dispatches: readonly DispatchWithId[]): Promise<Receipts> {
  const { dialect, read } = access;
  const isRetry = dispatches.some((dispatch) => dispatch.isRetry === true);
  const first = firstOfEachKey(dispatches);
  const keyed = first.filter(isKeyed);
  try {
    // A transaction of SQLite's takes less than a statement that writes two tables could.
    if (keyed.length > 0 && dialect.isEmbedded) return await writeInOwnTransaction(access, first, isRetry);
    if (canSelect(dialect, first)) {
      const failsWhenLocked = keyed.length > 0;
      const inserted = await read((tables) => insertBySelect(tables, dialect, first, keyed), {
        failsWhenLocked,
      });
      const settled = await settle(access, first, inserted);
      if (settled !== undefined) return settled;
    }
    if (keyed.length > 0) return await writeInOwnTransaction(access, first, isRetry);
    const batches = await read((tables) => planBatches(tables, first));
    const run = batches.length > 1 ? access.write : read;
    await run((tables) => insertBatches(tables, dialect, batches, { isRetry }));
    if (isRetry) return receiptsOf(first, await read((tables) => findWritten(tables, first)));
    return writtenOf(
      first,
      batches.flatMap(({ rows }) => rows.map(({ delivery_id }) => delivery_id)),
    );
  } catch (error) {
    if (keyed.length === 0 || !dialect.isLocked(error)) throw error;
    return new Map(dispatches.map((dispatch) => [dispatch, BLOCKED]));
  }
}

/** Whether one statement may write all of it, so that it is known afterwards whether it has. */
function canSelect(dialect: WebhookDialect, dispatches: readonly DispatchWithId[]): boolean {
  if (dialect.selectedDeliveryId === undefined) return false;
  const bytes = dispatches.reduce((sum, { payload }) => sum + payload.length, 0);
  const isMixed = dispatches.some(isKeyed) && !dispatches.every(isKeyed);
  return (
    bytes <= MAX_BYTES_PER_STATEMENT &&
    !isMixed &&
    dispatches.every(({ target, isRetry }) => 'patterns' in target && isRetry !== true)
  );
}

/**
 * The receipts after {@link insertBySelect}; undefined where that may have written nothing, as the
 * deliveries were too many.
 */
async function settle(
  { read }: DatabaseAccess,
  dispatches: readonly DispatchWithId[],
  inserted: readonly string[],
): Promise<Receipts | undefined> {
  const written = groupByDispatch(dispatches, inserted);
  const open = dispatches.filter((one) => isKeyed(one) && !written.has(one));
  if (open.length === 0) return inserted.length === 0 ? undefined : writtenOf(dispatches, inserted);
  const found = await read((tables) => findWritten(tables, open));
  // Their keys would be there, whoever brought them.
  if (open.some((one) => !found.keyOwners.has(one))) return undefined;
  const settled = dispatches.filter((one) => written.has(one));
  return new Map([...writtenOf(settled, inserted), ...receiptsOf(open, found)]);
}

function writtenOf(dispatches: readonly DispatchWithId[], deliveryIds: readonly string[]): Receipts {
  const written = groupByDispatch(dispatches, deliveryIds);
  return new Map(
    dispatches.map((one) => [one, { outcome: 'written', deliveryIds: written.get(one) ?? [] } as const]),
  );
}

/** The receipts by what is there: a key that another dispatch brought makes this one a repeat. */
function receiptsOf(
  dispatches: readonly DispatchWithId[],
  { deliveryIds, keyOwners }: WrittenDispatches,
): Receipts {
  const isWritten = (one: DispatchWithId) =>
    deliveryIds.has(one) || !isKeyed(one) || keyOwners.get(one) === one.id;
  return new Map(
    dispatches
      .filter(isWritten)
      .map((one) => [one, { outcome: 'written', deliveryIds: deliveryIds.get(one) ?? [] } as const]),
  );
}

function writeInOwnTransaction(
  { dialect, write }: DatabaseAccess,
  dispatches: readonly DispatchWithId[],
  isRetry: boolean,
): Promise<Receipts> {
  const options = { isRetry, failsWhenLocked: true };
  return write((tables) => writeInTransaction(tables, dialect, dispatches, options), options);
}

/** Writes the keys, and then the deliveries of those dispatches whose key is new. */
async function writeInTransaction(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchWithId[],
  { isRetry, failsWhenLocked }: { readonly isRetry: boolean; readonly failsWhenLocked: boolean },
): Promise<Receipts> {
  const keyed = dispatches.filter(isKeyed);
  const known = await withKnownKey(tables, dialect, keyed, failsWhenLocked);
  const fresh = dispatches.filter((dispatch) => !known.has(dispatch));
  const written = await insertFresh(tables, dialect, fresh, isRetry);
  if (!isRetry) return writtenOf(fresh, written);
  return receiptsOf(dispatches, await findWritten(tables, dispatches));
}

async function insertFresh(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchWithId[],
  isRetry: boolean,
): Promise<readonly string[]> {
  if (dispatches.length === 0) return [];
  if (canSelect(dialect, dispatches)) {
    const inserted = await insertBySelect(tables, dialect, dispatches, []);
    if (inserted.length > 0) return inserted;
  }
  const batches = await planBatches(tables, dispatches);
  await insertBatches(tables, dialect, batches, { isRetry });
  return batches.flatMap(({ rows }) => rows.map(({ delivery_id }) => delivery_id));
}

/** Writes the keys, and returns the dispatches whose key another one brought before. */
async function withKnownKey(
  tables: Tables,
  dialect: WebhookDialect,
  keyed: readonly KeyedDispatch[],
  failsWhenLocked: boolean,
): Promise<ReadonlySet<DispatchWithId>> {
  if (keyed.length === 0) return new Set();
  const written = await dialect.insertKeys(tables, keysInOrder(keyed), failsWhenLocked);
  const isNew = new Set(written.map(keyNameOf));
  return new Set(keyed.filter(({ event, idempotencyKey: key }) => !isNew.has(keyNameOf({ event, key }))));
}
