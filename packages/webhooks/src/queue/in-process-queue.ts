import PQueue from 'p-queue';
import { integerOption, refuseUnknownOptions } from '../options.ts';
import { coalesced } from './coalesced.ts';
import { alreadyStarted, type DeliveryQueue } from './queue.ts';

/** Options of {@link inProcessQueue}. */
export interface InProcessQueueOptions {
  /**
   * How many points in time the queue remembers, 1–100,000, default 1,000. Jobs due within the same 50 ms share
   * one; what does not fit is found by the engine's sweep instead, a few seconds late.
   */
  readonly maxScheduledTimes?: number;
}

/** Jobs due within this time of one another are one poll. */
const TIME_GRAIN_MS = 50;
/** Longest delay that setTimeout takes; the timer is then set again. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * The default queue: no service, no state worth keeping. It serves one process; several processes on one database
 * each run their own, and their sweeps find one another's deliveries.
 *
 * Polls run one at a time, and one that waits stands for every job enqueued before it begins, so
 * ten thousand jobs due at once cost two polls. One timer is set, for the earliest known time,
 * whatever the number of retries. The timer keeps no process alive.
 */
export function inProcessQueue(options: InProcessQueueOptions = {}): DeliveryQueue {
  refuseUnknownOptions('inProcessQueue', options, ['maxScheduledTimes']);
  const bounds = { default: 1_000, min: 1, max: 100_000 };
  const maxTimes = integerOption('maxScheduledTimes', options.maxScheduledTimes, bounds);
  let poll: (() => Promise<void>) | undefined;
  const polls = new PQueue({ concurrency: 1 });
  const pollSoon = coalesced(polls, async () => poll?.());
  /** Ascending grid points of the process's monotonic clock, in ms. */
  const times: number[] = [];
  let wasStarted = false;
  let timer: NodeJS.Timeout | undefined;

  function schedule(delayMs: number): void {
    const time = Math.ceil((performance.now() + delayMs) / TIME_GRAIN_MS) * TIME_GRAIN_MS;
    const index = times.findLastIndex((earlier) => earlier < time) + 1;
    if (times[index] === time) return;
    times.splice(index, 0, time);
    if (times.length > maxTimes) times.pop();
    if (index === 0) pollInTime();
  }

  /** Polls where a time has passed, and comes back at the next one. */
  function pollInTime(): void {
    clearTimeout(timer);
    const passed = times.findLastIndex((time) => time < performance.now() + 1) + 1;
    times.splice(0, passed);
    if (passed > 0) void pollSoon();
    const [earliest] = times;
    if (earliest === undefined) return;
    timer = setTimeout(pollInTime, Math.min(earliest - performance.now(), MAX_TIMER_MS)).unref();
  }

  return {
    async enqueue(jobs) {
      if (poll === undefined) return;
      for (const { delayMs } of jobs) {
        if (delayMs > 0) schedule(delayMs);
        else void pollSoon();
      }
    },
    async start(workersPoll) {
      if (wasStarted) throw alreadyStarted();
      wasStarted = true;
      poll = workersPoll;
    },
    async stop() {
      wasStarted = true;
      poll = undefined;
      clearTimeout(timer);
      times.length = 0;
      await polls.onIdle();
    },
  };
}
