import type { DispatchReceipt, DispatchRecord } from '../../storage/delivery-requests.ts';
import { countChanges, type StatusChange } from '../counters/count-changes.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { IdempotencyKeyTable, Tables } from '../tables.ts';
import { insertByRows } from './insert-by-rows.ts';
import { insertBySelect } from './insert-by-select.ts';
import type { InsertedDelivery } from './inserted-delivery.ts';
import { type NamedDispatch, namedDispatch } from './named-dispatch.ts';
import { findWrittenBefore } from './written-before.ts';

interface DispatchContext {
  /** The transaction is the host's, who says how long it waits for locks. */
  readonly isHosts: boolean;
  /** How long to wait for keys that others are writing. Default: as long as the database lets. */
  readonly maxWaitMs?: number | undefined;
}

/** What writing keys has failed with. */
const errorsOfKeys = new WeakSet<object>();

/** Whether it was keys that could not be written, whatever the reason. */
export function isOfKeys(error: unknown): boolean {
  return typeof error === 'object' && error !== null && errorsOfKeys.has(error);
}

/** Writes the dispatches in their order; the caller's transaction makes it all or nothing. */
export async function recordDispatches(
  tables: Tables,
  dialect: WebhookDialect,
  records: readonly DispatchRecord[],
  { isHosts, maxWaitMs }: DispatchContext,
): Promise<DispatchReceipt[]> {
  const isCounted = dialect.isEmbedded || !isHosts;
  const dispatches = records.map(namedDispatch);
  const known = await findKnown(tables, dialect, dispatches, maxWaitMs);
  const fresh = dispatches.filter((dispatch) => !known.has(dispatch));
  const [single, ...others] = fresh;
  const written =
    dialect.isEmbedded && single !== undefined && others.length === 0
      ? [await insertBySelect(tables, dialect, single)]
      : await insertByRows(tables, dialect, fresh, { isCounted, isHosts });
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

/** Writes the keys, and answers the receipts of dispatches of which nothing is to be written. */
async function findKnown(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly NamedDispatch[],
  maxWaitMs: number | undefined,
): Promise<ReadonlyMap<NamedDispatch, DispatchReceipt>> {
  const known = new Map<NamedDispatch, DispatchReceipt>();
  for (const dispatch of await insertKeys(tables, dialect, dispatches, maxWaitMs)) {
    known.set(dispatch, { deliveryIds: [], repeated: true });
  }
  // After the keys: whoever waited for one sees what was committed with it.
  const retries = dispatches.filter(({ isRetry }) => isRetry === true);
  if (retries.length === 0) return known;
  const { deliveryIds, keyOwners } = await findWrittenBefore(tables, retries);
  for (const dispatch of retries) {
    const ids = deliveryIds.get(dispatch);
    const isWritten = ids !== undefined || (known.has(dispatch) && keyOwners.has(dispatch));
    if (isWritten) known.set(dispatch, { deliveryIds: ids ?? [], repeated: false });
  }
  return known;
}

/** Writes the keys, each for the first dispatch that brings it, and answers the dispatches whose key was there. */
async function insertKeys(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly NamedDispatch[],
  maxWaitMs: number | undefined,
): Promise<readonly NamedDispatch[]> {
  const keys = new Map<string, IdempotencyKeyTable>();
  for (const { event, idempotencyKey: key, createdAt: created_at, id: dispatch_id } of dispatches) {
    if (key === undefined) continue;
    const name = nameOf({ event, key });
    if (!keys.has(name)) keys.set(name, { event, key, created_at, dispatch_id });
  }
  if (keys.size === 0) return [];
  // In one order in every process: two that bring the same keys wait for one another in one direction.
  const inOrder = [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
  const written = await dialect.insertKeys(tables, inOrder, maxWaitMs).catch((error: unknown) => {
    if (error instanceof Object) errorsOfKeys.add(error);
    throw error;
  });
  const inserted = new Set(written.map(nameOf));
  return dispatches.filter(
    ({ event, idempotencyKey: key }) => key !== undefined && !inserted.delete(nameOf({ event, key })),
  );
}

/** An event's name has no space. */
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
