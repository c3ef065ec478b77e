import type { DispatchReceipt, DispatchRecord } from '../storage/delivery-requests.ts';
import { countChanges, type StatusChange } from './activity.ts';
import type { WebhookDialect } from './dialect.ts';
import { insertByRows } from './insert-by-rows.ts';
import { insertBySelect } from './insert-by-select.ts';
import type { InsertedDelivery } from './inserted-delivery.ts';
import type { Tables } from './tables.ts';

/**
 * Writes the dispatches in their order; the caller's transaction makes it all or nothing.
 *
 * @param isHosts the transaction is the host's, who may keep it open for long: on a database where others write at the same
 *   time it locks no counters, and the deliveries are counted when they are claimed
 */
export async function recordDispatches(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchRecord[],
  isHosts: boolean,
): Promise<DispatchReceipt[]> {
  const isCounted = dialect.isEmbedded || !isHosts;
  const fresh: DispatchRecord[] = [];
  const isRepeated: boolean[] = [];
  for (const dispatch of dispatches) {
    const repeated = dispatch.idempotencyKey !== undefined && !(await claimKey(tables, dialect, dispatch));
    isRepeated.push(repeated);
    if (!repeated) fresh.push(dispatch);
  }
  // A dispatch by itself needs one statement instead of three where it is the only writer.
  const insert = dialect.isEmbedded && fresh.length === 1 ? insertBySelect : insertByRows;
  const written = await insert(tables, dialect, fresh, isCounted);
  if (isCounted) await countChanges(tables, dialect, additionsOf(fresh, written));
  const deliveries = written.values();
  return isRepeated.map((repeated) => ({
    deliveryIds: repeated ? [] : (deliveries.next().value ?? []).map(({ deliveryId }) => deliveryId),
    repeated,
  }));
}

function claimKey(tables: Tables, dialect: WebhookDialect, dispatch: DispatchRecord): Promise<boolean> {
  const { event, idempotencyKey: key = '', createdAt: created_at } = dispatch;
  return dialect.insertKey(tables, { event, key, created_at });
}

function additionsOf(
  dispatches: readonly DispatchRecord[],
  written: readonly (readonly InsertedDelivery[])[],
): StatusChange[] {
  return dispatches.flatMap(({ createdAt }, i) =>
    (written[i] ?? []).map(({ webhookId }) => ({ webhookId, createdAt, to: 'pending' as const })),
  );
}
