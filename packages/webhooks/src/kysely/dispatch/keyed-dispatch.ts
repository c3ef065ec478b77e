import { generateDispatchId } from '../../storage/delivery-ids.ts';
import type { DispatchRecord } from '../../storage/delivery-requests.ts';
import type { IdempotencyKeyTable } from '../tables.ts';

/** A dispatch that has an id. */
export type DispatchWithId = DispatchRecord & { readonly id: string };

/** One that has an idempotency key, too. */
export type KeyedDispatch = DispatchWithId & { readonly idempotencyKey: string };

/** The dispatch with an id: its own, or a new one. */
export function withDispatchId(dispatch: DispatchRecord): DispatchWithId {
  return { ...dispatch, id: dispatch.id ?? generateDispatchId() };
}

export function isKeyed(dispatch: DispatchWithId): dispatch is KeyedDispatch {
  return dispatch.idempotencyKey !== undefined;
}

/** What a key is unique by. */
export type KeyName = Pick<IdempotencyKeyTable, 'tenant' | 'event' | 'key'>;

/** Unambiguous: a tenant has no line break, and an event's name no space. */
function keyNameOf({ tenant, event, key }: KeyName): string {
  return `${tenant}\n${event} ${key}`;
}

/** The dispatches without those whose key another one before them brings. */
export function firstOfEachKey(dispatches: readonly DispatchWithId[]): DispatchWithId[] {
  const seen = new Set<string>();
  return dispatches.filter((dispatch) => {
    if (!isKeyed(dispatch)) return true;
    const { tenant = '', event, idempotencyKey: key } = dispatch;
    const name = keyNameOf({ tenant, event, key });
    return seen.size < seen.add(name).size;
  });
}

/**
 * The rows of the keys, in the same order in every process: two that bring the same keys wait for
 * one another in one direction.
 */
export function keysInOrder(dispatches: readonly KeyedDispatch[]): IdempotencyKeyTable[] {
  return dispatches
    .map(({ tenant = '', event, idempotencyKey: key, createdAt, id }) => ({
      tenant,
      event,
      key,
      created_at: createdAt,
      dispatch_id: id,
    }))
    .sort((a, b) => (keyNameOf(a) < keyNameOf(b) ? -1 : 1));
}
