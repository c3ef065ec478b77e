import { setTimeout as sleep } from 'node:timers/promises';
import { inProcessQueue } from '../../../src/queue/in-process-queue.ts';
import type { DeliveryQueue } from '../../../src/queue/queue.ts';
import type { QueueUnderTest } from '../../../src/testing/queue-contract/queue-harness.ts';
import { memoryBackend } from '../memory-backend.ts';

/** A queue that breaks one promise. */
export interface BrokenQueue {
  readonly fault: string;
  /** Part of the name of the case that is there to notice. */
  readonly noticedBy: string;
  create(): QueueUnderTest;
}

/** Queues of one process that break one promise each; everything else is `inProcessQueue`. */
const brokenInOneProcess: readonly BrokenQueue[] = [
  broken('never polls', 'polls at once for a job that is due', () => ({ async enqueue() {} })),
  broken('polls before the delay is over', 'due in 300 ms when it is', (sound) => ({
    enqueue: (jobs) => sound.enqueue(jobs.map((job) => ({ ...job, delayMs: job.delayMs / 2 }))),
  })),
  broken('ignores later jobs', 'due in 1200 ms when it is', (sound) => ({
    enqueue: (jobs) => sound.enqueue(jobs.filter(({ delayMs }) => delayMs === 0)),
  })),
  broken('remembers the earliest time alone', 'polls at each later time', (sound) => ({
    enqueue: (jobs) => sound.enqueue([...jobs].sort((a, b) => a.delayMs - b.delayMs).slice(0, 1)),
  })),
  broken('forgets what comes during a poll', 'polls again for a job that comes during a poll', (sound) => {
    let isPolling = false;
    return {
      enqueue: async (jobs) => (isPolling ? undefined : sound.enqueue(jobs)),
      start: (poll) =>
        sound.start(async () => {
          isPolling = true;
          await poll();
          isPolling = false;
        }),
    };
  }),
  brokenPolls('polls several times at once', 'polls one at a time', (poll) => ({
    enqueue: async (jobs) => jobs.forEach(({ delayMs }) => void sleep(delayMs).then(poll)),
  })),
  brokenPolls('polls once for every job', 'few polls stand for ten thousand', (poll) => {
    let last = Promise.resolve();
    return {
      async enqueue(jobs) {
        for (const _ of jobs) last = last.then(poll);
      },
    };
  }),
  broken('polls all the time', 'does not poll where there is no job', (sound) => {
    const stopping = new AbortController();
    return {
      async start(poll) {
        await sound.start(poll);
        void (async () => {
          while (!stopping.signal.aborted) {
            await sound.enqueue([{ deliveryId: '', delayMs: 0 }]);
            await sleep(20);
          }
        })();
      },
      stop() {
        stopping.abort();
        return sound.stop();
      },
    };
  }),
  broken('repeats a job', 'repeats nothing', (sound) => ({
    start: (poll) =>
      sound.start(async () => {
        await poll();
        await sound.enqueue([{ deliveryId: '', delayMs: 50 }]);
      }),
  })),
  brokenPolls('waits for the poll', 'takes jobs while a poll does not end', (poll) => ({
    enqueue: () => poll(),
  })),
  broken('does not wait for the poll under way', 'waits in stop', (sound) => ({
    async stop() {
      void sound.stop();
    },
  })),
  broken('goes on after stop', 'polls no more', () => ({ async stop() {} })),
  broken('rejects jobs after stop', 'drops jobs after stop', (sound) => {
    let isStopped = false;
    return {
      async enqueue(jobs) {
        if (isStopped) throw new Error('stopped');
        await sound.enqueue(jobs);
      },
      stop() {
        isStopped = true;
        return sound.stop();
      },
    };
  }),
  broken('takes its time to stop twice', 'any number of times', (sound) => {
    let isStopped = false;
    return {
      stop() {
        if (isStopped) return new Promise(() => {});
        isStopped = true;
        return sound.stop();
      },
    };
  }),
  broken('stops only when it was started', 'stopped without having been started', (sound) => {
    let isStarted = false;
    return {
      start(poll) {
        isStarted = true;
        return sound.start(poll);
      },
      stop: () => (isStarted ? sound.stop() : new Promise(() => {})),
    };
  }),
  broken('takes no jobs before start', 'takes jobs before it is started', (sound) => {
    let isStarted = false;
    return {
      enqueue: (jobs) => (isStarted ? sound.enqueue(jobs) : new Promise(() => {})),
      start(poll) {
        isStarted = true;
        return sound.start(poll);
      },
    };
  }),
  broken('serves the engine that started it last', 'refuses to serve a second engine', () => {
    let current = inProcessQueue();
    return {
      enqueue: (jobs) => current.enqueue(jobs),
      async start(poll) {
        current = inProcessQueue();
        await current.start(poll);
      },
      stop: () => current.stop(),
    };
  }),
  broken('starts after all', 'stopped during its start', () => {
    let late: DeliveryQueue | undefined;
    return {
      enqueue: async (jobs) => late?.enqueue(jobs),
      async start(poll) {
        await sleep(20);
        late = inProcessQueue();
        await late.start(poll);
      },
      async stop() {
        await late?.stop();
      },
    };
  }),
  broken('starts after stop', 'refuses a start after stop', () => ({ async start() {} })),
];

/** Queues on a backend that several processes share, each of which breaks one promise. */
const brokenAmongSeveral: readonly BrokenQueue[] = [
  shared('tells nobody but its own process', 'another process enqueues, due in 0 ms', () => {
    return () => memoryBackend().createQueue();
  }),
  shared('drops jobs that nobody listens for', 'keeps jobs for a worker that starts later', () => {
    return memoryBackend({ keepsJobs: false }).createQueue;
  }),
  shared('forgets in stop what it has taken in', 'hands over, in stop', () => {
    const { createQueue } = memoryBackend();
    return () => {
      const sound = createQueue();
      let isStopped = false;
      return {
        ...sound,
        async enqueue(jobs) {
          await sleep(50);
          if (!isStopped) await sound.enqueue(jobs);
        },
        stop() {
          isStopped = true;
          return sound.stop();
        },
      };
    };
  }),
  shared('forgets in stop what nobody was told of yet', 'tells a running worker, in stop', () => {
    const { createQueue } = memoryBackend({ keepsJobs: false });
    return () => {
      const sound = createQueue();
      let isStopped = false;
      return {
        ...sound,
        async enqueue(jobs) {
          await sleep(50);
          if (!isStopped) await sound.enqueue(jobs);
        },
        stop() {
          isStopped = true;
          return sound.stop();
        },
      };
    };
  }),
  shared('keeps to itself what a busy worker enqueues', 'what a busy worker enqueues to the others', () => {
    const { createQueue } = memoryBackend();
    return () => {
      const sound = createQueue();
      const local = inProcessQueue();
      let isWorker = false;
      return {
        enqueue: (jobs) => (isWorker ? local.enqueue(jobs) : sound.enqueue(jobs)),
        async start(poll) {
          isWorker = true;
          await Promise.all([sound.start(poll), local.start(poll)]);
        },
        async stop() {
          await Promise.all([sound.stop(), local.stop()]);
        },
      };
    };
  }),
  shared('takes jobs while it is busy', 'what comes to a busy worker to the others', () => {
    return memoryBackend({ waitsForPolls: false, firstComeFirstServed: true }).createQueue;
  }),
  shared('wakes one worker for all jobs', 'wakes several workers', () => {
    return memoryBackend({ maxWakeUps: 1 }).createQueue;
  }),
  shared('keeps later jobs in the process', 'goes on when one of two workers stops', () => {
    return memoryBackend({ keepsLaterJobs: false }).createQueue;
  }),
  shared('cannot be set up twice at once', 'set up by several processes at once', () => {
    const backend = memoryBackend();
    let isBeingSetUp = false;
    return () => {
      const sound = backend.createQueue();
      return {
        ...sound,
        async start(poll) {
          if (isBeingSetUp) return new Promise(() => {});
          isBeingSetUp = true;
          await sleep(10);
          await sound.start(poll);
          isBeingSetUp = false;
        },
      };
    };
  }),
];

/** Queues that break a promise when their backend is away. */
const brokenInOutages: readonly BrokenQueue[] = [
  outage('hides that its backend is away', 'rejects jobs that its backend does not take', (sound) => ({
    enqueue: (jobs) => sound.enqueue(jobs).catch(() => undefined),
  })),
  outage('takes a start that failed for a start', 'without taking it for one', (sound) => {
    let wasStarted = false;
    return {
      async start(poll) {
        if (wasStarted) throw new TypeError('the queue was started or stopped before');
        wasStarted = true;
        await sound.start(poll);
      },
    };
  }),
  outage('starts without its backend', 'rejects a start while', () => ({ async start() {} })),
  outage('cannot be stopped without its backend', 'stops while its backend is away', (sound, isAway) => ({
    stop: () => (isAway() ? new Promise(() => {}) : sound.stop()),
  })),
];

export const brokenQueues: readonly BrokenQueue[] = [
  ...brokenInOneProcess,
  ...brokenAmongSeveral,
  ...brokenInOutages,
];

function broken(
  fault: string,
  noticedBy: string,
  breakIt: (sound: DeliveryQueue) => Partial<DeliveryQueue>,
): BrokenQueue {
  return {
    fault,
    noticedBy,
    create() {
      const sound = inProcessQueue();
      return { queue: { ...sound, ...breakIt(sound) }, close: () => sound.stop() };
    },
  };
}

/** A queue that calls `poll` in its own way. */
function brokenPolls(
  fault: string,
  noticedBy: string,
  breakIt: (poll: () => Promise<void>) => Partial<DeliveryQueue>,
): BrokenQueue {
  return broken(fault, noticedBy, () => {
    let callback = async (): Promise<void> => {};
    return {
      async start(poll) {
        callback = poll;
      },
      ...breakIt(() => callback()),
    };
  });
}

function shared(fault: string, noticedBy: string, breakIt: () => () => DeliveryQueue): BrokenQueue {
  return {
    fault,
    noticedBy,
    create() {
      const createQueue = breakIt();
      return { queue: createQueue(), secondProcess: createQueue, async close() {} };
    },
  };
}

function outage(
  fault: string,
  noticedBy: string,
  breakIt: (sound: DeliveryQueue, isAway: () => boolean) => Partial<DeliveryQueue>,
): BrokenQueue {
  return {
    fault,
    noticedBy,
    create() {
      const backend = memoryBackend();
      const sound = backend.createQueue();
      return {
        queue: { ...sound, ...breakIt(sound, backend.isAway) },
        cutOff: backend.cutOff,
        close: () => sound.stop(),
      };
    },
  };
}
