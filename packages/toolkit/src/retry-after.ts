/**
 * Reads a Retry-After header (RFC 9110 section 10.2.3): whole seconds, or a date.
 *
 * @param date - The Date header of the same answer: both are times of the server's clock, so ours
 *   does not matter
 * @returns Milliseconds, 0 to `maxMs`; 0 for none and for text that is neither form
 */
export function readRetryAfter(
  retryAfter: string | null,
  date: string | null,
  now: number,
  maxMs: number,
): number {
  const text = retryAfter?.trim() ?? '';
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - (Date.parse(date ?? '') || now);
  return Math.min(Math.max(waitMs || 0, 0), maxMs);
}
