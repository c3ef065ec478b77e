/**
 * An HTTP date: with its zone, or as C's `asctime` writes it, `Sun Nov  6 08:49:37 1994`, which is
 * in GMT. `Date.parse` accepts much that is no such date, and takes the latter for local time.
 */
const HTTP_DATE = /^[A-Z][a-z]{2}.* (?:GMT|\d{4})$/;

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

function parseHttpDate(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text.replace(/ GMT$|$/, ' GMT')) : Number.NaN;
}
