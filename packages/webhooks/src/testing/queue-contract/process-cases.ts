import assert from 'node:assert/strict';
import type { QueueCase, QueueHarness } from './queue-harness.ts';

/** Several processes on one backend. */
export const processCases: readonly QueueCase[] = [
  ...[0, 300, 1_200].map((delayMs) => ({
    name: `tells a worker of what another process enqueues, due in ${delayMs} ms`,
    needs: 'secondProcess' as const,
    async run(harness: QueueHarness) {
      const worker = await harness.startWorker();
      const due = performance.now() + delayMs;
      await harness.enqueue(harness.jobs(delayMs), harness.secondProcess());
      await harness.until(
        () => worker.hasPolledSince(due),
        `a poll ${delayMs} ms after another process's job`,
      );
      worker.assertNoPollBefore(due);
    },
  })),
  {
    name: 'keeps jobs for a worker that starts later',
    needs: 'secondProcess',
    async run(harness) {
      await harness.enqueue(harness.jobs(0), harness.secondProcess());
      const worker = await harness.startWorker();
      await harness.until(() => worker.polls.length > 0, 'a poll for a job from before');
    },
  },
  {
    name: 'hands over, in stop, what a process that only dispatches has taken in',
    needs: 'secondProcess',
    async run(harness) {
      const producer = harness.secondProcess();
      const enqueued = harness.enqueue(harness.jobs(0), producer);
      await harness.inTime(producer.stop(), 'stop() resolves');
      await enqueued;
      const worker = await harness.startWorker();
      await harness.until(() => worker.polls.length > 0, 'a poll for a job from before stop()');
    },
  },
  ...(['what a busy worker enqueues', 'what comes to a busy worker'] as const).map((what) => ({
    name: `leaves ${what} to the others`,
    needs: 'secondProcess' as const,
    async run(harness: QueueHarness) {
      const source = what === 'what a busy worker enqueues' ? harness.queue : harness.secondProcess();
      const busy = await harness.startWorker();
      busy.block();
      await harness.enqueue(harness.jobs(0), source);
      await harness.until(() => busy.underWay === 1, 'a poll for a job that is due');
      const idle = await harness.startWorker(harness.secondProcess());
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
    async run(harness) {
      const workers = await Promise.all([
        harness.startWorker(),
        harness.startWorker(harness.secondProcess()),
        harness.startWorker(harness.secondProcess()),
      ]);
      for (const worker of workers) worker.block();
      await harness.enqueue(harness.jobs(...Array.from({ length: 1_000 }, () => 0)), harness.secondProcess());
      await harness.until(() => workers.every(({ underWay }) => underWay === 1), 'a poll of every worker');
    },
  },
  {
    name: 'goes on when one of two workers stops',
    needs: 'secondProcess',
    async run(harness) {
      const stopped = await harness.startWorker();
      const other = await harness.startWorker(harness.secondProcess());
      const due = performance.now() + 1_500;
      await harness.enqueue(harness.jobs(1_500));
      await harness.queue.stop();
      const pollsOfStopped = stopped.polls.length;
      await harness.until(() => other.hasPolledSince(due), 'a poll for what the stopped worker enqueued');
      const before = performance.now();
      await harness.enqueue(harness.jobs(0), harness.secondProcess());
      await harness.until(() => other.hasPolledSince(before), 'a poll of the worker that is left');
      assert.equal(stopped.polls.length, pollsOfStopped, 'polls of the worker that was stopped');
    },
  },
  {
    name: 'is set up by several processes at once',
    needs: 'secondProcess',
    async run(harness) {
      const others = Array.from({ length: 4 }, () => harness.secondProcess());
      const [worker] = await Promise.all([
        harness.startWorker(),
        ...others.slice(2).map((queue) => harness.startWorker(queue)),
        ...others.slice(0, 2).map((queue) => harness.enqueue(harness.jobs(0), queue)),
      ]);
      await Promise.all(others.slice(2).map((queue) => queue.stop()));
      const before = performance.now();
      await harness.enqueue(harness.jobs(0), harness.secondProcess());
      await harness.until(() => worker.hasPolledSince(before), 'a poll for a job that is due');
    },
  },
];
