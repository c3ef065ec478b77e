/** The longest pause that a recipient can ask for. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/** An HTTP date with its zone. */
const DATE_IN_GMT = /^[A-Z][a-z]{2}.* GMT$/;
/**
 * C's `asctime`: `Sun Nov  6 08:49:37 1994`. It has no zone and is in GMT, where `Date.parse`
 * assumes local time.
 */
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * Reads a Retry-After header, in seconds or as an HTTP date, as milliseconds from now: 0–1 h, 0
 * when it is absent or unreadable.
 *
 * Source: RFC 9110, sections 10.2.3 and 5.6.7.
 */
export function retryAfterMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS);
  const time = parseHttpDate(text);
  return Number.isNaN(time) ? 0 : Math.min(Math.max(time - now, 0), MAX_RETRY_AFTER_MS);
}

/** `Date.parse` accepts much that is no HTTP date: one begins with the name of a day. */
function parseHttpDate(text: string): number {
  if (DATE_IN_GMT.test(text)) return Date.parse(text);
  return ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
