import type { AttemptLogEntry } from '../storage/delivery-record.ts';
import type { AttemptRecord } from '../storage/delivery-requests.ts';
import { type AttemptOutcome, MAX_RETRY_AFTER_MS } from './outcome.ts';

/** How long a recipient may be busy before its deliveries end as `failed`. */
export const MAX_BUSY_MS = 86_400_000;
/**
 * The shortest pause. It doubles with each one in a row, up to an hour: after two hours, a recipient
 * that stays busy gets a request an hour.
 */
const SHORTEST_PAUSE_MS = 1_000;
/**
 * So many deferrals of one delivery in a row pause its webhook, whatever becomes of others: where a
 * recipient refuses one request in seven, one delivery in 350 is put off more often.
 */
const MAX_PAUSES_IN_A_ROW = 3;

/**
 * How long a busy recipient asks to wait, by 429, or by 503 with a `Retry-After`. Undefined for
 * every other outcome.
 *
 * @param defaultMs what a 429 without `Retry-After` asks for
 * @returns milliseconds before {@link spread}, 1,000–3,600,000
 */
export function pauseAfter(
  { statusCode, retryAfterMs }: Pick<AttemptOutcome, 'statusCode' | 'retryAfterMs'>,
  defaultMs: number,
): number | undefined {
  const askedMs = statusCode === 429 ? (retryAfterMs ?? defaultMs) : retryAfterMs;
  if (askedMs === undefined) return undefined;
  return Math.min(Math.max(askedMs, SHORTEST_PAUSE_MS), MAX_RETRY_AFTER_MS);
}

/**
 * The record with the pause that its webhook makes. A test, which waits alone, ends after a day. A
 * delivery that is put off while others succeed does not: the recipient may take what it can of a
 * backlog.
 *
 * @param pauses how many pauses in a row this delivery has followed: see `ClaimedDelivery`
 * @param isPausing whether the webhook pauses, not only the delivery
 */
export function withPause(
  record: AttemptRecord,
  pauses: number,
  isPausing: (isStubborn: boolean) => boolean,
): AttemptRecord {
  const { deferral } = record;
  if (deferral === undefined) return record;
  const { count = 0, since = '' } = record.attemptLog.at(-1)?.deferrals ?? {};
  const isAlone = deferral.pauseMs === 0 || !isPausing(count > MAX_PAUSES_IN_A_ROW);
  if (deferral.pauseMs === 0 && record.now - Date.parse(since) >= MAX_BUSY_MS) {
    return { ...record, status: 'failed', error: 'busy' };
  }
  const inARow = isAlone ? count : pauses + 1;
  const leastMs = Math.min(SHORTEST_PAUSE_MS * 2 ** Math.min(inARow - 1, 12), MAX_RETRY_AFTER_MS);
  const retryInMs = Math.max(record.retryInMs, spread(leastMs));
  const pauseMs = isAlone ? 0 : Math.max(deferral.pauseMs, retryInMs);
  return { ...record, retryInMs, deferral: { ...deferral, pauseMs } };
}

/** Up to a tenth longer, at random: what was put off together does not return together. */
export function spread(ms: number, random: () => number = Math.random): number {
  return Math.round(ms * (1 + random() / 10));
}

/** The log with the deferred attempt: those in a row are one entry. */
export function withDeferral(log: readonly AttemptLogEntry[], entry: AttemptLogEntry): AttemptLogEntry[] {
  const count = deferralsInARow(log);
  const since = log.at(-1)?.deferrals?.since ?? entry.startedAt;
  const before = count === 0 ? log : log.slice(0, -1);
  return [...before, { ...entry, error: 'deferred', deferrals: { count: count + 1, since } }];
}

function deferralsInARow(log: readonly AttemptLogEntry[]): number {
  return log.at(-1)?.deferrals?.count ?? 0;
}
