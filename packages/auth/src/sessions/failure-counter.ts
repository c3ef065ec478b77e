export interface FailureCounterOptions {
  /** How many are allowed in a window. */
  readonly maxFailures: number;
  readonly windowSeconds: number;
  /** How many keys are remembered; one takes about 150 bytes. */
  readonly maxKeys: number;
}

/** Counts failures by key in windows of fixed length that begin with the first failure. */
export interface FailureCounter {
  /** Gives the seconds until the key may fail again; 0 when it may now. */
  waitSeconds(key: string, now: number): number;
  /**
   * Counts one failure, and gives what takes it back: that failure alone, once, and none of a later window.
   *
   * A key that finds no room, as `waitSeconds` has told, is not counted.
   */
  add(key: string, now: number): () => void;
}

interface Window {
  failures: number;
  readonly endsAt: number;
}

/**
 * Creates a counter in memory, bounded: when it is full, the oldest window below the limit gives way. A window at the
 * limit never does, or filling the counter would unlock what is locked: when all are at the limit, keys that are not
 * known wait for the first of them to end.
 *
 * What is over is forgotten without a timer, whenever a key is new. Windows are all of one length, so those below the
 * limit end about in the order of their Map, at its front; those at the limit are walked when one of them ends, which
 * is once a second at most.
 */
export function createFailureCounter(options: FailureCounterOptions): FailureCounter {
  const { maxFailures, windowSeconds, maxKeys } = options;
  const below = new Map<string, Window>();
  const locked = new Map<string, Window>();
  /** None of the locked windows ends before. */
  let nextEnd = Number.POSITIVE_INFINITY;

  const find = (key: string): Window | undefined => below.get(key) ?? locked.get(key);

  function forget(key: string): void {
    below.delete(key);
    locked.delete(key);
  }

  function place(key: string, window: Window): void {
    const isLocked = window.failures >= maxFailures;
    (isLocked ? below : locked).delete(key);
    (isLocked ? locked : below).set(key, window);
    if (isLocked) nextEnd = Math.min(nextEnd, window.endsAt);
  }

  function forgetEnded(now: number): void {
    for (const [key, { endsAt }] of below) {
      if (endsAt > now) break;
      below.delete(key);
    }
    if (now < nextEnd) return;
    nextEnd = Number.POSITIVE_INFINITY;
    for (const [key, { endsAt }] of locked) {
      if (endsAt > now) nextEnd = Math.min(nextEnd, endsAt);
      else locked.delete(key);
    }
  }

  function makeRoom(): void {
    for (const key of below.keys()) {
      if (below.size + locked.size < maxKeys) return;
      below.delete(key);
    }
  }

  // A clock that was set back must not make anybody wait for longer than a window.
  const secondsUntil = (end: number, now: number) => Math.min(Math.max(end - now, 0), windowSeconds);

  return {
    waitSeconds(key, now) {
      const window = find(key);
      if (window !== undefined) return window.failures < maxFailures ? 0 : secondsUntil(window.endsAt, now);
      if (locked.size < maxKeys) return 0;
      forgetEnded(now);
      return locked.size < maxKeys ? 0 : secondsUntil(nextEnd, now);
    },

    add(key, now) {
      const known = find(key);
      const isRunning = known !== undefined && known.endsAt > now;
      const window = isRunning ? known : { failures: 0, endsAt: now + windowSeconds };
      if (!isRunning) {
        forget(key);
        forgetEnded(now);
        makeRoom();
        if (locked.size >= maxKeys) return () => {};
      }
      window.failures += 1;
      place(key, window);
      let isCounted = true;
      return () => {
        if (!isCounted || find(key) !== window) return;
        isCounted = false;
        window.failures -= 1;
        if (window.failures === 0) forget(key);
        else place(key, window);
      };
    },
  };
}
