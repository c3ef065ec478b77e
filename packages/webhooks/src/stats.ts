/**
 * What this engine has done since it was created, in this process alone: counters that only grow.
 * Another process counts the deliveries that it dispatches or attempts.
 */
export type EngineStats = {
  /**
   * Dispatches written, those without a subscriber included; with `transaction`, whether or not
   * that commits.
   */
  readonly dispatched: number;
  /** Dispatches among these whose idempotency key was seen before: they wrote nothing. */
  readonly repeated: number;
  /** Dispatches refused or failed, each of which rejected and went to `onError`. */
  readonly refused: number;
  /**
   * Delivery records that these dispatches wrote, whether or not a host's transaction commits;
   * tests included.
   */
  readonly deliveries: number;
  /** Attempts sent whose result is durable: the three below together. */
  readonly attempts: number;
  readonly succeeded: number;
  readonly failedAttempts: number;
  /** Attempts that a busy recipient put off, by 429, or by 503 with `Retry-After`. */
  readonly deferred: number;
  /**
   * Deliveries that ended as `failed` here: attempts used up, 410 with `disableOnGone`, or the
   * webhook was inactive.
   */
  readonly exhausted: number;
  /** Pending deliveries that a purge ended as `failed` with error `expired`: for age, or `pendingDays`. */
  readonly expired: number;
  /**
   * Results that came after another worker had leased the delivery, and changed nothing; not those
   * of removed webhooks.
   */
  readonly discarded: number;
  /**
   * Results that the storage did not take: their deliveries are claimed again once the lease ends.
   */
  readonly unrecorded: number;
  /** Failed deliveries that `redeliver` and `recover` began again. */
  readonly reopened: number;
  /** Webhooks that this engine deactivated. */
  readonly disabled: number;
};

/** The counters, for the parts that increase them. */
export type Counters = { -readonly [Name in keyof EngineStats]: number };

/** @internal Every counter at zero. */
export function createCounters(): Counters {
  return {
    dispatched: 0,
    repeated: 0,
    refused: 0,
    deliveries: 0,
    attempts: 0,
    succeeded: 0,
    failedAttempts: 0,
    deferred: 0,
    exhausted: 0,
    expired: 0,
    discarded: 0,
    unrecorded: 0,
    reopened: 0,
    disabled: 0,
  };
}
