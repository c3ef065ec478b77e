/** A server that asks for longer is asked again after an hour. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Reads a Retry-After header (RFC 9110 section 10.2.3): whole seconds, or a date.
 *
 * @param date - The Date header of the same answer: both are times of the server's clock, so ours
 *   does not matter
 * @returns Milliseconds, 0 to {@link MAX_RETRY_AFTER_MS}; 0 for none and for text that is neither
 *   form
 */
export function readRetryAfter(retryAfter: string | null, date: string | null, now: number): number {
  const text = retryAfter?.trim() ?? '';
  const sentAt = Date.parse(date ?? '');
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - (Number.isNaN(sentAt) ? now : sentAt);
  return Math.min(Math.max(waitMs || 0, 0), MAX_RETRY_AFTER_MS);
}
