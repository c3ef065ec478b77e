/**
 * Where the package reads the time: milliseconds since the Unix epoch, as `Date.now` gives them.
 *
 * Every rule about time goes through one injected clock, so a test moves time instead of waiting
 * for it.
 */
export type Clock = () => number;

/** Looks `Date` up for every time, so that a test that fakes it moves every clock by default. */
export const systemClock: Clock = () => Date.now();

/**
 * Reads a clock in whole Unix seconds, the unit of every time in a token.
 *
 * @throws Error when the clock gives no finite number: `NaN >= exp` is false, and a broken clock
 *   must never make a token immortal.
 */
export function unixSeconds(clock: Clock): number {
  const milliseconds = clock();
  if (!Number.isFinite(milliseconds)) throw new Error('The clock gave no finite number of milliseconds');
  return Math.floor(milliseconds / 1000);
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
