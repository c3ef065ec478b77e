import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDialect } from './webhook-dialect.ts';

/** How often a transaction that met contention is tried again. */
const MAX_CONTENTION_RETRIES = 12;
/** No try begins later than this: each may block for a whole busy timeout before it fails. */
const MAX_CONTENTION_MS = 2_000;
const FIRST_RETRY_DELAY_MS = 5;
const MAX_RETRY_DELAY_MS = 250;

/** The clock of the retries; tests bring their own. */
export interface RetryTime {
  /** Milliseconds of a monotonic clock, from any origin. */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const realTime: RetryTime = { now: () => performance.now(), pause: sleep };

/**
 * Runs `work` until it succeeds, fails for another reason than contention, or has had its time: 12
 * more tries, the last begun within 2 s of the first.
 */
export async function retryContention<Result>(
  dialect: WebhookDialect,
  work: () => Promise<Result>,
  time: RetryTime = realTime,
): Promise<Result> {
  const lastStart = time.now() + MAX_CONTENTION_MS;
  for (let retry = 0; ; retry++) {
    // Jitter keeps processes that collided from colliding again: each waits between half and the
    // whole of the delay.
    const delayMs =
      Math.min(FIRST_RETRY_DELAY_MS * 2 ** retry, MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2);
    try {
      return await work();
    } catch (error) {
      const isOver = retry === MAX_CONTENTION_RETRIES || time.now() + delayMs > lastStart;
      if (isOver || !dialect.isContention(error)) throw error;
    }
    await time.pause(delayMs);
  }
}
