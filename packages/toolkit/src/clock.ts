/**
 * Where a package reads the time: milliseconds since the Unix epoch, as `Date.now` gives them.
 *
 * Every rule about time goes through one injected clock: a test moves time instead of waiting for
 * it.
 */
export type Clock = () => number;

/** Looks `Date` up for every time, so that a test that fakes it moves every clock by default. */
export const systemClock: Clock = () => Date.now();

/** The furthest time of `Date`, in milliseconds from the Unix epoch (ECMA-262, 21.4.1.1). */
const MAX_TIME_MS = 8.64e15;

/**
 * Reads a clock of the host.
 *
 * @throws TypeError when the clock gives no time: `NaN >= exp` is false, and a broken clock must
 *   never make a token immortal
 */
export function readTime(clock: Clock): number {
  const time: unknown = clock();
  if (typeof time === 'number' && Math.abs(time) <= MAX_TIME_MS) return time;
  throw noTime(time);
}

/** Says that a clock is broken. */
export function noTime(given: unknown): TypeError {
  return new TypeError(`clock must give milliseconds since the Unix epoch, got ${String(given)}`);
}

/**
 * Returns that reading of a clock, or another if it throws: for what must be undone or reported
 * whatever fails.
 */
export function dependable(read: Clock, fallback: Clock): Clock {
  return () => {
    try {
      return read();
    } catch {
      return fallback();
    }
  };
}
