import assert from 'node:assert/strict';
import { type QueueCase, QueueWorker } from './queue-stage.ts';

/** Beginning and end. */
export const lifecycleCases: readonly QueueCase[] = [
  {
    name: 'takes jobs before it is started',
    async run(stage) {
      await stage.enqueue(stage.jobs(0, 100));
    },
  },
  {
    name: 'waits in stop for the poll under way, and begins no other',
    async run(stage) {
      const worker = await stage.startWorker();
      worker.hold();
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => worker.underWay === 1, 'a poll for a job that is due');
      await stage.enqueue(stage.jobs(0, 50));
      let isStopped = false;
      const stopped = stage.queue.stop().then(() => {
        isStopped = true;
      });
      await stage.quiet();
      assert.equal(isStopped, false, 'stop() resolved while a poll was under way');
      worker.release();
      await stage.inTime(stopped, 'stop() resolves after the poll');
      assert.deepEqual([worker.underWay, worker.polls.length], [0, 1]);
    },
  },
  {
    name: 'drops jobs after stop, and polls no more',
    async run(stage) {
      const worker = await stage.startWorker();
      await stage.enqueue(stage.jobs(200, 1_200));
      await stage.inTime(stage.queue.stop(), 'stop() resolves');
      const before = worker.polls.length;
      await stage.enqueue(stage.jobs(0, 50));
      await stage.quiet();
      assert.equal(worker.polls.length, before, 'polls after stop()');
    },
  },
  {
    name: 'is stopped as often as anybody likes, started or not',
    async run(stage) {
      await stage.startWorker();
      await stage.inTime(Promise.all([stage.queue.stop(), stage.queue.stop()]), 'stop() resolves twice');
      await stage.inTime(stage.queue.stop(), 'stop() resolves later');
    },
  },
  {
    name: 'is stopped without having been started',
    async run(stage) {
      await stage.inTime(stage.queue.stop(), 'stop() resolves');
      await stage.inTime(stage.queue.stop(), 'stop() resolves again');
    },
  },
  {
    name: 'stays stopped when it was stopped during its start',
    async run(stage) {
      const worker = new QueueWorker();
      const started = stage.queue.start(worker.poll);
      await stage.inTime(stage.queue.stop(), 'stop() resolves');
      await stage.settled(started, 'start() settles');
      const before = worker.polls.length;
      await stage.enqueue(stage.jobs(0));
      await stage.quiet();
      assert.equal(worker.polls.length, before, 'polls after stop()');
    },
  },
  {
    name: 'refuses to serve a second engine',
    async run(stage) {
      const worker = await stage.startWorker();
      const other = async () => assert.fail('the second engine was asked to poll');
      assert.ok((await stage.rejection(stage.queue.start(other), 'start() rejects')) instanceof TypeError);
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => worker.polls.length > 0, 'a poll of the first engine');
      await stage.queue.stop();
      assert.ok((await stage.rejection(stage.queue.start(other), 'start() rejects')) instanceof TypeError);
    },
  },
  {
    name: 'refuses a start after stop',
    async run(stage) {
      await stage.queue.stop();
      const refused = stage.queue.start(async () => {});
      assert.ok((await stage.rejection(refused, 'start() rejects')) instanceof TypeError);
    },
  },
];
