import { timestampText } from '../clock.ts';

/** Of how many hours with claims a storage knows: 90 days, and the present hour. */
const MAX_CLAIMED_HOURS = 2_161;

/** The hour of a time, ms since the epoch, as a storage keeps it. */
export function hourOf(now: number): string {
  return timestampText(now).slice(0, 13);
}

/** The hours in which deliveries were claimed, such as `2026-11-20T04`, with one more. */
export function withHour(hours: readonly string[], hour: string): readonly string[] {
  return hours.includes(hour) ? hours : [...hours, hour].sort().slice(-MAX_CLAIMED_HOURS);
}

/**
 * Since when deliveries were claimed in so many hours, the present one left out: what was due before
 * has waited while they were. Undefined if the storage knows of fewer hours.
 */
export function claimedSince(hours: readonly string[], count: number, present: string): string | undefined {
  return hours.filter((hour) => hour < present).at(-count);
}
