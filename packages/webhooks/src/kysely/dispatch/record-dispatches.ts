import type { DispatchReceipt, DispatchRecord } from '../../storage/delivery-requests.ts';
import { countChanges, type StatusChange } from '../counters/count-changes.ts';
import type { IdempotencyKeyTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { type DispatchWithId, withDispatchId } from './dispatch-with-id.ts';
import { findEarlierTries } from './find-earlier-tries.ts';
import { insertByRows } from './insert-by-rows.ts';
import { insertBySelect } from './insert-by-select.ts';
import type { InsertedDelivery } from './inserted-delivery.ts';

interface DispatchContext {
  /** The transaction is the host's, who decides how long it waits for locks. */
  readonly isHostTransaction: boolean;
  /**
   * How long to wait for keys that other transactions are writing. Default: as long as the database
   * allows.
   */
  readonly maxWaitMs?: number | undefined;
}

/** The errors with which writing keys has failed. */
const keyErrors = new WeakSet<object>();

/** Whether the error occurred while keys were written. */
export function isKeyError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && keyErrors.has(error);
}

/** Writes the dispatches in their order; the caller's transaction makes it all or nothing. */
export async function recordDispatches(
  tables: Tables,
  dialect: WebhookDialect,
  records: readonly DispatchRecord[],
  { isHostTransaction, maxWaitMs }: DispatchContext,
): Promise<DispatchReceipt[]> {
  const isCounted = dialect.isEmbedded || !isHostTransaction;
  const dispatches = records.map(withDispatchId);
  const known = await findKnown(tables, dialect, dispatches, maxWaitMs);
  const fresh = dispatches.filter((dispatch) => !known.has(dispatch));
  const [single, ...others] = fresh;
  const written =
    dialect.isEmbedded && single !== undefined && others.length === 0
      ? [await insertBySelect(tables, dialect, single)]
      : await insertByRows(tables, dialect, fresh, { isCounted, isHostTransaction });
  if (isCounted) await countChanges(tables, dialect, additionsOf(fresh, written));
  const deliveries = written.values();
  return dispatches.map(
    (dispatch) =>
      known.get(dispatch) ?? {
        deliveryIds: (deliveries.next().value ?? []).map(({ deliveryId }) => deliveryId),
        repeated: false,
      },
  );
}

/** Writes the keys, and returns the receipts of dispatches for which nothing is to be written. */
async function findKnown(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchWithId[],
  maxWaitMs: number | undefined,
): Promise<ReadonlyMap<DispatchWithId, DispatchReceipt>> {
  const known = new Map<DispatchWithId, DispatchReceipt>();
  for (const dispatch of await insertKeys(tables, dialect, dispatches, maxWaitMs)) {
    known.set(dispatch, { deliveryIds: [], repeated: true });
  }
  // After the keys: a transaction that waited for one sees what was committed with it.
  const retries = dispatches.filter(({ isRetry }) => isRetry === true);
  if (retries.length === 0) return known;
  const { deliveryIds, keyOwners } = await findEarlierTries(tables, retries);
  for (const dispatch of retries) {
    const ids = deliveryIds.get(dispatch);
    const isWritten = ids !== undefined || (known.has(dispatch) && keyOwners.has(dispatch));
    if (isWritten) known.set(dispatch, { deliveryIds: ids ?? [], repeated: false });
  }
  return known;
}

/**
 * Writes the keys, each for the first dispatch that brings it, and returns the dispatches whose key
 * existed.
 */
async function insertKeys(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchWithId[],
  maxWaitMs: number | undefined,
): Promise<readonly DispatchWithId[]> {
  const keys = new Map<string, IdempotencyKeyTable>();
  for (const { event, idempotencyKey: key, createdAt: created_at, id: dispatch_id } of dispatches) {
    if (key === undefined) continue;
    const name = nameOf({ event, key });
    if (!keys.has(name)) keys.set(name, { event, key, created_at, dispatch_id });
  }
  if (keys.size === 0) return [];
  // In the same order in every process: two that bring the same keys wait for one another in one
  // direction.
  const inOrder = [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
  const written = await dialect.insertKeys(tables, inOrder, maxWaitMs).catch((error: unknown) => {
    if (error instanceof Object) keyErrors.add(error);
    throw error;
  });
  const inserted = new Set(written.map(nameOf));
  return dispatches.filter(
    ({ event, idempotencyKey: key }) => key !== undefined && !inserted.delete(nameOf({ event, key })),
  );
}

/** Unambiguous: an event's name has no space. */
function nameOf({ event, key }: Pick<IdempotencyKeyTable, 'event' | 'key'>): string {
  return `${event} ${key}`;
}

function additionsOf(
  dispatches: readonly DispatchRecord[],
  written: readonly (readonly InsertedDelivery[])[],
): StatusChange[] {
  return dispatches.flatMap(({ createdAt }, i) =>
    (written[i] ?? []).map(({ webhookId }) => ({ webhookId, createdAt, to: 'pending' as const })),
  );
}
