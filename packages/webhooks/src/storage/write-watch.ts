import type { Clock } from '../clock.ts';
import type { WebhookStorage } from './storage.ts';

/** How long a write that failed is held against the storage, unless one succeeds before: three default sweeps. */
export const WRITE_FAILURE_MS = 15_000;

/** Whether a storage takes what it is given to write. */
export interface WriteWatch {
  /** Whether the last write of this process failed, and not long ago: as on a full disk, or on a replica that only reads. */
  isFailing(): boolean;
}

/**
 * The same storage, and a watch over what it is asked to write. What others were in the way of does not count, nor does a
 * transaction of the host's, which may fail for reasons of its own.
 */
export function watchWrites<Transaction>(
  storage: WebhookStorage<Transaction>,
  monotonicClock: Clock = () => performance.now(),
): { readonly storage: WebhookStorage<Transaction>; readonly writes: WriteWatch } {
  let failedAt = Number.NEGATIVE_INFINITY;

  async function watched<Result>(write: Promise<Result>, hasWritten: (result: Result) => boolean) {
    try {
      const result = await write;
      if (hasWritten(result)) failedAt = Number.NEGATIVE_INFINITY;
      return result;
    } catch (error) {
      if (storage.isContention?.(error) !== true) failedAt = monotonicClock();
      throw error;
    }
  }

  return {
    writes: { isFailing: () => monotonicClock() - failedAt < WRITE_FAILURE_MS },
    storage: {
      ...storage,
      recordDispatches(dispatches, transaction, maxWaitMs) {
        const write = storage.recordDispatches(dispatches, transaction, maxWaitMs);
        return transaction === undefined ? watched(write, () => true) : write;
      },
      // Where nothing is due, a claim may only have read.
      claimDueDeliveries: (request) =>
        watched(storage.claimDueDeliveries(request), (claims) => claims.length > 0),
      recordAttempts: (records) => watched(storage.recordAttempts(records), () => true),
    },
  };
}
