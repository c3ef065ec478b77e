import { timestampText } from '../clock.ts';
import type { FailureRun, WebhookHealth } from './overview-record.ts';

/** Webhooks are ordered by their level as by its index. */
export const HEALTH_LEVELS = ['healthy', 'degraded', 'down'] as const;

/** See {@link levelOf}. */
export type HealthLevel = (typeof HEALTH_LEVELS)[number];

/** A webhook is down once this many deliveries have failed in a run. */
export const MIN_FAILURES = 3;

/** A webhook is degraded once its recipient has been busy for so long, and down after an hour. */
export const BUSY_DEGRADED_MS = 600_000;
export const BUSY_DOWN_MS = 3_600_000;

/** A webhook is degraded while it has fewer successes than this for each failure: below 95 %. */
export const SUCCESSES_PER_FAILURE = 19;

/**
 * The one rule of a webhook's health, for storages, hooks, API and panel:
 *
 * - `down`: at least three deliveries have ended as `failed`, and none has succeeded since the
 *   first of them. Or its recipient has asked to wait for an hour, again after its first pause, and
 *   none has succeeded since.
 * - `degraded`: less than 95 % of the deliveries succeeded that were created in the last 24 hours
 *   and have ended. Or its recipient has asked to wait for ten minutes, and none has succeeded.
 * - `healthy`: neither.
 *
 * @param now ms since the epoch
 */
export function levelOf(
  health: Pick<WebhookHealth, 'success' | 'failed'>,
  run: FailureRun | null,
  now: number,
): HealthLevel {
  if (downSinceOf(run, now) !== '') return 'down';
  const isBusy = run !== null && isBusyFor(run, BUSY_DEGRADED_MS, now);
  return isBusy || health.success < SUCCESSES_PER_FAILURE * health.failed ? 'degraded' : 'healthy';
}

/** Since when a webhook with this run is down; '' if it is not. */
export function downSinceOf(run: FailureRun | null, now: number): string {
  if (run === null) return '';
  const failing = run.failed >= MIN_FAILURES ? run.since : '';
  const busy = run.busyAgainAt !== '' && isBusyFor(run, BUSY_DOWN_MS, now) ? run.busySince : '';
  return failing === '' || (busy !== '' && busy < failing) ? busy : failing;
}

function isBusyFor({ busySince }: FailureRun, ms: number, now: number): boolean {
  return busySince !== '' && now - Date.parse(busySince) >= ms;
}

/** Nothing has failed yet. */
export const NO_RUN: FailureRun = {
  activation: 0,
  failed: 0,
  since: '',
  secondAt: '',
  lastAt: '',
  error: '',
  endedAt: '',
  busySince: '',
  busyAgainAt: '',
  told: 0,
  probes: 0,
  probe: '',
  recoverFrom: '',
  recoverUntil: '',
  leasedUntil: '',
};

/** What has just happened at a recipient: a delivery ended, or it asked to wait. */
export interface RunEvent {
  /** The webhook's activation at the claim. */
  readonly activation: number;
  readonly at: string;
  readonly happened: 'succeeded' | 'asked' | 'asked again' | { readonly failedWith: string };
}

/**
 * What a storage keeps of a webhook after what happened at it: `before` itself if that says as much.
 * The first success ends the run. Of two deliveries that ended in one millisecond, the success
 * counts as the later.
 *
 * @param before undefined if it keeps nothing yet
 * @param events those that one call records, in any order; successes may be left out where the
 *   storage has ended the run already
 * @param lastSuccessAt when a delivery of the webhook last succeeded; '' before the first success
 */
export function runAfter(
  before: FailureRun = NO_RUN,
  events: readonly RunEvent[],
  lastSuccessAt: string,
): FailureRun {
  const inOrder = [...events].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const successes = inOrder.filter(({ happened }) => happened === 'succeeded').map(({ at }) => at);
  // One that came late may be older than the run.
  const first = successes.find((at) => at >= before.since);
  const isEnding = first !== undefined && before.failed > 0 && before.endedAt === '';
  let run = isEnding ? { ...before, endedAt: first } : before;
  const succeededAt = [lastSuccessAt, successes.at(-1) ?? '', run.endedAt].sort().at(-1) ?? '';
  for (const { activation, at, happened } of inOrder) {
    if (happened === 'succeeded' || at <= succeededAt || activation < run.activation) continue;
    const present = presentRun(run, activation, succeededAt);
    if (typeof happened === 'object') run = failedRun(present, at, happened.failedWith);
    // Also in place of one that a clock which was wrong has left behind.
    else if (present.busySince === '' || present.busySince > at) {
      run = { ...present, busySince: at, busyAgainAt: '' };
    } else if (happened === 'asked again') run = { ...present, busyAgainAt: at };
  }
  return run;
}

function failedRun(run: FailureRun, at: string, error: string): FailureRun {
  const begun = run.failed === 0 ? { since: at, secondAt: at } : run.failed === 1 ? { secondAt: at } : {};
  return { ...run, ...begun, failed: run.failed + 1, lastAt: at, error, endedAt: '' };
}

/** A run without what is over of it: a success or a new activation ends it. */
export function presentRun(run: FailureRun, activation: number, lastSuccessAt: string): FailureRun {
  if (run.activation !== activation) return { ...NO_RUN, activation };
  const failing = run.since > lastSuccessAt ? run : endedRun(run, activation);
  const { busySince, busyAgainAt } = run.busySince > lastSuccessAt ? run : NO_RUN;
  return { ...failing, busySince, busyAgainAt };
}

/** A run as an overview tells it. */
export function shownRun(run: FailureRun, activation: number, lastSuccessAt: string): FailureRun | null {
  const shown = presentRun(run, activation, lastSuccessAt);
  return shown.failed === 0 && shown.busySince === '' && shown.recoverUntil === '' ? null : shown;
}

/** An outage lasts at least this long. */
const MIN_OUTAGE_MS = 600_000;

/**
 * What is left of a run that is over: the recovery, if the run was an outage, and whether the host
 * is still to be told that the webhook is well. An outage is a time of at least ten minutes in
 * which at least three deliveries failed, or waited for a busy recipient until they did, and none
 * succeeded. A new activation ends recoveries,
 * too.
 */
export function endedRun(run: FailureRun, activation: number): FailureRun {
  if (run.activation !== activation) return { ...NO_RUN, activation };
  const { told, since, busySince, endedAt, recoverFrom, recoverUntil, leasedUntil } = run;
  const begunAt = busySince !== '' && busySince < since ? busySince : since;
  // Not so where no end is kept: a success was written beside the first failures.
  const isOutage = run.failed >= MIN_FAILURES && Date.parse(endedAt) - Date.parse(begunAt) >= MIN_OUTAGE_MS;
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
 * @param now ms since the epoch
 */
export function disablesAtOf(
  run: FailureRun | null | undefined,
  afterMs: number,
  now: number,
): string | null {
  if (!run || afterMs === 0 || downSinceOf(run, now) === '') return null;
  const failing = Math.max(Date.parse(run.since) + afterMs, Date.parse(run.secondAt) + MIN_SPREAD_MS);
  const busy = Date.parse(run.busySince) + Math.max(afterMs, MIN_SPREAD_MS);
  const times = [...(run.failed >= MIN_FAILURES ? [failing] : []), ...(run.busyAgainAt === '' ? [] : [busy])];
  return timestampText(Math.min(...times));
}
