import type { AttemptRecord, ClaimedDelivery } from '../storage/delivery-requests.ts';
import type { AttemptLogEntry } from '../storage/records.ts';
import { type AttemptOutcome, MAX_RETRY_AFTER_MS } from './outcome.ts';

/** Deferrals of a series count as failures once it has lasted this long. */
const MAX_SERIES_MS = 86_400_000;
/** The shortest pause: it doubles with each one in a row, up to the second. */
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_SHORTEST_PAUSE_MS = 30_000;
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

/** Whether the series is young enough for an attempt not to count. */
export function mayBeDeferred(
  claimed: ClaimedDelivery,
  log: readonly AttemptLogEntry[],
  now: number,
): boolean {
  return now - startOfSeries(claimed, log, now) < MAX_SERIES_MS;
}

/**
 * The record with the pause that its webhook makes.
 *
 * @param pausesInARow how many the recipient has asked for in a row, this one included; undefined
 *   if only the delivery waits
 */
export function withPause(
  record: AttemptRecord,
  pausesInARow: (isStubborn: boolean) => number | undefined,
): AttemptRecord {
  const { deferral, attemptLog, retryInMs } = record;
  if (deferral === undefined) return record;
  const count = deferralsInARow(attemptLog);
  const pauses = deferral.pauseMs > 0 ? pausesInARow(count > MAX_PAUSES_IN_A_ROW) : undefined;
  const inARow = Math.max(pauses ?? count, 1);
  const leastMs = SHORTEST_PAUSE_MS * 2 ** Math.min(inARow - 1, 10);
  const spreadMs = spread(Math.min(leastMs, LONGEST_SHORTEST_PAUSE_MS));
  return {
    ...record,
    retryInMs: Math.max(retryInMs, spreadMs),
    deferral: { ...deferral, pauseMs: pauses === undefined ? 0 : Math.max(deferral.pauseMs, spreadMs) },
  };
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

/** When the series' first attempt began that the log knows of, ms since the epoch. */
function startOfSeries(
  { attempt, seriesAttempt, deferrals }: ClaimedDelivery,
  log: readonly AttemptLogEntry[],
  now: number,
): number {
  const attemptsBefore = attempt - seriesAttempt - deferrals;
  const first = log.find((entry) => entry.attempt - (entry.deferrals?.count ?? 1) >= attemptsBefore);
  return first === undefined ? now : Date.parse(first.deferrals?.since ?? first.startedAt);
}
