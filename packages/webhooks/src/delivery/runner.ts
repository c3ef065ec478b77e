import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Notifier } from '../hooks.ts';
import type { Logger } from '../logger.ts';
import type { ClaimedDelivery, WebhookStorage } from '../storage/storage.ts';
import type { Attempt } from './attempt.ts';
import type { Recorder } from './recorder.ts';

/** Delivers what is due: claim → attempt → record, as many at once as there are slots. */
export interface Runner {
  /**
   * Claims due deliveries and starts their attempts until nothing is due. Resolves when it has looked at least once
   * after the call, for which a busy process waits until a slot becomes free. Calls during a look share the next
   * one. Never rejects.
   */
  look(): Promise<void>;
  /** Stops claiming and waits until every attempt under way is recorded. Idempotent. */
  close(): Promise<void>;
}

/** What a runner needs. */
export interface RunnerDependencies {
  readonly storage: Pick<WebhookStorage, 'claimDueDeliveries'>;
  readonly attempt: Attempt;
  readonly record: Recorder;
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly logger: Logger;
  /** Attempts at once. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  /** The longest an attempt takes. */
  readonly attemptTimeoutMs: number;
  /** Milliseconds since any fixed moment, unmoved by changes of the clock. Default: `performance.now`. */
  readonly monotonicClock?: Clock;
}

/** A claim outlives its attempt's deadline by this much: time to begin it and to record the result. */
const LEASE_MARGIN_MS = 30_000;

/** @internal */
export function createRunner(deps: RunnerDependencies): Runner {
  const { storage, clock, concurrency, maxAttempts, monotonicClock = () => performance.now() } = deps;
  const leaseMs = deps.attemptTimeoutMs + LEASE_MARGIN_MS;
  const slots = createSlots(concurrency);
  /** The claim tokens of the attempts under way, by delivery. */
  const held = new Map<number, string>();
  let isClosing = false;
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function claim(limit: number): Promise<number> {
    const claimedAt = monotonicClock();
    const claimToken = randomUUID();
    const claimed = await storage.claimDueDeliveries({
      now: clock(),
      limit,
      leaseMs,
      maxAttempts,
      claimToken,
    });
    for (const delivery of claimed) {
      // A clock that was set forward ends the lease of an attempt under way: the new claim extends it.
      const isUnderWay = held.has(delivery.id);
      held.set(delivery.id, claimToken);
      if (!isUnderWay) slots.occupy(deliver(delivery, claimedAt));
    }
    return claimed.length;
  }

  async function claimUntilDrained(): Promise<void> {
    try {
      while (!isClosing) {
        const free = await slots.free();
        if (isClosing || (await claim(free)) < free) return;
      }
    } catch (error) {
      // The next hint or sweep looks again.
      deps.notifier.error('claim', error);
    }
  }

  async function deliver(claimed: ClaimedDelivery, claimedAt: number): Promise<void> {
    const { id, deliveryId, attempt, claimToken } = claimed;
    try {
      // A process that was frozen or starved may wake up after its lease: somebody else may be sending already.
      if (monotonicClock() - claimedAt > LEASE_MARGIN_MS) {
        deps.logger.warn({ deliveryId, attempt }, 'webhook lease too old, attempt not made');
        return;
      }
      const record = await deps.attempt(claimed);
      await deps.record(claimed, { ...record, claimToken: held.get(id) ?? claimToken });
    } finally {
      held.delete(id);
    }
  }

  return {
    look() {
      next ??= current.then(() => {
        next = undefined;
        current = claimUntilDrained();
        return current;
      });
      return next;
    },
    async close() {
      isClosing = true;
      await current;
      await slots.empty();
    },
  };
}

/** A bounded number of attempts at once. */
interface Slots {
  occupy(work: Promise<void>): void;
  /** Waits until at least one slot is free and answers how many are. */
  free(): Promise<number>;
  /** Waits until all are free. */
  empty(): Promise<void>;
}

function createSlots(count: number): Slots {
  const occupied = new Set<Promise<void>>();
  let onRelease: (() => void) | undefined;

  return {
    occupy(work) {
      const slot = work.finally(() => {
        occupied.delete(slot);
        onRelease?.();
      });
      occupied.add(slot);
    },
    async free() {
      while (occupied.size >= count) {
        await new Promise<void>((resolve) => {
          onRelease = resolve;
        });
        // The results of one group are recorded together: their slots come free in this turn, and are filled at once.
        await nextTurn();
      }
      return count - occupied.size;
    },
    async empty() {
      while (occupied.size > 0) await Promise.all(occupied);
    },
  };
}
