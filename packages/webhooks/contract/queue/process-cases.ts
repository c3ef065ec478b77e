import assert from 'node:assert/strict';
import type { QueueCase, QueueHarness } from './queue-harness.ts';

const HANDS_OVER =
  'stop() must resolve only after the backend has what enqueue() was given before, also in a process that never called start().';

/** Several processes on one backend. */
export const processCases: readonly QueueCase[] = [
  ...[0, 300, 1_200].map((delayMs) => ({
    name: `tells a worker of what another process enqueues, due in ${delayMs} ms`,
    needs: 'secondProcess' as const,
    hint: 'enqueue() must tell the workers of every process, through the backend, and pass the delay on: only an enqueue() of another process was called.',
    async run(harness: QueueHarness) {
      const worker = await harness.startWorker();
      const due = performance.now() + delayMs;
      await harness.enqueue(harness.jobs(delayMs), await harness.secondProcess());
      await harness.until(
        () => worker.hasPolledSince(due),
        `a poll ${delayMs} ms after another process's job`,
      );
      worker.assertNoPollBefore(due);
    },
  })),
  {
    name: 'keeps jobs for a worker that starts later',
    needs: 'keptJobs',
    hint: 'The backend must keep what enqueue() sends while no worker runs, and start() must ask for it. A backend that only signals cannot: set keepsJobs to false.',
    async run(harness) {
      await harness.enqueue(harness.jobs(0), await harness.secondProcess());
      const worker = await harness.startWorker();
      await harness.until(() => worker.polls.length > 0, 'a poll for a job from before');
    },
  },
  {
    name: 'hands over, in stop, what a process that only dispatches has taken in',
    needs: 'keptJobs',
    hint: HANDS_OVER,
    async run(harness) {
      await handOver(harness);
      const worker = await harness.startWorker();
      await harness.until(() => worker.polls.length > 0, 'a poll for a job from before stop()');
    },
  },
  {
    name: 'tells a running worker, in stop, what a process that only dispatches has taken in',
    needs: 'secondProcess',
    hint: HANDS_OVER,
    async run(harness) {
      const worker = await harness.startWorker();
      await handOver(harness);
      await harness.until(() => worker.polls.length > 0, 'a poll for a job from before stop()');
    },
  },
  ...(['what a busy worker enqueues', 'what comes to a busy worker'] as const).map((what) => ({
    name: `leaves ${what} to the others`,
    needs: 'secondProcess' as const,
    hint: 'A worker whose poll has not ended must not be the only one that is told: enqueue() tells the others as well, or takes no further job for itself.',
    async run(harness: QueueHarness) {
      const source = what === 'what a busy worker enqueues' ? harness.queue : await harness.secondProcess();
      const busy = await harness.startWorker();
      busy.block();
      await harness.enqueue(harness.jobs(0), source);
      await harness.until(() => busy.underWay === 1, 'a poll for a job that is due');
      const idle = await harness.startWorker(await harness.secondProcess());
      for (let n = 0; n < 3; n += 1) {
        const before = idle.polls.length;
        // The busy worker may take one of them, and no other until it has polled.
        await harness.enqueue(harness.jobs(0), source);
        await harness.enqueue(harness.jobs(0), source);
        await harness.until(() => idle.polls.length > before, 'a poll of the idle worker');
      }
    },
  })),
  {
    name: 'wakes several workers for many jobs',
    needs: 'secondProcess',
    hint: 'One enqueue() with many jobs must wake more than one worker: send several wake-ups, or one to all workers.',
    async run(harness) {
      const workers = await Promise.all([
        harness.startWorker(),
        harness.startWorker(await harness.secondProcess()),
        harness.startWorker(await harness.secondProcess()),
      ]);
      for (const worker of workers) worker.block();
      await harness.enqueue(
        harness.jobs(...Array.from({ length: 1_000 }, () => 0)),
        await harness.secondProcess(),
      );
      await harness.until(() => workers.every(({ underWay }) => underWay === 1), 'a poll of every worker');
    },
  },
  {
    name: 'goes on when one of two workers stops',
    needs: 'secondProcess',
    hint: 'A delay must outlive the process that called enqueue(): keep it in the backend or in the other workers. stop() must end nothing that other processes use.',
    async run(harness) {
      const stopped = await harness.startWorker();
      const other = await harness.startWorker(await harness.secondProcess());
      const due = performance.now() + 1_500;
      await harness.enqueue(harness.jobs(1_500));
      await harness.queue.stop();
      const pollsOfStopped = stopped.polls.length;
      await harness.until(() => other.hasPolledSince(due), 'a poll for what the stopped worker enqueued');
      const before = performance.now();
      await harness.enqueue(harness.jobs(0), await harness.secondProcess());
      await harness.until(() => other.hasPolledSince(before), 'a poll of the worker that is left');
      assert.equal(stopped.polls.length, pollsOfStopped, 'polls of the worker that was stopped');
    },
  },
  {
    name: 'is set up by several processes at once',
    needs: 'secondProcess',
    hint: 'What start() or the first enqueue() creates in the backend may be created by several processes at once: do so only if it does not exist.',
    async run(harness) {
      const others = await Promise.all(Array.from({ length: 4 }, () => harness.secondProcess()));
      const [worker] = await Promise.all([
        harness.startWorker(),
        ...others.slice(2).map((queue) => harness.startWorker(queue)),
        ...others.slice(0, 2).map((queue) => harness.enqueue(harness.jobs(0), queue)),
      ]);
      await Promise.all(others.slice(2).map((queue) => queue.stop()));
      const before = performance.now();
      await harness.enqueue(harness.jobs(0), await harness.secondProcess());
      await harness.until(() => worker.hasPolledSince(before), 'a poll for a job that is due');
    },
  },
];

/** Lets a process that only dispatches enqueue a job, and stops it at once. */
async function handOver(harness: QueueHarness): Promise<void> {
  const producer = await harness.secondProcess();
  const enqueued = harness.enqueue(harness.jobs(0), producer);
  await harness.inTime(producer.stop(), 'stop() resolves');
  await enqueued;
}
