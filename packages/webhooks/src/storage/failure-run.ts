import { timestampText } from '../clock.ts';
import type { FailureRun, WebhookHealth } from './records.ts';

/** Webhooks are ordered by their level as by its index. */
export const HEALTH_LEVELS = ['healthy', 'degraded', 'down'] as const;

/** See {@link levelOf}. */
export type HealthLevel = (typeof HEALTH_LEVELS)[number];

/** A webhook is down once this many deliveries have failed in a run. */
export const MIN_FAILURES = 3;

/** A webhook is degraded while it has fewer successes than this for each failure: below 95 %. */
export const SUCCESSES_PER_FAILURE = 19;

/**
 * The one rule of a webhook's health, for storages, hooks, API and panel:
 *
 * - `down`: at least three deliveries have ended as `failed`, and none has succeeded since the
 *   first of them.
 * - `degraded`: less than 95 % of the deliveries succeeded that were created in the last 24 hours
 *   and have ended.
 * - `healthy`: neither.
 */
export function levelOf(
  health: Pick<WebhookHealth, 'success' | 'failed'>,
  run: FailureRun | null,
): HealthLevel {
  if (run !== null && run.failed >= MIN_FAILURES) return 'down';
  return health.success < SUCCESSES_PER_FAILURE * health.failed ? 'degraded' : 'healthy';
}

/** Nothing has failed yet. */
export const NO_RUN: FailureRun = {
  ...{ activation: 0, failed: 0, since: '', secondAt: '', lastAt: '', error: '' },
  ...{ endedAt: '', told: 0, probes: 0, probe: '', recoverFrom: '', recoverUntil: '', leasedUntil: '' },
};

/** A delivery that has just ended as `failed`, after an attempt. */
export interface FailedEnd extends Pick<FailureRun, 'activation' | 'error'> {
  readonly completedAt: string;
}

/**
 * What a storage keeps after further failures.
 *
 * @param before undefined if it keeps nothing yet
 * @param failures by the time of their end
 * @param lastSuccessAt when a delivery of the webhook last succeeded; '' before the first success.
 *   Of two that ended in one millisecond, the success counts as the later
 */
export function failureRunAfter(
  before: FailureRun = NO_RUN,
  failures: readonly FailedEnd[],
  lastSuccessAt: string,
): FailureRun {
  // A success that was recorded beside these failures may be known by the end of the run alone.
  const succeededAt = before.endedAt > lastSuccessAt ? before.endedAt : lastSuccessAt;
  let run = before;
  for (const { completedAt, activation, error } of failures) {
    if (completedAt <= succeededAt || activation < run.activation) continue;
    const last = { activation, lastAt: completedAt, error, endedAt: '' };
    run = isOngoing(run, activation, succeededAt)
      ? { ...run, ...last, failed: run.failed + 1, secondAt: run.failed === 1 ? completedAt : run.secondAt }
      : {
          ...endedRun(run, activation),
          ...last,
          failed: 1,
          since: completedAt,
          secondAt: completedAt,
        };
  }
  return run;
}

/** Whether a run that is kept goes on. A success or a new activation ends it. */
export function isOngoing(run: FailureRun, activation: number, lastSuccessAt: string): boolean {
  return run.activation === activation && run.since > lastSuccessAt;
}

/** A run as an overview tells it. */
export function shownRun(run: FailureRun, activation: number, lastSuccessAt: string): FailureRun | null {
  if (isOngoing(run, activation, lastSuccessAt)) return run;
  const ended = endedRun(run, activation);
  return ended.recoverUntil === '' ? null : ended;
}

/** An outage lasts at least this long. */
const MIN_OUTAGE_MS = 600_000;

/**
 * What is left of a run that is over: the recovery, if the run was an outage, and whether the host
 * is still to be told that the webhook is well. An outage is a time of at least ten minutes in
 * which at least three deliveries failed, and none succeeded. A new activation ends recoveries,
 * too.
 */
export function endedRun(run: FailureRun, activation: number): FailureRun {
  if (run.activation !== activation) return { ...NO_RUN, activation };
  const { told, since, endedAt, recoverFrom, recoverUntil, leasedUntil } = run;
  // Not so where no end is kept: a success was written beside the first failures.
  const isOutage = run.failed >= MIN_FAILURES && Date.parse(endedAt) - Date.parse(since) >= MIN_OUTAGE_MS;
  const recovery = isOutage
    ? { recoverFrom: recoverFrom || since, recoverUntil: endedAt }
    : { recoverFrom, recoverUntil };
  return { ...NO_RUN, activation, told, ...recovery, leasedUntil };
}

/** The second failure and the one that deactivates a webhook are this far apart at least. */
const MIN_SPREAD_MS = 86_400_000;

/**
 * When a failure deactivates a webhook, at the earliest; null if it is not down. One bad night of a
 * webhook with few events is not enough, however long ago its last success was.
 *
 * @param afterMs 0: never
 */
export function disablesAtOf(run: FailureRun | null | undefined, afterMs: number): string | null {
  if (!run || run.failed < MIN_FAILURES || afterMs === 0) return null;
  return timestampText(Math.max(Date.parse(run.since) + afterMs, Date.parse(run.secondAt) + MIN_SPREAD_MS));
}
