import { deliveryIdRange, dispatchPrefixOf } from '../../storage/delivery-ids.ts';
import type { Tables } from '../tables.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';
import { type DispatchWithId, isKeyed, keyNameOf } from './keyed-dispatch.ts';

/** The most dispatches that one statement looks for. */
const MAX_PER_STATEMENT = 100;

/** What is written of some dispatches. */
export interface WrittenDispatches {
  /**
   * For each dispatch with deliveries that are still there, their ids in ascending order of
   * webhook.
   */
  readonly deliveryIds: ReadonlyMap<DispatchWithId, readonly string[]>;
  /** The id of the dispatch that brought the key of each, where there is one. */
  readonly keyOwners: ReadonlyMap<DispatchWithId, string>;
}

/**
 * Reads what is written of these dispatches: deliveries by their ids, whatever became of them
 * since.
 */
export async function findWritten(
  tables: Tables,
  dispatches: readonly DispatchWithId[],
): Promise<WrittenDispatches> {
  const deliveryIds = new Map<DispatchWithId, readonly string[]>();
  const keyOwners = new Map<DispatchWithId, string>();
  for (let start = 0; start < dispatches.length; start += MAX_PER_STATEMENT) {
    const some = dispatches.slice(start, start + MAX_PER_STATEMENT);
    for (const [dispatch, ids] of await findDeliveries(tables, some)) deliveryIds.set(dispatch, ids);
    for (const [dispatch, owner] of await findKeyOwners(tables, some)) keyOwners.set(dispatch, owner);
  }
  return { deliveryIds, keyOwners };
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
    .where('webhook_id', 'not in', removedWebhooks(tables))
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

async function findKeyOwners(
  tables: Tables,
  dispatches: readonly DispatchWithId[],
): Promise<ReadonlyMap<DispatchWithId, string>> {
  const keyed = dispatches.filter(isKeyed);
  if (keyed.length === 0) return new Map();
  const rows = await tables
    .selectFrom('webhook_idempotency_keys')
    .select(['event', 'key', 'dispatch_id'])
    .where((either) => either.or(keyed.map(({ event, idempotencyKey: key }) => either.and({ event, key }))))
    .execute();
  const owners = new Map(rows.map((row) => [keyNameOf(row), row.dispatch_id]));
  return new Map(
    keyed.flatMap((dispatch) => {
      const owner = owners.get(keyNameOf({ event: dispatch.event, key: dispatch.idempotencyKey }));
      return owner === undefined ? [] : [[dispatch, owner]];
    }),
  );
}
