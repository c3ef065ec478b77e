import assert from 'node:assert/strict';
import type { QueueCase, QueueStage } from './queue-stage.ts';

/** Several processes on one engine. */
export const processCases: readonly QueueCase[] = [
  ...[0, 300, 1_200].map((delayMs) => ({
    name: `tells a worker of what another process enqueues, due in ${delayMs} ms`,
    needs: 'peers' as const,
    async run(stage: QueueStage) {
      const worker = await stage.startWorker();
      const due = performance.now() + delayMs;
      await stage.enqueue(stage.jobs(delayMs), stage.createPeer());
      await stage.until(() => worker.hasPolledSince(due), `a poll ${delayMs} ms after another process's job`);
      worker.assertNoPollBefore(due);
    },
  })),
  {
    name: 'keeps jobs for a worker that starts later',
    needs: 'peers',
    async run(stage) {
      await stage.enqueue(stage.jobs(0), stage.createPeer());
      const worker = await stage.startWorker();
      await stage.until(() => worker.polls.length > 0, 'a poll for a job from before');
    },
  },
  {
    name: 'hands over, in stop, what a process that only dispatches has taken in',
    needs: 'peers',
    async run(stage) {
      const producer = stage.createPeer();
      const enqueued = stage.enqueue(stage.jobs(0), producer);
      await stage.inTime(producer.stop(), 'stop() resolves');
      await enqueued;
      const worker = await stage.startWorker();
      await stage.until(() => worker.polls.length > 0, 'a poll for a job from before stop()');
    },
  },
  ...(['what a busy worker enqueues', 'what comes to a busy worker'] as const).map((what) => ({
    name: `leaves ${what} to the others`,
    needs: 'peers' as const,
    async run(stage: QueueStage) {
      const source = what === 'what a busy worker enqueues' ? stage.queue : stage.createPeer();
      const busy = await stage.startWorker();
      busy.hold();
      await stage.enqueue(stage.jobs(0), source);
      await stage.until(() => busy.underWay === 1, 'a poll for a job that is due');
      const idle = await stage.startWorker(stage.createPeer());
      for (let n = 0; n < 3; n += 1) {
        const before = idle.polls.length;
        // The busy worker may take one of them, and no other until it has polled.
        await stage.enqueue(stage.jobs(0), source);
        await stage.enqueue(stage.jobs(0), source);
        await stage.until(() => idle.polls.length > before, 'a poll of the idle worker');
      }
    },
  })),
  {
    name: 'wakes several workers for many jobs',
    needs: 'peers',
    async run(stage) {
      const workers = await Promise.all([
        stage.startWorker(),
        stage.startWorker(stage.createPeer()),
        stage.startWorker(stage.createPeer()),
      ]);
      for (const worker of workers) worker.hold();
      await stage.enqueue(stage.jobs(...Array.from({ length: 1_000 }, () => 0)), stage.createPeer());
      await stage.until(() => workers.every(({ underWay }) => underWay === 1), 'a poll of every worker');
    },
  },
  {
    name: 'goes on when one of two workers stops',
    needs: 'peers',
    async run(stage) {
      const stopped = await stage.startWorker();
      const other = await stage.startWorker(stage.createPeer());
      const due = performance.now() + 1_500;
      await stage.enqueue(stage.jobs(1_500));
      await stage.queue.stop();
      const pollsOfStopped = stopped.polls.length;
      await stage.until(() => other.hasPolledSince(due), 'a poll for what the stopped worker enqueued');
      const before = performance.now();
      await stage.enqueue(stage.jobs(0), stage.createPeer());
      await stage.until(() => other.hasPolledSince(before), 'a poll of the worker that is left');
      assert.equal(stopped.polls.length, pollsOfStopped, 'polls of the worker that was stopped');
    },
  },
  {
    name: 'is set up by several processes at once',
    needs: 'peers',
    async run(stage) {
      const peers = Array.from({ length: 4 }, () => stage.createPeer());
      const [worker] = await Promise.all([
        stage.startWorker(),
        ...peers.slice(2).map((peer) => stage.startWorker(peer)),
        ...peers.slice(0, 2).map((peer) => stage.enqueue(stage.jobs(0), peer)),
      ]);
      await Promise.all(peers.slice(2).map((peer) => peer.stop()));
      const before = performance.now();
      await stage.enqueue(stage.jobs(0), stage.createPeer());
      await stage.until(() => worker.hasPolledSince(before), 'a poll for a job that is due');
    },
  },
];
