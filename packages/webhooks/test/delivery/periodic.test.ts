import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startPeriodic } from '../../src/delivery/periodic.ts';

/** A periodic task whose runs the test ends. */
function startHeld() {
  let runs = 0;
  let end = () => {};
  const periodic = startPeriodic({
    firstDelayMs: 20,
    intervalMs: 100,
    keepsProcessAlive: true,
    run() {
      runs += 1;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
  });
  return { ...periodic, runs: () => runs, end: () => end() };
}

describe('a periodic task', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs after its first delay, and then an interval after the end of each run', async () => {
    const { runs, end, stop } = startHeld();
    await vi.advanceTimersByTimeAsync(19);
    expect(runs()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs()).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs()).toBe(1);
    end();
    await vi.advanceTimersByTimeAsync(99);
    expect(runs()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs()).toBe(2);
    end();
    await stop();
  });

  it('stops once the run under way has ended, and runs no more', async () => {
    const { runs, end, stop } = startHeld();
    await vi.advanceTimersByTimeAsync(20);
    let isStopped = false;
    const stopping = stop().then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isStopped).toBe(false);
    end();
    await stopping;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([runs(), vi.getTimerCount()]).toEqual([1, 0]);
  });
});

describe('the wait of a periodic task', () => {
  it.each([true, false])('keeps the process alive only where it is to: %s', async (keepsProcessAlive) => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const run = async () => {};
    const { stop } = startPeriodic({ firstDelayMs: 60_000, intervalMs: 60_000, keepsProcessAlive, run });
    expect(timers() - before).toBe(keepsProcessAlive ? 1 : 0);
    await stop();
    expect(timers()).toBe(before);
  });
});
