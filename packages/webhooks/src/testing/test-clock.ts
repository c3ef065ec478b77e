import type { Clock } from '../clock.ts';

/** A clock that stands still until it is told otherwise. It fits every `clock` option. */
export interface TestClock extends Clock {
  /** Advances the clock by that many milliseconds, at once. */
  advance(ms: number): void;
}

/**
 * Creates a clock for tests. It moves no timers: `webhooks.drain()` finds what has become due.
 *
 * @param start an ISO timestamp; default 2026-01-01T00:00:00.000Z
 * @throws TypeError when `start` is no timestamp, or when time is set back
 * @example
 * const clock = createTestClock();
 * const webhooks = createWebhooks({ storage: memoryStorage(), clock });
 * clock.advance(24 * 3_600_000);
 */
export function createTestClock(start = '2026-01-01T00:00:00.000Z'): TestClock {
  let now = Date.parse(start);
  if (Number.isNaN(now)) throw new TypeError('start must be an ISO timestamp');
  const advance = (ms: number): void => {
    if (!Number.isFinite(ms) || ms < 0)
      throw new TypeError('a clock advances by a number of milliseconds, not below 0');
    now += ms;
  };
  return Object.assign(() => now, { advance });
}
