import type { AttemptLogEntry } from '../storage/delivery-record.ts';
import type { AttemptRecord, ClaimedDelivery } from '../storage/delivery-requests.ts';
import { isTestDelivery } from '../test-deliveries.ts';
import { GONE } from './deactivation.ts';
import { pauseAfter, spread, withDeferral } from './deferral.ts';
import type { AttemptOutcome } from './outcome.ts';
import type { RetrySchedule } from './retry-schedule.ts';

/** The most entries in a delivery's log of attempts. */
const MAX_LOGGED_ATTEMPTS = 20;

/** What follows from an attempt for its delivery; a member that is absent is as when it ends. */
export type Verdict = Pick<AttemptRecord, 'attemptLog'> &
  Partial<Pick<AttemptRecord, 'status' | 'error' | 'retryInMs' | 'deferral'>>;

/** An attempt that was made. */
export interface MadeAttempt {
  readonly claimed: ClaimedDelivery;
  readonly outcome: AttemptOutcome;
  /** The attempts before. */
  readonly log: readonly AttemptLogEntry[];
  readonly entry: AttemptLogEntry;
}

/** Decides whether the delivery ends, is tried again, or waits for a busy recipient. */
export function judge(
  { claimed, outcome, log, entry }: MadeAttempt,
  { retry, disableOnGone }: { readonly retry: RetrySchedule; readonly disableOnGone: boolean },
): Verdict {
  const pauseMs = retry.deferBusy ? pauseAfter(outcome, retry.firstDelayMs) : undefined;
  if (pauseMs !== undefined) {
    const askedMs = spread(pauseMs);
    // A test says nothing of the events: it waits alone.
    const isAlone = isTestDelivery(claimed.deliveryId);
    const deferral = { webhookId: claimed.webhook.id, pauseMs: isAlone ? 0 : askedMs };
    const attemptLog = kept(withDeferral(log, entry));
    return { status: 'pending', error: 'deferred', attemptLog, retryInMs: askedMs, deferral };
  }
  const attemptLog = kept([...log, entry]);
  if (outcome.isSuccess || (disableOnGone && outcome.statusCode === GONE)) return { attemptLog };
  const retryInMs = retry.delayAfter(claimed.seriesAttempt);
  return retryInMs === undefined ? { attemptLog } : { attemptLog, status: 'pending', retryInMs };
}

/** The end of a log, as it is kept. */
export function kept(log: readonly AttemptLogEntry[]): readonly AttemptLogEntry[] {
  return log.slice(-MAX_LOGGED_ATTEMPTS);
}
