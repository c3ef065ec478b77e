import type { DispatchReceipt, DispatchRecord } from '../storage/delivery-requests.ts';
import { rowsPerStatement } from './inserted-delivery.ts';
import { namedDispatch } from './named-dispatch.ts';
import type { TableAccess } from './table-access.ts';

/** Up to so many subscribers, what a dispatch costs is its round trips. */
const MAX_DELIVERIES_ALONE = 32;
/** How many dispatches of an event go straight to the transaction after one that had too many subscribers. */
const DISPATCHES_PAST_REFUSAL = 31;
/** Events of which that is remembered; the one that was refused first is forgotten first. */
const MAX_REMEMBERED_EVENTS = 1_000;

/**
 * Writes a group that is one dispatch without a key, for the first time, where the database can do so without a transaction around it.
 *
 * Answers undefined where nothing was written: a transaction is needed.
 */
export type DispatchAlone = (
  dispatches: readonly DispatchRecord[],
  isPatient: boolean,
) => Promise<DispatchReceipt[] | undefined>;

export function createDispatchAlone({
  dialect: { insertAlone },
  writeAlone,
  writeAloneOnce,
}: Pick<TableAccess, 'dialect' | 'writeAlone' | 'writeAloneOnce'>): DispatchAlone {
  /** By event: how many more of its dispatches need not try. */
  const refused = new Map<string, number>();

  function isRefused(event: string): boolean {
    const left = refused.get(event) ?? 0;
    if (left > 1) refused.set(event, left - 1);
    else refused.delete(event);
    return left > 0;
  }

  function remember(event: string): void {
    const [oldest] = refused.keys();
    if (refused.size >= MAX_REMEMBERED_EVENTS && oldest !== undefined) refused.delete(oldest);
    refused.set(event, DISPATCHES_PAST_REFUSAL);
  }

  return async (dispatches, isPatient) => {
    const [dispatch] = dispatches;
    if (insertAlone === undefined || dispatch === undefined || dispatches.length > 1) return undefined;
    const { event, payload, target, idempotencyKey, isRetry = false } = dispatch;
    // An empty list is no SQL.
    const hasTarget = 'webhookId' in target || target.patterns.length > 0;
    if (idempotencyKey !== undefined || isRetry || !hasTarget || isRefused(event)) return undefined;
    const maxDeliveries = Math.min(MAX_DELIVERIES_ALONE, rowsPerStatement(payload));
    const named = namedDispatch(dispatch);
    const run = isPatient ? writeAlone : writeAloneOnce;
    const deliveryIds = await run((connection) => insertAlone(connection, named, maxDeliveries));
    if (deliveryIds !== undefined) return [{ deliveryIds, repeated: false }];
    // A payload of megabytes says nothing of the next one's.
    if (maxDeliveries === MAX_DELIVERIES_ALONE) remember(event);
    return undefined;
  };
}
