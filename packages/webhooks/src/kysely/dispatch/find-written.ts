import { deliveryIdRange, dispatchPrefixOf } from '../../storage/delivery-ids.ts';
import type { Tables } from '../tables.ts';
import { OF_NO_REMOVED_WEBHOOK } from '../webhooks/removed-webhooks.ts';
import { areKeys } from './idempotency-keys.ts';
import { type DispatchWithId, isKeyed, keysInOrder } from './keyed-dispatch.ts';

/** The most dispatches that one statement looks for. */
const MAX_PER_STATEMENT = 100;

/**
 * Reads what is written of these dispatches: by their ids the deliveries that are still there, in
 * ascending order of webhook, whatever became of them since. A dispatch whose key another one
 * brought is left out.
 */
export async function findWritten(
  tables: Tables,
  dispatches: readonly DispatchWithId[],
): Promise<ReadonlyMap<DispatchWithId, readonly string[]>> {
  const written = new Map<DispatchWithId, readonly string[]>();
  for (let start = 0; start < dispatches.length; start += MAX_PER_STATEMENT) {
    const some = dispatches.slice(start, start + MAX_PER_STATEMENT);
    const deliveries = await findDeliveries(tables, some);
    const owners = await findKeyOwners(tables, some);
    for (const dispatch of some) {
      const ids = deliveries.get(dispatch) ?? [];
      const isOwn = !isKeyed(dispatch) || owners.has(dispatch.id);
      if (ids.length > 0 || isOwn) written.set(dispatch, ids);
    }
  }
  return written;
}

async function findDeliveries(
  tables: Tables,
  dispatches: readonly DispatchWithId[],
): Promise<ReadonlyMap<DispatchWithId, readonly string[]>> {
  const ranges = dispatches.map((dispatch) => ({ dispatch, range: deliveryIdRange(dispatch.id) }));
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select('delivery_id')
    .where((either) => either.or(ranges.map(({ range }) => either.between('delivery_id', ...range))))
    .where(OF_NO_REMOVED_WEBHOOK)
    .orderBy('webhook_id')
    .execute();
  return groupByDispatch(
    dispatches,
    rows.map(({ delivery_id }) => delivery_id),
  );
}

/** The ids of deliveries by their dispatch, in the given order: both begin alike. */
export function groupByDispatch(
  dispatches: readonly DispatchWithId[],
  deliveryIds: readonly string[],
): ReadonlyMap<DispatchWithId, readonly string[]> {
  const byPrefix = new Map<string, string[]>();
  for (const deliveryId of deliveryIds) {
    const ids = byPrefix.get(dispatchPrefixOf(deliveryId));
    if (ids === undefined) byPrefix.set(dispatchPrefixOf(deliveryId), [deliveryId]);
    else ids.push(deliveryId);
  }
  return new Map(
    dispatches.flatMap((dispatch) => {
      const ids = byPrefix.get(dispatchPrefixOf(dispatch.id));
      return ids === undefined ? [] : [[dispatch, ids]];
    }),
  );
}

/** The dispatches that brought the keys of these. */
async function findKeyOwners(
  tables: Tables,
  dispatches: readonly DispatchWithId[],
): Promise<ReadonlySet<string>> {
  const keys = keysInOrder(dispatches.filter(isKeyed));
  if (keys.length === 0) return new Set();
  const rows = await tables
    .selectFrom('webhook_idempotency_keys')
    .select('dispatch_id')
    .where(areKeys(keys))
    .execute();
  return new Set(rows.map(({ dispatch_id }) => dispatch_id));
}
