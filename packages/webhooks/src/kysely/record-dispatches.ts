import type { DispatchReceipt, DispatchRecord } from '../storage/delivery-requests.ts';
import { countChanges, type StatusChange } from './activity.ts';
import type { WebhookDialect } from './dialect.ts';
import { insertByRows } from './insert-by-rows.ts';
import { insertBySelect } from './insert-by-select.ts';
import type { InsertedDelivery } from './inserted-delivery.ts';
import type { IdempotencyKeyTable, Tables } from './tables.ts';

interface DispatchContext {
  /**
   * The transaction is the host's, who may keep it open for long: on a database where others write at the same time it locks
   * no counters, and the deliveries are counted when they are claimed.
   */
  readonly isHosts: boolean;
  /** How long to wait for keys that others are writing. Default: as long as the database lets. */
  readonly maxKeyWaitMs?: number;
}

/** Writes the dispatches in their order; the caller's transaction makes it all or nothing. */
export async function recordDispatches(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchRecord[],
  { isHosts, maxKeyWaitMs }: DispatchContext,
): Promise<DispatchReceipt[]> {
  const isCounted = dialect.isEmbedded || !isHosts;
  const isRepeated = await findRepeats(tables, dialect, dispatches, maxKeyWaitMs);
  const fresh = dispatches.filter((_, index) => isRepeated[index] !== true);
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

/** Writes the keys, each for the first dispatch that brings it, and says which dispatches repeat an earlier one. */
async function findRepeats(
  tables: Tables,
  dialect: WebhookDialect,
  dispatches: readonly DispatchRecord[],
  maxKeyWaitMs: number | undefined,
): Promise<boolean[]> {
  const keys = new Map<string, IdempotencyKeyTable>();
  for (const { event, idempotencyKey: key, createdAt: created_at } of dispatches) {
    if (key === undefined) continue;
    const name = nameOf({ event, key });
    if (!keys.has(name)) keys.set(name, { event, key, created_at });
  }
  if (keys.size === 0) return dispatches.map(() => false);
  // In one order in every process: two that bring the same keys wait for one another in one direction.
  const inOrder = [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
  const inserted = new Set((await dialect.insertKeys(tables, inOrder, maxKeyWaitMs)).map(nameOf));
  return dispatches.map(
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
