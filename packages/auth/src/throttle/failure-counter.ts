export interface FailureCounterOptions {
  /** Failures that a window allows. */
  readonly maxFailures: number;
  readonly windowSeconds: number;
  /** Keys that are remembered. A key takes about 220 bytes. */
  readonly maxKeys: number;
}

/**
 * Counts failures by key, and attempts under way. A window has a fixed length and begins with its
 * first failure.
 */
export interface FailureCounter {
  /**
   * Returns the seconds until the key may be tried again; 0 while its failures are below the limit.
   */
  waitSeconds(key: string, now: number): number;
  /**
   * Tells whether failures and attempts under way, each of which may fail, are together below the
   * limit.
   */
  hasRoom(key: string, now: number): boolean;
  /** Returns the number of attempts under way. */
  underWay(key: string, now: number): number;
  /** Forgets the failures of the key, but no attempt under way. Tells whether it had failures. */
  forget(key: string, now: number): boolean;
  /**
   * Counts an attempt as under way until it ends, but no longer than a window, so that one that
   * never ends is forgotten.
   *
   * A full counter may leave a new key uncounted.
   */
  begin(key: string, now: number): EndAttempt;
}

/** Ends an attempt, as a failure or not. Only the first call counts. */
export type EndAttempt = (isFailure: boolean, now: number) => void;

interface Window {
  failures: number;
  /** When the failures are forgotten. */
  endsAt: number;
  /** When each attempt under way began, the oldest first. */
  readonly underWay: number[];
}

/**
 * Creates a counter in memory, bounded.
 *
 * When it is full, a new key replaces the oldest window below the limit. A window at the limit
 * stays, or filling the counter would unlock accounts; so does a window with attempts under way. If
 * no window can be replaced, new keys are not counted, because filling the counter must not lock
 * out accounts that were never seen.
 */
export function createFailureCounter(options: FailureCounterOptions): FailureCounter {
  const { maxFailures, windowSeconds, maxKeys } = options;
  const replaceable = new Map<string, Window>();
  const kept = new Map<string, Window>();
  let sweptAt: number | undefined;

  /** Finds the window of a key, without failures and attempts that are over. */
  function find(key: string, now: number): Window | undefined {
    const window = replaceable.get(key) ?? kept.get(key);
    if (window === undefined) return undefined;
    forgetPast(window, windowSeconds, now);
    place(key, window);
    return isEmpty(window) ? undefined : window;
  }

  function place(key: string, window: Window): void {
    const isKept = window.failures >= maxFailures || window.underWay.length > 0;
    const home = isKept ? kept : replaceable;
    if (isEmpty(window) || !isKept) kept.delete(key);
    if (isEmpty(window) || isKept) replaceable.delete(key);
    if (!isEmpty(window)) home.set(key, window);
  }

  function create(now: number): Window | undefined {
    return makeRoom(now) ? { failures: 0, endsAt: now, underWay: [] } : undefined;
  }

  function makeRoom(now: number): boolean {
    if (replaceable.size + kept.size < maxKeys) return true;
    // At most once a second, because it visits all windows that are kept.
    if (sweptAt !== now) for (const key of kept.keys()) find(key, now);
    sweptAt = now;
    if (replaceable.size + kept.size < maxKeys) return true;
    const [oldest] = replaceable.keys();
    return oldest !== undefined && replaceable.delete(oldest);
  }

  return {
    waitSeconds(key, now) {
      const window = find(key, now);
      return window === undefined || window.failures < maxFailures ? 0 : window.endsAt - now;
    },

    hasRoom(key, now) {
      const window = find(key, now);
      return window === undefined || window.failures + window.underWay.length < maxFailures;
    },

    underWay: (key, now) => find(key, now)?.underWay.length ?? 0,

    forget(key, now) {
      const window = find(key, now);
      if (window === undefined || window.failures === 0) return false;
      window.failures = 0;
      place(key, window);
      return true;
    },

    begin(key, begun) {
      const window = find(key, begun) ?? create(begun);
      window?.underWay.push(begun);
      if (window !== undefined) place(key, window);
      let hasEnded = false;
      return (isFailure, now) => {
        if (hasEnded) return;
        hasEnded = true;
        end(key, begun, isFailure, now);
      };
    },
  };

  function end(key: string, begun: number, isFailure: boolean, now: number): void {
    const window = find(key, now) ?? (isFailure ? create(now) : undefined);
    if (window === undefined) return;
    const index = window.underWay.indexOf(begun);
    if (index !== -1) window.underWay.splice(index, 1);
    if (isFailure) {
      if (window.failures === 0) window.endsAt = now + windowSeconds;
      window.failures += 1;
    }
    place(key, window);
  }
}

function forgetPast(window: Window, windowSeconds: number, now: number): void {
  const { underWay } = window;
  // If the clock was set back, no key waits longer than a window.
  window.endsAt = Math.min(window.endsAt, now + windowSeconds);
  if (window.endsAt <= now) window.failures = 0;
  const live = underWay.findIndex((begun) => begun + windowSeconds > now);
  underWay.splice(0, live === -1 ? underWay.length : live);
}

function isEmpty({ failures, underWay }: Window): boolean {
  return failures === 0 && underWay.length === 0;
}
