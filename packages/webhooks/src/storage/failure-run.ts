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

/** A delivery that has just ended as `failed`, after an attempt. */
export interface FailedEnd extends Pick<FailureRun, 'activation' | 'error'> {
  readonly completedAt: string;
}

/**
 * What a storage keeps after further failures.
 *
 * @param before undefined if it has kept nothing yet
 * @param failures by the time of their end
 * @param lastSuccessAt when a delivery of the webhook last succeeded; '' before the first success.
 *   Of two that ended in one millisecond, the success counts as the later
 */
export function failureRunAfter(
  before: FailureRun | undefined,
  failures: readonly FailedEnd[],
  lastSuccessAt: string,
): FailureRun | undefined {
  let run: FailureRun | undefined = before;
  for (const { completedAt, activation, error } of failures) {
    if (completedAt <= lastSuccessAt || activation < (run?.activation ?? 0)) continue;
    const last = { activation, lastAt: completedAt, error };
    run =
      run !== undefined && isOngoing(run, activation, lastSuccessAt)
        ? { ...run, ...last, failed: run.failed + 1, secondAt: run.failed === 1 ? completedAt : run.secondAt }
        : { ...last, failed: 1, since: completedAt, secondAt: completedAt };
  }
  return run;
}

/** Whether a run that is kept goes on. A success ends it, and so does a new activation. */
export function isOngoing(run: FailureRun, activation: number, lastSuccessAt: string): boolean {
  return run.activation === activation && run.since > lastSuccessAt;
}
