/**
 * The longest pause: an hour and a tenth. An end beyond it, such as a clock that was wrong leaves
 * behind, pauses nothing, and any other one replaces it.
 */
export const MAX_PAUSE_MS = 3_960_000;

/** A recipient's "not now". */
export interface Deferral {
  readonly webhookId: number;
  /**
   * How long the webhook pauses, counted from `now`, 1 s – 1.1 h; 0: only this delivery waits.
   * While it pauses, claims leave its deliveries out. A later end replaces an earlier one. The
   * pause is of the record's `activation`; a new activation or an inactive webhook ends it.
   */
  readonly pauseMs: number;
  /** Whether the attempt counts in its series all the same. Default: false. */
  readonly isCounted?: boolean;
}
