import type { Clock } from '../clock.ts';
import type { AttemptReceipt, ClaimedDelivery, DispatchReceipt } from './delivery-requests.ts';

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
  /** For how long the oldest write under way has been waiting; 0 if none is. */
  longestUnderwayMs(): number;
  /** Whether a claim of the last minute took more than a second. */
  isClaimSlow(): boolean;
}

/** A write under way. */
interface ObservedWrite {
  ended(answer: unknown): void;
  failed(): void;
}

/** The calls that write for every delivery, and whether an answer shows that they did. */
const HAS_WRITTEN = new Map<string, (answer: never) => boolean>([
  [
    'recordDispatches',
    (receipts: readonly DispatchReceipt[]) => receipts.some(({ deliveryIds }) => deliveryIds.length > 0),
  ],
  ['claimDueDeliveries', (claims: readonly ClaimedDelivery[]) => claims.length > 0],
  ['recordAttempts', (receipts: readonly AttemptReceipt[]) => receipts.includes('recorded')],
]);

/** @internal */
export function createWriteWatch(monotonicClock: Clock = () => performance.now()): WriteWatch & {
  /**
   * Observes a call of a storage from its begin; undefined for one that says nothing of writes. A
   * host's transaction may fail for reasons of its own.
   */
  observe(method: string, given: readonly unknown[]): ObservedWrite | undefined;
} {
  let failedAt = Number.NEGATIVE_INFINITY;
  let slowClaimAt = Number.NEGATIVE_INFINITY;
  let refusedDispatches = 0;
  const underway = new Set<{ readonly since: number }>();
  return {
    isFailing: () => monotonicClock() - failedAt < WRITE_FAILURE_MS,
    isClaimSlow: () => monotonicClock() - slowClaimAt < RECENT_MS,
    longestUnderwayMs() {
      const now = monotonicClock();
      return [...underway].reduce((longest, { since }) => Math.max(longest, now - since), 0);
    },
    observe(method, given) {
      const hasWritten = HAS_WRITTEN.get(method);
      const isDispatch = method === 'recordDispatches';
      if (hasWritten === undefined || (isDispatch && given[1] !== undefined)) return undefined;
      const begun = { since: monotonicClock() };
      underway.add(begun);
      return {
        ended(answer) {
          underway.delete(begun);
          const isSlow = monotonicClock() - begun.since > SLOW_CLAIM_MS;
          if (method === 'claimDueDeliveries' && isSlow) slowClaimAt = monotonicClock();
          // A call that had nothing to write proves nothing.
          if (!Reflect.apply(hasWritten, undefined, [answer])) return;
          failedAt = Number.NEGATIVE_INFINITY;
          refusedDispatches = 0;
        },
        failed() {
          underway.delete(begun);
          if (!isDispatch || ++refusedDispatches >= MAX_REFUSED_DISPATCHES) failedAt = monotonicClock();
        },
      };
    },
  };
}
