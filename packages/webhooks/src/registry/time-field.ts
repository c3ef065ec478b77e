import { z } from 'zod';

/** RFC 3339 section 5.6, the letters in either case. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
/** Stored timestamps sort as text from year 0 to 9999, and none is older than this software. */
const LAST_MS = Date.parse('2999-12-31T23:59:59.999Z');

/**
 * A time as callers pass it: a `Date`, or RFC 3339 text with its offset, from 1970 to 2999. Text
 * without an offset is refused, because its meaning depends on the machine's time zone.
 */
export const timeField: z.ZodType<number, Date | string> = z
  .union([z.date(), z.string().max(64)], {
    error: 'must be a Date or RFC 3339 text such as 2026-11-20T04:00:00Z',
  })
  .transform((given, context) => {
    const epochMs = given instanceof Date ? given.getTime() : epochMsOf(given);
    if (epochMs >= 0 && epochMs <= LAST_MS) return epochMs;
    context.addIssue({
      code: 'custom',
      message: 'must be a time from 1970 to 2999, as text in RFC 3339 form such as 2026-11-20T04:00:00Z',
    });
    return z.NEVER;
  });

/**
 * NaN for text of any other form, and for invalid days: `Date.parse` turns 30 February into 2
 * March.
 */
function epochMsOf(text: string): number {
  if (!RFC_3339.test(text)) return Number.NaN;
  const epochMs = Date.parse(text.toUpperCase());
  const daysInMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return Number(text.slice(8, 10)) <= daysInMonth ? epochMs : Number.NaN;
}
