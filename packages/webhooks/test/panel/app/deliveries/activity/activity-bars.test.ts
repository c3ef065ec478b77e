import { afterEach, describe, expect, it } from 'vitest';
import {
  barsOf,
  firstHour,
  hasSplitHours,
} from '../../../../../src/panel/app/deliveries/activity/activity-bars.ts';

const HOUR_MS = 3_600_000;
const zone = process.env.TZ;

/** What the server counts: every hour of UTC from the first on, one delivery in each. */
function countedFrom(first: Date, now: Date) {
  const hours: { start: string; success: number; failed: number; pending: number }[] = [];
  for (let at = first.getTime(); at <= now.getTime(); at += HOUR_MS) {
    hours.push({ start: new Date(at).toISOString(), success: 1, failed: 0, pending: 0 });
  }
  return hours;
}

describe('the days of the chart', () => {
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each([
    ['UTC', false],
    ['America/New_York', false],
    ['Asia/Kolkata', true],
    ['Asia/Kathmandu', true],
    ['Pacific/Chatham', true],
    ['America/St_Johns', true],
  ])('are seven of 24 hours in %s, the last one until now', (name, isSplit) => {
    process.env.TZ = name;
    const now = new Date('2026-06-17T09:40:00Z');
    const first = firstHour(7 * 24, now);
    expect(first.getTime() % HOUR_MS).toBe(0);
    const hours = countedFrom(first, now);
    const bars = barsOf(hours, 'day');
    expect(bars).toHaveLength(7);
    expect(bars.slice(0, -1).map(({ success }) => success)).toEqual(Array(6).fill(24));
    expect(hasSplitHours(hours)).toBe(isSplit);
  });

  it('begin where the clock jumps at midnight, too', () => {
    process.env.TZ = 'Africa/Cairo';
    const now = new Date('2026-04-26T12:00:00Z');
    const bars = barsOf(countedFrom(firstHour(7 * 24, now), now), 'day');
    // The 24th of April begins at one o’clock.
    expect(bars.map(({ success }) => success).slice(0, -1)).toEqual([24, 24, 24, 24, 23, 24]);
  });
});
