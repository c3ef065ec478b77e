import { onTestFinished, vi } from 'vitest';

/** How much time passes at each tick, a millisecond or so of the clock on the wall. */
const TICK_MS = 25;

/**
 * Lets the timers that are set from here on run about twenty times as fast, until the test has
 * finished. Intervals, the clock and Node's own timers, as those of sockets, keep their pace.
 *
 * @returns reads how long the timers have run, in milliseconds
 */
export function hastenTimers(): () => number {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let ranMs = 0;
  const ticking = setInterval(() => {
    if (!vi.isFakeTimers()) return;
    ranMs += TICK_MS;
    vi.advanceTimersByTime(TICK_MS);
  }, 1);
  onTestFinished(() => {
    clearInterval(ticking);
    vi.useRealTimers();
  });
  return () => ranMs;
}
