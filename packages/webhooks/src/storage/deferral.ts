import type { DeliveryStatus } from './delivery-record.ts';

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
   * While it pauses, claims leave its deliveries out. A later end replaces an earlier one, and that
   * of the delivery which went first any other. The pause is of the record's `activation`; a new
   * activation or an inactive webhook ends it.
   */
  readonly pauseMs: number;
}

/** A webhook's pause as a storage keeps it, from the first deferral to the next success. */
export interface Pause {
  /** When it ends, or the lease of the delivery that goes first after it; ms since the epoch. */
  readonly untilMs: number;
  /** The webhook's activation when it was asked for. */
  readonly activation: number;
  /** How many there were in a row. */
  readonly count: number;
}

/** What a result says of its webhook's pause: see `AttemptRecord`. */
export interface PauseResult {
  readonly activation: number;
  readonly status: DeliveryStatus;
  readonly deferral?: Deferral | undefined;
  readonly resumed?: object | undefined;
}

/**
 * What a storage keeps after a result with a pause, or of the delivery that went first after one.
 *
 * @returns undefined if nothing is left of it
 */
export function pauseAfterResult(
  before: Pause | undefined,
  { activation, deferral, resumed, status }: PauseResult,
  now: number,
): Pause | undefined {
  const pauseMs = deferral?.pauseMs ?? 0;
  const isSame = before?.activation === activation;
  if (pauseMs === 0) {
    if (before === undefined || resumed === undefined) return before;
    // A test says nothing of the events.
    return isSame && status === 'success' ? undefined : { ...before, untilMs: now };
  }
  const untilMs = now + pauseMs;
  if (before === undefined || activation > before.activation) return { untilMs, activation, count: 1 };
  if (!isSame) return before;
  if (resumed) return { untilMs, activation, count: before.count + 1 };
  const isLater = untilMs > before.untilMs || before.untilMs > now + MAX_PAUSE_MS;
  return isLater ? { ...before, untilMs } : before;
}
