import { expect, it } from 'vitest';
import { timestampText } from '../../src/clock.ts';
import { claimedSince, hourOf, withHour } from '../../src/storage/claimed-hours.ts';

const HOUR_MS = 3_600_000;

it('knows of as many hours as the longest time that deliveries may be due, beside the present one', () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  let hours: readonly string[] = [];
  for (let hour = 0; hour < 100 * 24; hour++) hours = withHour(hours, hourOf(start + hour * HOUR_MS));
  const present = start + (100 * 24 - 1) * HOUR_MS;
  const longest = 90 * 24;
  expect(claimedSince(hours, longest, hourOf(present))).toBe(
    timestampText(present - longest * HOUR_MS).slice(0, 13),
  );
  expect(claimedSince(hours, longest + 1, hourOf(present))).toBeUndefined();
});
