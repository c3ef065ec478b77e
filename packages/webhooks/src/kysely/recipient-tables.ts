import type { Generated } from 'kysely';

/**
 * The last pause that a webhook's recipient asked for; it may be over. In a table of its own: a
 * result that pauses a webhook never waits for a change to the webhook.
 */
export interface PauseTable {
  webhook_id: number;
  /** Or until when the delivery that goes first after the pause is leased. */
  paused_until: string;
  /** How many pauses in a row, without a success. */
  pauses: Generated<number>;
  /** The webhook's `activations` when it was asked for: another activation ends the pause. */
  activation: number;
}

/**
 * A webhook's {@link FailureRun}: a row from the first failure or pause on, which may be over. Those
 * write it, and the first success after them. What statements ask for has a column.
 */
export interface FailureTable {
  webhook_id: number;
  /** The webhook's `activations` at the claims that failed: another activation ends the run. */
  activation: Generated<number>;
  /** 0 before the first one is written. */
  failed: Generated<number>;
  /** When the first and the last of them ended; '' as above. */
  since: Generated<string>;
  last_at: Generated<string>;
  /** When the first success after them ended; '' before. */
  ended_at: Generated<string>;
  /** Since when the recipient asks to wait, and when it asked again after a pause; '' as above. */
  busy_since: Generated<string>;
  busy_again_at: Generated<string>;
  /** The other members as a JSON object; those that are absent are as before the first failure. */
  rest: Generated<string>;
}
