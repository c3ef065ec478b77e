import type { DispatchReceipt, DispatchRecord } from '../storage/delivery-requests.ts';
import { rowsPerStatement } from './inserted-delivery.ts';
import type { TableAccess } from './table-access.ts';

/** Up to so many subscribers, what a dispatch costs is its round trips. */
const MAX_DELIVERIES_ALONE = 32;

/**
 * Writes a group that is one dispatch without a key, where the database can do so without a transaction around it.
 *
 * @returns undefined where nothing was written: a transaction is needed
 */
export async function dispatchAlone(
  { dialect, writeAlone }: Pick<TableAccess, 'dialect' | 'writeAlone'>,
  dispatches: readonly DispatchRecord[],
): Promise<DispatchReceipt[] | undefined> {
  const [dispatch] = dispatches;
  const { insertAlone } = dialect;
  if (insertAlone === undefined || dispatch === undefined || dispatches.length > 1) return undefined;
  const { payload, target, idempotencyKey } = dispatch;
  // An empty list is no SQL.
  const hasTarget = 'webhookId' in target || target.patterns.length > 0;
  if (idempotencyKey !== undefined || !hasTarget) return undefined;
  const maxDeliveries = Math.min(MAX_DELIVERIES_ALONE, rowsPerStatement(payload));
  const deliveryIds = await writeAlone((connection) => insertAlone(connection, dispatch, maxDeliveries));
  return deliveryIds && [{ deliveryIds, repeated: false }];
}
