import { hourOf } from './count-changes.ts';

const HOUR_MS = 3_600_000;

/** The most hours that an activity has; of more, the last ones are listed. */
const MAX_HOURS = 24 * 366 + 1;

/** By how much the clocks of two processes may differ. */
const SKEW_HOURS = 2;

/**
 * The hours of counters from one time to another, both included. A statement lists them: within a
 * range of hours it would read those of every webhook.
 */
export function hoursBetween(from: string, to: string): string[] {
  const last = Date.parse(`${hourOf(to)}:00:00.000Z`);
  const first = Math.max(Date.parse(`${hourOf(from)}:00:00.000Z`), last - (MAX_HOURS - 1) * HOUR_MS);
  const count = Math.max(0, (last - first) / HOUR_MS + 1);
  return Array.from({ length: count }, (_, index) => hourAt(first + index * HOUR_MS));
}

/** The hours since a time that is at most a day ago. */
export function hoursSince(since: string): string[] {
  const last = Date.parse(`${hourOf(since)}:00:00.000Z`) + (24 + SKEW_HOURS) * HOUR_MS;
  return hoursBetween(since, new Date(last).toISOString());
}

/** The hours before the present one, the latest first. */
export function pastHours(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => hourAt(now - (index + 1) * HOUR_MS));
}

function hourAt(ms: number): string {
  return hourOf(new Date(ms).toISOString());
}
