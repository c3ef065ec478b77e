import { type Clock, dependable, readTime, systemClock } from '../../toolkit/src/clock.ts';

export { type Clock, systemClock } from '../../toolkit/src/clock.ts';

/**
 * Reads a clock in whole Unix seconds, the unit of every time in a token.
 *
 * @throws TypeError when the clock gives no time
 */
export function unixSeconds(clock: Clock): number {
  return Math.floor(readTime(clock) / 1000);
}

/**
 * Returns that reading of a clock, or the system's if it throws.
 *
 * @param now returns the time in Unix seconds
 */
export function dependableNow(now: () => number): () => number {
  return dependable(now, () => unixSeconds(systemClock));
}
