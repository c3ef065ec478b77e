import type { ActivityPoint, DeliveryStatus } from '../../api/records.ts';
import { locale } from '../../texts/locale.ts';
import { activityTexts } from './activity-texts.ts';

/** The times that end now, by their name in the address, with the width of a bar. */
export const RANGES = {
  day: { label: activityTexts.day, bar: 'hour', hours: 24 },
  week: { label: activityTexts.week, bar: 'day', hours: 7 * 24 },
  month: { label: activityTexts.month, bar: 'day', hours: 30 * 24 },
} as const;
export const RANGE_NAMES = ['day', 'week', 'month'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

/** One bar of the chart: an hour or a day of the viewer's zone. */
export interface ActivityBar extends ActivityPoint {
  readonly label: string;
  /** Where the next one begins. */
  readonly end: string;
}

const HOUR_MS = 3_600_000;
const HALF_HOUR_MS = HOUR_MS / 2;
const HOUR = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });

/**
 * The start of a range of that many hours: of whole hours for a day, of whole days in the viewer's
 * zone for more. An hour of UTC that contains midnight belongs to the day of its middle.
 */
export function firstHour(hours: number, now: Date): Date {
  const first = new Date(Math.floor(now.getTime() / HOUR_MS - hours + 1) * HOUR_MS);
  if (hours > 24) first.setHours(24, 0, 0, 0);
  return new Date(Math.ceil((first.getTime() - HALF_HOUR_MS) / HOUR_MS) * HOUR_MS);
}

/** The hours of a range until now. */
export function hoursOf(activity: readonly ActivityPoint[], hours: number): readonly ActivityPoint[] {
  const since = firstHour(hours, new Date()).toISOString();
  return activity.filter(({ start }) => start >= since);
}

/** How many deliveries of these hours are in each status. */
export function sumOf(hours: readonly ActivityPoint[]) {
  const sum = (status: DeliveryStatus) => hours.reduce((count, hour) => count + hour[status], 0);
  return { success: sum('success'), failed: sum('failed'), pending: sum('pending') };
}

/**
 * True if midnight of the viewer's zone lies within an hour of UTC. Days are then accurate to half
 * an hour.
 */
export function hasSplitHours(hours: readonly Pick<ActivityPoint, 'start'>[]): boolean {
  return hours.some(({ start }) => new Date(start).getMinutes() !== 0);
}

/**
 * Adds up the server's hours to days here, because the start of a day depends on the viewer's zone.
 */
export function barsOf(hours: readonly ActivityPoint[], width: 'hour' | 'day'): ActivityBar[] {
  const format = width === 'hour' ? HOUR : DAY;
  const bars = new Map<string, ActivityBar>();
  for (const { start, success, failed, pending } of hours) {
    const date = new Date(Date.parse(start) + (width === 'hour' ? 0 : HALF_HOUR_MS));
    // When clocks are set back, two hours have the same label, but are two bars.
    const key = width === 'hour' ? start : date.toDateString();
    const bar = bars.get(key) ?? {
      start,
      end: '',
      label: format.format(date),
      success: 0,
      failed: 0,
      pending: 0,
    };
    bars.set(key, {
      ...bar,
      end: new Date(Date.parse(start) + HOUR_MS).toISOString(),
      success: bar.success + success,
      failed: bar.failed + failed,
      pending: bar.pending + pending,
    });
  }
  return [...bars.values()];
}
