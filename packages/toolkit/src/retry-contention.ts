import { setTimeout as sleep } from 'node:timers/promises';

/** How often work that met contention is tried again: for about 2 s in all. */
const MAX_CONTENTION_RETRIES = 12;
const FIRST_RETRY_DELAY_MS = 5;
const MAX_RETRY_DELAY_MS = 250;

/** The clock of the retries; tests bring their own. */
export interface RetryTime {
  /** Milliseconds of a monotonic clock, from any origin. */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

const realTime: RetryTime = { now: () => performance.now(), pause: sleep };

/** Tells contention, which another try may not meet, from other errors. */
export interface ContentionJudge {
  isContention(error: unknown): boolean;
}

export interface RetryBounds {
  /**
   * No try begins later than this after the first: each may block for a lock wait of the database
   * before it fails. Default 2,000.
   */
  readonly maxMs?: number;
  readonly time?: RetryTime;
}

/**
 * Runs `work` until it succeeds, fails for another reason than contention, or has had its time: 12
 * more tries, the last begun within `maxMs` of the first.
 */
export async function retryContention<Result>(
  dialect: ContentionJudge,
  work: () => Promise<Result>,
  { maxMs = 2_000, time = realTime }: RetryBounds = {},
): Promise<Result> {
  const lastStart = time.now() + maxMs;
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
