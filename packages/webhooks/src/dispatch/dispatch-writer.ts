import { createGroupCommit, type GroupCommit } from '../group-commit/group-commit.ts';
import type { Announce } from '../queue/announce.ts';
import type { Counters } from '../stats.ts';
import type { DispatchReceipt, DispatchRecord } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { createBlockedDispatches, type KeyedRecord } from './blocked-dispatches.ts';

/** A dispatch that is checked and ready to be written. */
export interface PreparedDispatch<Transaction> {
  readonly record: DispatchRecord;
  readonly transaction: Transaction | undefined;
}

/** Writes dispatches and tells the queue. */
export interface DispatchWriter<Transaction> {
  /**
   * Resolves when the deliveries are durable, or written in the host's transaction. Concurrent
   * dispatches are written together. Those with an idempotency key keep the order of their calls,
   * except where another transaction holds a key, and so do those without.
   *
   * @throws WebhookError `overloaded`, `storage_unavailable`
   */
  write(prepared: PreparedDispatch<Transaction>): Promise<DispatchReceipt>;
  /** Resolves when no dispatch is waiting or being written, except in a host's transaction. */
  idle(): Promise<void>;
  /**
   * Rejects every dispatch that is not durable yet with that error, except in a host's transaction,
   * and all that follow.
   */
  abandon(error: unknown): void;
}

/**
 * Bounds of one group: large enough that a transaction's fixed cost disappears, small enough that
 * other writes run in between.
 */
const MAX_DISPATCHES_PER_COMMIT = 500;
const MAX_BYTES_PER_COMMIT = 4 * 1024 * 1024;
/** About what a row takes beside its payload. */
const ROW_BYTES = 500;
/**
 * How many dispatches may wait for a storage that is slow or away, with a key and without one each.
 */
export const MAX_WAITING_DISPATCHES = 20_000;
/** In UTF-16 code units of payload. */
const MAX_WAITING_SIZE = 64 * 1024 * 1024;
/**
 * When this process polls for deliveries written in a host's transaction, which has not committed
 * yet.
 */
const TRANSACTION_POLL_DELAY_MS = 100;

/** @internal */
export function createDispatchWriter<Transaction>(deps: {
  readonly storage: Pick<WebhookStorage<Transaction>, 'recordDispatches'>;
  readonly announce: Announce;
  readonly counters: Counters;
}): DispatchWriter<Transaction> {
  const { storage, announce, counters } = deps;
  const commit = (records: readonly DispatchRecord[], isRetry: boolean) =>
    storage.recordDispatches(isRetry ? records.map(retryOf) : records);
  // Another open transaction may hold a key: only dispatches with keys ever wait for one.
  const unkeyed = createCommitQueue(commit);
  const keyed = createCommitQueue(commit);
  const blocked = createBlockedDispatches(commit, WAITING_BOUNDS);

  async function writeKeyed(record: KeyedRecord): Promise<DispatchReceipt> {
    if (blocked.isBlocked(record)) return blocked.add(record);
    const receipt = await keyed.add(record);
    return receipt.outcome === 'blocked' ? blocked.add(record) : receipt;
  }

  function count({ deliveryIds, outcome }: DispatchReceipt): void {
    counters.dispatched += 1;
    counters.deliveries += deliveryIds.length;
    if (outcome === 'repeated') counters.repeated += 1;
  }

  return {
    async write({ record, transaction }) {
      const [receipt] =
        transaction === undefined
          ? [await (isKeyed(record) ? writeKeyed(record) : unkeyed.add(record))]
          : await storage.recordDispatches([record], transaction);
      if (receipt === undefined) throw new RangeError('a storage answered no receipt for a dispatch');
      count(receipt);
      const delayMs = transaction === undefined ? 0 : TRANSACTION_POLL_DELAY_MS;
      announce(receipt.deliveryIds.map((deliveryId) => ({ deliveryId, delayMs })));
      return receipt;
    },
    async idle() {
      await Promise.all([unkeyed.idle(), keyed.idle()]);
      await blocked.idle();
    },
    abandon(error) {
      for (const writes of [unkeyed, keyed, blocked]) writes.abandon(error);
    },
  };
}

const WAITING_BOUNDS = { maxWaitingItems: MAX_WAITING_DISPATCHES, maxWaitingSize: MAX_WAITING_SIZE };

function createCommitQueue(
  commit: (records: readonly DispatchRecord[], isRetry: boolean) => Promise<DispatchReceipt[]>,
): GroupCommit<DispatchRecord, DispatchReceipt> {
  return createGroupCommit({
    commit,
    sizeOf: ({ payload }) => payload.length,
    costOf: ({ payload }, { deliveryIds }) => deliveryIds.length * (payload.length + ROW_BYTES),
    maxItemsPerCommit: MAX_DISPATCHES_PER_COMMIT,
    maxCostPerCommit: MAX_BYTES_PER_COMMIT,
    ...WAITING_BOUNDS,
  });
}

function isKeyed(record: DispatchRecord): record is KeyedRecord {
  return record.idempotencyKey !== undefined;
}

function retryOf(record: DispatchRecord): DispatchRecord {
  return { ...record, isRetry: true };
}
