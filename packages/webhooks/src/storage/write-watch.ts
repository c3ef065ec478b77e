import type { Clock } from '../clock.ts';
import type { WebhookStorage } from './storage.ts';

/**
 * How long a failed write makes the storage count as failing, unless one succeeds before: three
 * default sweeps.
 */
export const WRITE_FAILURE_MS = 15_000;

/** A claim that takes longer is slow: it takes milliseconds, whatever waits. */
const SLOW_CLAIM_MS = 1_000;
/** How long a slow claim counts. */
const RECENT_MS = 60_000;

/** A single dispatch may be refused for its content; this many in a row are the storage's fault. */
const MAX_REFUSED_DISPATCHES = 3;

/** Observes whether a storage takes writes. */
export interface WriteWatch {
  /**
   * Whether writes of this process fail, and failed lately: as on a full disk, or on a replica that
   * only reads.
   */
  isFailing(): boolean;
  /** For how long the oldest write under way has been waiting; 0 where none is. */
  longestUnderwayMs(): number;
  /** Whether a claim of the last minute took more than a second. */
  isClaimSlow(): boolean;
}

/**
 * The same storage, and a watch over its writes. A host's transaction does not count, which may
 * fail for reasons of its own.
 */
export function watchWrites<Transaction>(
  storage: WebhookStorage<Transaction>,
  monotonicClock: Clock = () => performance.now(),
): { readonly storage: WebhookStorage<Transaction>; readonly writes: WriteWatch } {
  let failedAt = Number.NEGATIVE_INFINITY;
  let slowClaimAt = Number.NEGATIVE_INFINITY;
  let refusedDispatches = 0;
  const underway = new Set<{ readonly since: number }>();

  async function watched<Result>(
    write: Promise<Result>,
    hasWritten: (result: Result) => boolean,
    isProof: () => boolean = () => true,
  ): Promise<Result> {
    const begun = { since: monotonicClock() };
    underway.add(begun);
    try {
      const result = await write;
      // A call that had nothing to write proves nothing.
      if (hasWritten(result)) {
        failedAt = Number.NEGATIVE_INFINITY;
        refusedDispatches = 0;
      }
      return result;
    } catch (error) {
      if (isProof()) failedAt = monotonicClock();
      throw error;
    } finally {
      underway.delete(begun);
    }
  }

  return {
    writes: {
      isFailing: () => monotonicClock() - failedAt < WRITE_FAILURE_MS,
      isClaimSlow: () => monotonicClock() - slowClaimAt < RECENT_MS,
      longestUnderwayMs() {
        const now = monotonicClock();
        return [...underway].reduce((longest, { since }) => Math.max(longest, now - since), 0);
      },
    },
    storage: {
      ...storage,
      recordDispatches(dispatches, transaction) {
        const write = storage.recordDispatches(dispatches, transaction);
        if (transaction !== undefined) return write;
        return watched(
          write,
          (receipts) => receipts.some(({ deliveryIds }) => deliveryIds.length > 0),
          () => ++refusedDispatches >= MAX_REFUSED_DISPATCHES,
        );
      },
      async claimDueDeliveries(request) {
        const begun = monotonicClock();
        const claims = await watched(storage.claimDueDeliveries(request), ({ length }) => length > 0);
        if (monotonicClock() - begun > SLOW_CLAIM_MS) slowClaimAt = monotonicClock();
        return claims;
      },
      recordAttempts: (records) =>
        watched(storage.recordAttempts(records), (receipts) => receipts.includes('recorded')),
    },
  };
}
