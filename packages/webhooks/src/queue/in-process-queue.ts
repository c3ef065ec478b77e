import PQueue from 'p-queue';
import { integerOption, refuseUnknownOptions } from '../options.ts';
import { alreadyStarted, type DeliveryJob, type DeliveryQueue } from './queue.ts';

/** Options of {@link inProcessQueue}. */
export interface InProcessQueueOptions {
  /**
   * How many points in time the queue remembers, 1–100,000, default 1,000. Jobs due within the same 50 ms share
   * one; what does not fit is found by the engine's sweep instead, a few seconds late.
   */
  readonly maxScheduledTimes?: number;
}

/** Jobs due within this time of one another are announced together. */
const TIME_GRAIN_MS = 50;
/** Longest delay that setTimeout takes; the timer is then set again. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * The default queue: no service, no state worth keeping. It serves one process; several processes on one database
 * each run their own, and their sweeps find one another's deliveries.
 *
 * Looks run one at a time (p-queue), and one that waits stands for every job announced before it begins, so ten
 * thousand jobs of one moment cost two looks. One timer is set, for the earliest known time, whatever the number
 * of retries. The timer keeps no process alive.
 */
export function inProcessQueue(options: InProcessQueueOptions = {}): DeliveryQueue {
  refuseUnknownOptions('inProcessQueue', options, ['maxScheduledTimes']);
  const maxTimes = integerOption('maxScheduledTimes', options.maxScheduledTimes, {
    default: 1_000,
    min: 1,
    max: 100_000,
  });
  const looks = new PQueue({ concurrency: 1 });
  /** Ascending grid points of the process's monotonic clock, in ms. */
  const times: number[] = [];
  let look: (() => Promise<void>) | undefined;
  let wasStarted = false;
  let timer: NodeJS.Timeout | undefined;

  function announce(): void {
    if (look !== undefined && looks.size === 0) void looks.add(look);
  }

  function schedule(delayMs: number): void {
    const time = Math.ceil((performance.now() + delayMs) / TIME_GRAIN_MS) * TIME_GRAIN_MS;
    const index = firstIndexNotBelow(times, time);
    if (times[index] === time) return;
    times.splice(index, 0, time);
    if (times.length > maxTimes) times.pop();
    if (index === 0) setTimer();
  }

  function setTimer(): void {
    clearTimeout(timer);
    const earliest = times[0];
    if (earliest === undefined) return;
    timer = setTimeout(onTimer, Math.min(Math.max(earliest - performance.now(), 0), MAX_TIMER_MS));
    timer.unref();
  }

  function onTimer(): void {
    const passed = firstIndexNotBelow(times, performance.now() + 1);
    times.splice(0, passed);
    if (passed > 0) announce();
    setTimer();
  }

  return {
    async enqueue(jobs: readonly DeliveryJob[]): Promise<void> {
      if (look === undefined) return;
      for (const { delayMs } of jobs) {
        if (delayMs > 0) schedule(delayMs);
        else announce();
      }
    },
    async start(callback): Promise<void> {
      if (wasStarted) throw alreadyStarted();
      wasStarted = true;
      look = callback;
    },
    async stop(): Promise<void> {
      wasStarted = true;
      look = undefined;
      clearTimeout(timer);
      times.length = 0;
      looks.clear();
      await looks.onIdle();
    },
  };
}

function firstIndexNotBelow(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? value) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
