import { type Pause, type PauseResult, pauseAfterResult } from './deferral.ts';
import { type RunEvent, runAfter } from './failure-run.ts';
import type { FailureRun } from './overview-record.ts';

/** What a storage keeps of a webhook beside its results: it passes what it has, and keeps the answer. */
export interface ResultRules {
  /**
   * The run of failures after what happened: `before` itself if that says as much.
   *
   * @param before undefined if nothing is kept yet
   * @param events those that one call records, in any order; successes may be left out where the
   *   storage has ended the run already
   * @param lastSuccessAt when a delivery of the webhook last succeeded; '' before the first success
   */
  runAfter(before: FailureRun | undefined, events: readonly RunEvent[], lastSuccessAt: string): FailureRun;
  /**
   * The pause after a result that has a deferral with a pause, or is `resumed`; undefined if nothing
   * is left of it.
   *
   * @param now ms since the epoch, by the clock that says what is due
   */
  pauseAfter(before: Pause | undefined, result: PauseResult, now: number): Pause | undefined;
}

export const RESULT_RULES: ResultRules = { runAfter, pauseAfter: pauseAfterResult };
