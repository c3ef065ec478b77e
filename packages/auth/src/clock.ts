/**
 * Where the package reads the time: milliseconds since the Unix epoch, as `Date.now` gives them.
 *
 * Every rule about time goes through one injected clock, so a test moves time instead of waiting
 * for it.
 */
export type Clock = () => number;

/** Looks `Date` up for every time, so that a test that fakes it moves every clock by default. */
export const systemClock: Clock = () => Date.now();

/** What a `Date` can be, in milliseconds (ECMA-262 section 21.4.1.1). */
const MAX_MILLISECONDS = 8.64e15;

/**
 * Reads a clock in whole Unix seconds, the unit of every time in a token.
 *
 * @throws TypeError when the clock gives no time: `NaN >= exp` is false, and a broken clock must
 *   never make a token immortal.
 */
export function unixSeconds(clock: Clock): number {
  const milliseconds: unknown = clock();
  if (typeof milliseconds === 'number' && Math.abs(milliseconds) <= MAX_MILLISECONDS) {
    return Math.floor(milliseconds / 1000);
  }
  throw new TypeError(`clock must give milliseconds since the Unix epoch, got ${String(milliseconds)}`);
}

/**
 * Returns that reading of a clock, or the system's where it throws: for what must be undone or
 * reported whatever fails.
 *
 * @param now returns the time in Unix seconds
 */
export function dependableNow(now: () => number): () => number {
  return () => {
    try {
      return now();
    } catch {
      return unixSeconds(systemClock);
    }
  };
}

/**
 * @throws TypeError when a host passes something else: at construction, not at the first request
 */
export function resolveClock(clock: unknown): Clock {
  if (isClock(clock)) return clock;
  throw new TypeError('clock must be a function that gives milliseconds since the Unix epoch');
}

function isClock(value: unknown): value is Clock {
  return typeof value === 'function';
}
