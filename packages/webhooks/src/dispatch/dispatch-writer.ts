import { createGroupCommit, type GroupCommit } from '../group-commit/group-commit.ts';
import type { Announce } from '../queue/announce.ts';
import type { Counters } from '../stats.ts';
import type { DispatchReceipt, DispatchRecord } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';

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
   * and so do those without, except where contention holds one up.
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
 * How long a group waits for what another transaction has locked: longer than a commit usually
 * takes.
 */
const MAX_GROUP_WAIT_MS = 50;
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
  readonly storage: Pick<
    WebhookStorage<Transaction>,
    'recordDispatches' | 'isContention' | 'isKeyContention'
  >;
  readonly announce: Announce;
  readonly counters: Counters;
}): DispatchWriter<Transaction> {
  const { storage, announce, counters } = deps;
  // Another open transaction may hold a key: only dispatches with keys ever wait for one.
  const unkeyed = createCommitQueue(storage);
  const keyed = createCommitQueue(storage);

  function count({ deliveryIds, repeated }: DispatchReceipt): void {
    counters.dispatched += 1;
    counters.deliveries += deliveryIds.length;
    if (repeated) counters.repeated += 1;
  }

  return {
    async write({ record, transaction }) {
      const [receipt] =
        transaction === undefined
          ? [await (record.idempotencyKey === undefined ? unkeyed : keyed).add(record)]
          : await storage.recordDispatches([record], transaction);
      if (receipt === undefined) throw new RangeError('a storage answered no receipt for a dispatch');
      count(receipt);
      const delayMs = transaction === undefined ? 0 : TRANSACTION_POLL_DELAY_MS;
      announce(receipt.deliveryIds.map((deliveryId) => ({ deliveryId, delayMs })));
      return receipt;
    },
    idle: async () => {
      await Promise.all([unkeyed.idle(), keyed.idle()]);
    },
    abandon(error) {
      unkeyed.abandon(error);
      keyed.abandon(error);
    },
  };
}

function createCommitQueue<Transaction>(
  storage: Pick<WebhookStorage<Transaction>, 'recordDispatches' | 'isContention' | 'isKeyContention'>,
): GroupCommit<DispatchRecord, DispatchReceipt> {
  return createGroupCommit({
    commit: (records, isRetry) =>
      storage.recordDispatches(isRetry ? records.map(retryOf) : records, undefined, MAX_GROUP_WAIT_MS),
    contention: {
      scopeOf(error, record) {
        if (storage.isContention?.(error) !== true) return undefined;
        return storage.isKeyContention?.(error) === true ? keyScope(record) : targetScope(record);
      },
      scopesOf: (record) =>
        record.idempotencyKey === undefined ? [targetScope(record)] : [targetScope(record), keyScope(record)],
    },
    sizeOf: ({ payload }) => payload.length,
    costOf: ({ payload }, { deliveryIds }) => deliveryIds.length * (payload.length + ROW_BYTES),
    maxItemsPerCommit: MAX_DISPATCHES_PER_COMMIT,
    maxCostPerCommit: MAX_BYTES_PER_COMMIT,
    maxWaitingItems: MAX_WAITING_DISPATCHES,
    maxWaitingSize: MAX_WAITING_SIZE,
  });
}

/**
 * The scope of a dispatch's webhooks: all dispatches of an event have the same. An event's name has
 * no space.
 */
function targetScope({ event, target }: DispatchRecord): string {
  return 'webhookId' in target ? `to ${target.webhookId}` : event;
}

function keyScope({ event, idempotencyKey = '' }: DispatchRecord): string {
  return `${event} ${idempotencyKey}`;
}

function retryOf(record: DispatchRecord): DispatchRecord {
  return { ...record, isRetry: true };
}
