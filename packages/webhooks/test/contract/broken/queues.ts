import { setTimeout as sleep } from 'node:timers/promises';
import type { Breaks } from '../../../../../test/contract/breaking.ts';
import type { QueueUnderTest } from '../../../contract/queue/queue-harness.ts';
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts';
import type { DeliveryQueue } from '../../../src/queue/queue.ts';
import { memoryBackend } from '../memory-backend.ts';

/** What breaks the promises of a queue of one process. */
const inOneProcess: Breaks<DeliveryQueue> = {
  'polls at once for a job that is due': () => ({ async enqueue() {} }),
  'due in 300 ms when it is': (sound) => ({
    enqueue: (jobs) => sound.enqueue(jobs.map((job) => ({ ...job, delayMs: job.delayMs / 2 }))),
  }),
  'due in 1200 ms when it is': (sound) => ({
    enqueue: (jobs) => sound.enqueue(jobs.filter(({ delayMs }) => delayMs === 0)),
  }),
  'polls at each later time': (sound) => ({
    enqueue: (jobs) => sound.enqueue([...jobs].sort((a, b) => a.delayMs - b.delayMs).slice(0, 1)),
  }),
  'polls one at a time': brokenPolls((poll) => ({
    enqueue: async (jobs) => jobs.forEach(({ delayMs }) => void sleep(delayMs).then(poll)),
  })),
  'few polls stand for ten thousand': brokenPolls((poll) => {
    let last = Promise.resolve();
    return {
      async enqueue(jobs) {
        for (const _ of jobs) last = last.then(poll);
      },
    };
  }),
  'repeats nothing': (sound) => ({
    start: (poll) =>
      sound.start(async () => {
        await poll();
        await sound.enqueue([{ deliveryId: '', delayMs: 50 }]);
      }),
  }),
  'takes jobs while a poll does not end': brokenPolls((poll) => ({ enqueue: () => poll() })),
  'waits in stop': (sound) => ({
    async stop() {
      void sound.stop();
    },
  }),
  'polls no more': () => ({ async stop() {} }),
  'refuses a start after stop': () => ({ async start() {} }),
};

/** Queues that break a promise each, keyed by a part of the name of the case that is there to notice. */
export const brokenQueues: Readonly<Record<string, () => QueueUnderTest>> = {
  ...Object.fromEntries(
    Object.entries(inOneProcess).map(([promise, breakIt]) => [promise, () => underTest(breakIt)]),
  ),
  'another process enqueues, due in 0 ms': shared(() => () => memoryBackend().createQueue()),
  'keeps jobs for a worker that starts later': shared(() => memoryBackend({ keepsJobs: false }).createQueue),
  'what comes to a busy worker to the others': shared(
    () => memoryBackend({ waitsForPolls: false, firstComeFirstServed: true }).createQueue,
  ),
  'wakes several workers': shared(() => memoryBackend({ maxWakeUps: 1 }).createQueue),
  'goes on when one of two workers stops': shared(() => memoryBackend({ keepsLaterJobs: false }).createQueue),
  'rejects jobs that its backend does not take': outage((sound) => ({
    enqueue: (jobs) => sound.enqueue(jobs).catch(() => undefined),
  })),
  'rejects a start while': outage(() => ({ async start() {} })),
  'stops while its backend is away': outage((sound, isAway) => ({
    stop: () => (isAway() ? new Promise(() => {}) : sound.stop()),
  })),
};

function underTest(breakIt: (sound: DeliveryQueue) => Partial<DeliveryQueue>): QueueUnderTest {
  const sound = inProcessQueue();
  return { queue: { ...sound, ...breakIt(sound) }, close: () => sound.stop() };
}

/** A queue that calls `poll` in its own way. */
function brokenPolls(breakIt: (poll: () => Promise<void>) => Partial<DeliveryQueue>) {
  return (): Partial<DeliveryQueue> => {
    let callback = async (): Promise<void> => {};
    return {
      async start(poll) {
        callback = poll;
      },
      ...breakIt(() => callback()),
    };
  };
}

/** Queues on a backend that several processes share. */
function shared(breakIt: () => () => DeliveryQueue) {
  return (): QueueUnderTest => {
    const createQueue = breakIt();
    return { queue: createQueue(), secondProcess: createQueue, async close() {} };
  };
}

/** A queue whose backend is away now and then. */
function outage(breakIt: (sound: DeliveryQueue, isAway: () => boolean) => Partial<DeliveryQueue>) {
  return (): QueueUnderTest => {
    const { createQueue, isAway, cutOff } = memoryBackend();
    const sound = createQueue();
    return { queue: { ...sound, ...breakIt(sound, isAway) }, cutOff, close: () => sound.stop() };
  };
}
