import { deliveryIdRange } from '../../storage/delivery-ids.ts';
import type { Tables } from '../tables.ts';
import { removedWebhooks } from '../webhooks/removed-webhooks.ts';
import type { DispatchWithId } from './dispatch-with-id.ts';

/** The most dispatches that one statement looks for. */
const MAX_PER_STATEMENT = 100;

/** What earlier tries have written. A dispatch is written whole or not at all. */
export interface EarlierTries {
  /**
   * For each dispatch with deliveries that were written and are still there, their ids in ascending
   * order of webhook.
   */
  readonly deliveryIds: ReadonlyMap<DispatchWithId, readonly string[]>;
  /** The dispatches that brought the row of their key. */
  readonly keyOwners: ReadonlySet<DispatchWithId>;
}

/**
 * Finds what earlier tries of these dispatches have written: deliveries by their ids, whatever
 * became of them since.
 */
export async function findEarlierTries(
  tables: Tables,
  dispatches: readonly DispatchWithId[],
): Promise<EarlierTries> {
  const deliveryIds = new Map<DispatchWithId, readonly string[]>();
  const keyOwners = new Set<DispatchWithId>();
  for (let start = 0; start < dispatches.length; start += MAX_PER_STATEMENT) {
    const some = dispatches.slice(start, start + MAX_PER_STATEMENT);
    for (const [dispatch, ids] of await findDeliveries(tables, some)) deliveryIds.set(dispatch, ids);
    for (const dispatch of await findKeyOwners(tables, some)) keyOwners.add(dispatch);
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
  const found = new Map<DispatchWithId, string[]>();
  for (const { delivery_id } of rows) {
    const owner = ranges.find(({ range: [first, last] }) => delivery_id >= first && delivery_id <= last);
    if (owner === undefined) continue;
    const ids = found.get(owner.dispatch);
    if (ids === undefined) found.set(owner.dispatch, [delivery_id]);
    else ids.push(delivery_id);
  }
  return found;
}

async function findKeyOwners(
  tables: Tables,
  dispatches: readonly DispatchWithId[],
): Promise<readonly DispatchWithId[]> {
  const keyed = dispatches.flatMap(({ event, idempotencyKey: key, id: dispatch_id }) =>
    key === undefined ? [] : [{ event, key, dispatch_id }],
  );
  if (keyed.length === 0) return [];
  const rows = await tables
    .selectFrom('webhook_idempotency_keys')
    .select('dispatch_id')
    .where((either) => either.or(keyed.map((key) => either.and(key))))
    .execute();
  const owners = new Set(rows.map(({ dispatch_id }) => dispatch_id));
  return dispatches.filter(({ id }) => owners.has(id));
}
