import type { DeliverySummary } from './records.ts';

const SOON_MS = 2_000;
const LATE_MS = 30_000;

/**
 * The milliseconds until deliveries are read again: few while an attempt is due, more while one
 * waits for its retry. Infinity once all have ended.
 */
export function refreshDelay(
  deliveries: readonly Pick<DeliverySummary, 'status' | 'next_attempt_at'>[],
  now: number,
): number {
  const pending = deliveries.filter(({ status }) => status === 'pending');
  if (pending.length === 0) return Number.POSITIVE_INFINITY;
  const waits = pending.map(({ next_attempt_at: due }) => (due === null ? 0 : Date.parse(due) - now));
  return Math.min(Math.max(Math.min(...waits), SOON_MS), LATE_MS);
}
