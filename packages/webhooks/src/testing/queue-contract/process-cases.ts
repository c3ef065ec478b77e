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
      await stage.until(() => worker.hasLookedSince(due), `a look ${delayMs} ms after another process's job`);
      worker.assertNoLookBefore(due);
    },
  })),
  {
    name: 'keeps jobs for a worker that starts later',
    needs: 'peers',
    async run(stage) {
      await stage.enqueue(stage.jobs(0), stage.createPeer());
      const worker = await stage.startWorker();
      await stage.until(() => worker.looks.length > 0, 'a look for a job from before');
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
      await stage.until(() => worker.looks.length > 0, 'a look for a job from before stop()');
    },
  },
  {
    name: 'leaves what a busy worker enqueues to the others',
    needs: 'peers',
    async run(stage) {
      const busy = await stage.startWorker();
      busy.hold();
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => busy.underWay === 1, 'a look for a job that is due');
      const idle = await stage.startWorker(stage.createPeer());
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => idle.looks.length > 0, "a look of the idle worker for the busy one's job");
    },
  },
  {
    name: 'leaves what comes to a busy worker to the others',
    needs: 'peers',
    async run(stage) {
      const producer = stage.createPeer();
      const busy = await stage.startWorker();
      busy.hold();
      await stage.enqueue(stage.jobs(0), producer);
      await stage.until(() => busy.underWay === 1, 'a look for a job that is due');
      const idle = await stage.startWorker(stage.createPeer());
      await stage.until(
        () => idle.looks.length > 0,
        'a look of the idle worker for the job the busy one took',
      );
      for (let n = 0; n < 3; n += 1) {
        const before = idle.looks.length;
        await stage.enqueue(stage.jobs(0), producer);
        await stage.enqueue(stage.jobs(0), producer);
        await stage.until(() => idle.looks.length > before, 'a look of the idle worker');
      }
    },
  },
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
      await stage.until(() => workers.every(({ underWay }) => underWay === 1), 'a look of every worker');
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
      const looksOfStopped = stopped.looks.length;
      await stage.until(() => other.hasLookedSince(due), 'a look for what the stopped worker enqueued');
      const before = performance.now();
      await stage.enqueue(stage.jobs(0), stage.createPeer());
      await stage.until(() => other.hasLookedSince(before), 'a look of the worker that is left');
      assert.equal(stopped.looks.length, looksOfStopped, 'looks of the worker that was stopped');
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
      await stage.until(() => worker.hasLookedSince(before), 'a look for a job that is due');
    },
  },
];
