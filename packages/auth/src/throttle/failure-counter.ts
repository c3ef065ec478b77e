import { type Begun, BusyError, isBusy, isLocked, lockedOut, type Tally } from './throttle-refusals.ts';

export interface FailureCounterOptions {
  readonly windowSeconds: number;
  /** Keys that are remembered. A key takes about 220 bytes. */
  readonly maxKeys: number;
}

/** Counts failures by key, and attempts under way, in the memory of this process. */
export interface FailureCounter {
  /**
   * Counts an attempt as under way. A window begins with its first attempt, and an attempt ends in
   * the window in which it began.
   */
  begin(tallies: readonly Tally[], now: number): BegunHere;
  /** Forgets the failures of the key, but no attempt under way. Tells whether it had failures. */
  forget(key: string, now: number): boolean;
}

export interface BegunHere extends Pick<Begun, 'refusal'> {
  end(isFailure: (index: number) => boolean): void;
  /** The attempts under way in this process alone are more than a limit allows. */
  readonly isCrowded: boolean;
}

interface Window {
  failures: number;
  underWay: number;
  readonly endsAt: number;
}

/**
 * Creates a counter in memory, bounded.
 *
 * When it is full, a new key replaces the oldest window below its limit. A window at its limit
 * stays, or filling the counter would unlock accounts. If no window can be replaced, new keys are
 * not counted, because filling the counter must not lock out accounts that were never seen.
 */
export function createFailureCounter({ windowSeconds, maxKeys }: FailureCounterOptions): FailureCounter {
  /** Both with the oldest first. */
  const below = new Map<string, Window>();
  const atLimit = new Map<string, Window>();

  function find(key: string, now: number): Window | undefined {
    const window = below.get(key) ?? atLimit.get(key);
    // If the clock was set back, no key waits longer than a window.
    if (window !== undefined && window.endsAt > now && window.endsAt <= now + windowSeconds) return window;
    below.delete(key);
    atLimit.delete(key);
    return undefined;
  }

  function makeRoom(now: number): boolean {
    if (below.size + atLimit.size < maxKeys) return true;
    const [oldest] = below.keys();
    if (oldest !== undefined) return below.delete(oldest);
    const [first] = atLimit;
    return first !== undefined && first[1].endsAt <= now && atLimit.delete(first[0]);
  }

  /** Keeps the window where its counts belong, unless it was replaced or found no room. */
  function place({ key, limit }: Tally, window: Window): void {
    const isFull = window.failures + window.underWay >= limit;
    const [from, to] = isFull ? [below, atLimit] : [atLimit, below];
    if (from.get(key) === window) {
      from.delete(key);
      to.set(key, window);
    }
    if (window.failures + window.underWay === 0 && to.get(key) === window) to.delete(key);
  }

  function beginOne(tally: Tally, now: number): Window {
    let window = find(tally.key, now);
    if (window === undefined) {
      window = { failures: 0, underWay: 0, endsAt: now + windowSeconds };
      if (makeRoom(now)) below.set(tally.key, window);
    }
    window.underWay += 1;
    place(tally, window);
    return window;
  }

  return {
    begin(tallies, now) {
      const begun = tallies.map((tally) => [tally, beginOne(tally, now)] as const);
      const waits = begun.map(([tally, window]) => (isLocked(tally, window) ? window.endsAt - now : 0));
      const waitSeconds = Math.max(0, ...waits);
      const busy = begun.some(([tally, window]) => isBusy(tally, window)) ? new BusyError() : undefined;
      return {
        isCrowded: begun.some(([{ limit }, { underWay }]) => underWay > limit),
        refusal: waitSeconds > 0 ? lockedOut(waitSeconds) : busy,
        end(isFailure) {
          for (const [index, [tally, window]] of begun.entries()) {
            window.underWay -= 1;
            if (isFailure(index)) window.failures += 1;
            place(tally, window);
          }
        },
      };
    },

    forget(key, now) {
      const window = find(key, now);
      if (window === undefined || window.failures === 0) return false;
      window.failures = 0;
      place({ key, limit: Number.POSITIVE_INFINITY }, window);
      return true;
    },
  };
}
