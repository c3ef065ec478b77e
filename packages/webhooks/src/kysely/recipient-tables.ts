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
 * A webhook's failures since its last success: a row from the first failure on, which may be over.
 * Failures write it, and the first success after them.
 */
export interface FailureTable {
  webhook_id: number;
  /** The webhook's `activations` at the claims that failed: another activation ends the run. */
  activation: Generated<number>;
  /** 0 before the first one is written. */
  failed: Generated<number>;
  /** When the first, the second and the last of them ended; '' as above. */
  since: Generated<string>;
  second_at: Generated<string>;
  last_at: Generated<string>;
  /** The error of the last one. */
  error: Generated<string>;
  /** When the first success after them ended; '' before. */
  ended_at: Generated<string>;
  /** Since when the recipient asks to wait, and when it asked again after a pause; '' as above. */
  busy_since: Generated<string>;
  busy_again_at: Generated<string>;
  /** How often the host was told of the run. */
  told: Generated<number>;
  /** How many probes there were, and the `delivery_id` of the last one. */
  probes: Generated<number>;
  probe: Generated<string>;
  /** The earlier outage whose deliveries are being reopened; '' if there is none. */
  recover_from: Generated<string>;
  recover_until: Generated<string>;
  /** Until when one process reopens them. */
  leased_until: Generated<string>;
}
