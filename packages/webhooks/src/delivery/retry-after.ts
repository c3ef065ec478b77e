/** The longest pause a recipient can ask for. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Reads a Retry-After header, in seconds or as an HTTP date, as milliseconds from now: 0–1 h, 0 when it is absent or
 * says nothing.
 *
 * Source: RFC 9110, section 10.2.3.
 */
export function retryAfterMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS);
  // Date.parse takes many things that are no HTTP date; one begins with the name of a day.
  const time = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? 0 : Math.min(Math.max(time - now, 0), MAX_RETRY_AFTER_MS);
}
