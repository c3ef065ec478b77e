import type { PollOutcome } from './status-answer.ts';

/** A new token is asked for this long before the old one expires. */
const VISIBLE_MARGIN_MS = 30_000;
/** Browsers wake the timers of a hidden tab once a minute, so it starts earlier. */
const HIDDEN_MARGIN_MS = 90_000;
/** However long a token lives, and whatever a server asks for. */
const MAX_DELAY_MS = 3_600_000;
/** The interval over the first pause after a failure: 60 s over 5. */
const FIRST_BACKOFF_DIVISOR = 12;
/** The longest pause between repeats, as a multiple of the interval: 5 minutes of one. */
const MAX_BACKOFF = 5;
const MAX_MIN_GAP_MS = 1_000;

export interface ScheduleInput {
  readonly intervalMs: number;
  readonly isVisible: boolean;
  /**
   * Whether this tab polled last, and therefore polls next. The others stand in when it does not.
   */
  readonly leads: boolean;
  /** Random, 0 up to 1: spreads browsers over time, and the tabs of one browser. */
  readonly spread: number;
}

/** The least time between two polls, whatever happens: 1 s, or a quarter of a short interval. */
export function minGapMs(intervalMs: number): number {
  return Math.min(MAX_MIN_GAP_MS, intervalMs / 4);
}

/**
 * Returns the time from one poll to the next, in ms since the request of the first was sent.
 *
 * The tab that polled last is due after 90–100 % of the interval, every other visible tab after
 * 105–115 %. While the first is alive, the others never poll; after it was closed, crashed or
 * frozen, one of them does, without having to notice. A hidden tab only keeps the access token
 * alive. Every tab is due before the token expires, by the server's clock alone.
 */
export function nextPollAfter(outcome: PollOutcome, input: ScheduleInput): number {
  const delay = outcome.kind === 'failed' ? retryAfter(outcome, input) : refreshAfter(outcome, input);
  return Math.min(Math.max(delay, minGapMs(input.intervalMs)), MAX_DELAY_MS);
}

function refreshAfter(outcome: PollOutcome, { intervalMs, isVisible, leads, spread }: ScheduleInput): number {
  if (outcome.kind !== 'refreshed') return MAX_DELAY_MS;
  const remainingMs = (outcome.session.expiresAt - outcome.session.serverTime) * 1000;
  const margin = Math.min(isVisible ? VISIBLE_MARGIN_MS : HIDDEN_MARGIN_MS, remainingMs / 3);
  const deadline = remainingMs - margin * ((leads ? 1 : 0.5) + spread / 3);
  const rhythm = isVisible ? intervalMs * ((leads ? 0.9 : 1.05) + spread / 10) : MAX_DELAY_MS;
  return Math.min(rhythm, deadline);
}

/**
 * The later of a doubling backoff and the server's pause; a little later in tabs that did not poll
 * last.
 */
function retryAfter(
  { failure, retryAfterMs }: PollOutcome & { kind: 'failed' },
  { intervalMs, leads, spread }: ScheduleInput,
): number {
  const doubled = (intervalMs / FIRST_BACKOFF_DIVISOR) * 2 ** Math.max(0, failure.failures - 1);
  const backoff = Math.min(doubled, intervalMs * MAX_BACKOFF) * (0.75 + spread / 4);
  return Math.max(backoff, retryAfterMs * (1 + spread / 10)) * (leads ? 1 : 1.5 + spread / 10);
}
