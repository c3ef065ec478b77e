/** An HTTP date with its zone. */
const DATE_IN_GMT = /^[A-Z][a-z]{2}.* GMT$/;
/**
 * C's `asctime`: `Sun Nov  6 08:49:37 1994`. It has no zone and is in GMT, where `Date.parse`
 * assumes local time.
 */
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * Reads a Retry-After header: whole seconds, or an HTTP date (RFC 9110, sections 10.2.3 and 5.6.7).
 *
 * @param date - The Date header of the same answer: both are times of the server's clock, so ours
 *   does not matter. Without one, `now` counts
 * @returns Milliseconds, 0 to `maxMs`; `undefined` for none and for text that is neither form
 */
export function readRetryAfter(
  retryAfter: string | null | undefined,
  date: string | null | undefined,
  now: number,
  maxMs: number,
): number | undefined {
  const text = retryAfter?.trim() ?? '';
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : parseHttpDate(text) - (parseHttpDate(date?.trim() ?? '') || now);
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), maxMs);
}

/** `Date.parse` accepts much that is no HTTP date: one begins with the name of a day. */
function parseHttpDate(text: string): number {
  if (DATE_IN_GMT.test(text)) return Date.parse(text);
  return ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
