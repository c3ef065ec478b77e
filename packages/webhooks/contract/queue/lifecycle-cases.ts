import assert from 'node:assert/strict';
import { type QueueCase, QueueWorker } from './queue-harness.ts';

/** Beginning and end. */
export const lifecycleCases: readonly QueueCase[] = [
  {
    name: 'takes jobs before it is started',
    hint: 'enqueue() must resolve before start() was called: a process that only dispatches never calls it.',
    async run(harness) {
      await harness.enqueue(harness.jobs(0, 100));
    },
  },
  {
    name: 'waits in stop for the poll under way, and begins no other',
    hint: 'stop() must resolve only after the call of poll under way has ended, and call poll no more.',
    async run(harness) {
      const worker = await harness.startWorker();
      worker.block();
      await harness.enqueue(harness.jobs(0));
      await harness.until(() => worker.underWay === 1, 'a poll for a job that is due');
      await harness.enqueue(harness.jobs(0, 50));
      let isStopped = false;
      const stopped = harness.queue.stop().then(() => {
        isStopped = true;
      });
      await harness.quiet();
      assert.equal(isStopped, false, 'stop() resolved while a poll was under way');
      worker.unblock();
      await harness.inTime(stopped, 'stop() resolves after the poll');
      assert.deepEqual([worker.underWay, worker.polls.length], [0, 1]);
    },
  },
  {
    name: 'drops jobs after stop, and polls no more',
    hint: 'After stop(), enqueue() must resolve and do nothing, and delays that have not passed must be forgotten in this process.',
    async run(harness) {
      const worker = await harness.startWorker();
      await harness.enqueue(harness.jobs(200, 1_200));
      await harness.inTime(harness.queue.stop(), 'stop() resolves');
      const before = worker.polls.length;
      await harness.enqueue(harness.jobs(0, 50));
      await harness.quiet();
      assert.equal(worker.polls.length, before, 'polls after stop()');
    },
  },
  {
    name: 'is stopped any number of times, started or not',
    hint: 'stop() must resolve however often it is called, also at the same time.',
    async run(harness) {
      await harness.startWorker();
      await harness.inTime(
        Promise.all([harness.queue.stop(), harness.queue.stop()]),
        'stop() resolves twice',
      );
      await harness.inTime(harness.queue.stop(), 'stop() resolves later');
    },
  },
  {
    name: 'is stopped without having been started',
    hint: 'stop() must resolve without start().',
    async run(harness) {
      await harness.inTime(harness.queue.stop(), 'stop() resolves');
      await harness.inTime(harness.queue.stop(), 'stop() resolves again');
    },
  },
  {
    name: 'stays stopped when it was stopped during its start',
    hint: 'A stop() during start() must win: start() resolves or rejects, and poll is never called.',
    async run(harness) {
      const worker = new QueueWorker();
      const started = harness.queue.start(worker.poll);
      await harness.inTime(harness.queue.stop(), 'stop() resolves');
      await harness.settled(started, 'start() settles');
      const before = worker.polls.length;
      await harness.enqueue(harness.jobs(0));
      await harness.quiet();
      assert.equal(worker.polls.length, before, 'polls after stop()');
    },
  },
  {
    name: 'refuses to serve a second engine',
    hint: 'A second start() must reject with a TypeError, and leave the first one as it is.',
    async run(harness) {
      const worker = await harness.startWorker();
      const other = async () => assert.fail('the second engine was asked to poll');
      assert.ok(
        (await harness.rejection(harness.queue.start(other), 'start() rejects')) instanceof TypeError,
      );
      await harness.enqueue(harness.jobs(0));
      await harness.until(() => worker.polls.length > 0, 'a poll of the first engine');
      await harness.queue.stop();
      assert.ok(
        (await harness.rejection(harness.queue.start(other), 'start() rejects')) instanceof TypeError,
      );
    },
  },
  {
    name: 'refuses a start after stop',
    hint: 'start() after stop() must reject with a TypeError.',
    async run(harness) {
      await harness.queue.stop();
      const refused = harness.queue.start(async () => {});
      assert.ok((await harness.rejection(refused, 'start() rejects')) instanceof TypeError);
    },
  },
];
