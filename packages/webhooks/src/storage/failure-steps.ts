import type { FailureRun } from './overview-record.ts';

/** A run of failures that a storage keeps; it may be over. */
export interface KeptRun {
  readonly webhookId: number;
  readonly run: FailureRun;
  /** When a delivery of the webhook last succeeded; '' before the first success. */
  readonly lastSuccessAt: string;
  /** The activation of the webhook; null if it is inactive or was removed. */
  readonly activation: number | null;
  /** Now, by the clock that gives deliveries the time of their end. */
  readonly now: string;
}

/** Which runs to pass to a step, and the step. */
export interface StepRequest {
  /**
   * The caller's clock, ms since the epoch. A storage that several machines share ignores it and
   * uses its database's clock.
   */
  readonly now: number;
  /** Only those of these webhooks, at most 100. Default: all. */
  readonly webhookIds?: readonly number[];
  /** Only those of webhooks with a higher id. Default: all. */
  readonly after?: number;
  /** 1–1,000: at most this many. */
  readonly limit: number;
  /** Returns the run itself if nothing is to be changed, and null if it is to be removed. */
  step(kept: KeptRun): FailureRun | null;
}

/** A run that was passed to a step, with what is kept of it. */
export interface FailureStep extends KeptRun {
  readonly after: FailureRun | null;
}
