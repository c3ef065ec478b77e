import PQueue from 'p-queue';
import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';
import { alreadyStarted, type DeliveryQueue } from './queue.ts';

/**
 * The points in time that a queue remembers. The engine's sweep finds those that do not fit, a few
 * seconds late.
 */
const MAX_TIMES = 1_000;
/** Jobs due in one bucket of this length share a poll. */
const TIME_BUCKET_MS = 50;
/** The longest delay that setTimeout takes; the timer is then set again. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * The default queue: no service, no state worth keeping. It serves one process; several processes
 * on one database each run their own, and their sweeps find one another's deliveries.
 *
 * Polls run one at a time, and one that waits serves every job enqueued before it begins: ten
 * thousand jobs due at once cost two polls. One timer is set, for the earliest known time, for any
 * number of retries. The timer keeps no process alive.
 */
export function inProcessQueue(): DeliveryQueue {
  let poll: (() => Promise<void>) | undefined;
  const polls = new PQueue({ concurrency: 1 });
  let underWay: Promise<void> | undefined;
  const runInOwnContext = outsideRequests.bind(async () => {
    underWay = poll?.();
    await underWay;
  });
  /** Ascending multiples of the bucket on the process's monotonic clock, in ms. */
  const times: number[] = [];
  let wasStarted = false;
  let timer: NodeJS.Timeout | undefined;

  function schedule(delayMs: number): void {
    const time = Math.ceil((performance.now() + delayMs) / TIME_BUCKET_MS) * TIME_BUCKET_MS;
    const index = times.findLastIndex((earlier) => earlier < time) + 1;
    if (times[index] === time) return;
    times.splice(index, 0, time);
    if (times.length > MAX_TIMES) times.pop();
    if (index === 0) pollInTime();
  }

  /** A poll that waits serves this call, too. It belongs to the context of no request. */
  function pollSoon(): void {
    // The size counts polls that wait, not the one under way.
    if (polls.size === 0) void polls.add(runInOwnContext);
  }

  /** Polls where a time has passed, and sets the timer for the next one. */
  function pollInTime(): void {
    clearTimeout(timer);
    const passed = times.findLastIndex((time) => time < performance.now() + 1) + 1;
    times.splice(0, passed);
    if (passed > 0) pollSoon();
    const [earliest] = times;
    if (earliest === undefined) return;
    timer = setTimeout(pollInTime, Math.min(earliest - performance.now(), MAX_TIMER_MS));
    timer.unref?.();
  }

  return {
    async enqueue(jobs) {
      if (poll === undefined) return;
      for (const { delayMs } of jobs) {
        if (delayMs > 0) schedule(delayMs);
        else pollSoon();
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
      // Not for the queue to be idle, which takes a microtask that tests may have faked.
      await underWay;
    },
  };
}
