import assert from 'node:assert/strict';
import type { QueueCase, QueueHarness } from './queue-harness.ts';

/** Ten thousand jobs cause fewer polls than this. */
const FEW_POLLS = 100;

/** From a job to a poll. */
export const jobCases: readonly QueueCase[] = [
  {
    name: 'polls at once for a job that is due',
    hint: 'enqueue() with delayMs 0 must lead to a call of the poll that start() was given.',
    async run(harness) {
      const worker = await harness.startWorker();
      await harness.enqueue(harness.jobs(0));
      await harness.until(() => worker.polls.length > 0, 'a poll for a job that is due');
    },
  },
  {
    name: 'does not poll where there is no job',
    hint: 'enqueue([]) and start() must not lead to a call of poll.',
    async run(harness) {
      const worker = await harness.startWorker();
      await harness.enqueue([]);
      await harness.quiet();
      assert.deepEqual(worker.polls, [], 'polls without a job');
    },
  },
  ...[300, 1_200].map((delayMs) => ({
    name: `polls for a job that is due in ${delayMs} ms when it is, and not before`,
    hint: 'enqueue() must lead to a call of poll once delayMs milliseconds have passed, and to none before.',
    async run(harness: QueueHarness) {
      const worker = await harness.startWorker();
      const due = performance.now() + delayMs;
      await harness.enqueue(harness.jobs(delayMs));
      await harness.until(() => worker.hasPolledSince(due), `a poll after ${delayMs} ms`);
      worker.assertNoPollBefore(due);
    },
  })),
  {
    name: 'polls at each later time, in whatever order the jobs came',
    hint: 'enqueue() must keep every later time, not only the earliest or the last one.',
    async run(harness) {
      const worker = await harness.startWorker();
      const now = performance.now();
      await harness.enqueue(harness.jobs(2_500, 500));
      await harness.enqueue(harness.jobs(1_500));
      for (const due of [500, 1_500, 2_500]) {
        await harness.until(() => worker.hasPolledSince(now + due), `a poll after ${due} ms`);
      }
      worker.assertNoPollBefore(now + 500);
    },
  },
  {
    name: 'polls again for a job that comes during a poll',
    hint: 'A job that enqueue() takes while poll has not ended must lead to another call of poll afterwards.',
    async run(harness) {
      const worker = await harness.startWorker();
      worker.block();
      await harness.enqueue(harness.jobs(0));
      await harness.until(() => worker.underWay === 1, 'a poll for a job that is due');
      await harness.enqueue(harness.jobs(0));
      const [first] = worker.polls;
      worker.unblock();
      await harness.until(() => worker.polls.length > 1, 'a poll that began after the second job came');
      assert.notEqual(worker.polls[1], first);
    },
  },
  {
    name: 'polls one at a time',
    hint: 'poll must not be called before the promise of the last call has resolved.',
    async run(harness) {
      const worker = await harness.startWorker();
      for (let round = 0; round < 20; round += 1) await harness.enqueue(harness.jobs(0, 0, 20 * round));
      await harness.quiet();
      assert.equal(worker.mostAtOnce, 1, 'polls under way at once');
    },
  },
  {
    name: 'repeats nothing for ever',
    hint: 'A call of poll must lead to no further one: forget a job once poll was called for it.',
    async run(harness) {
      const worker = await harness.startWorker();
      await harness.enqueue(harness.jobs(0, 100));
      await harness.until(() => worker.polls.length > 0, 'a poll for a job that is due');
      await harness.quiet();
      // A machine that stalls may make a worker poll again, and tell the others.
      assert.ok(worker.polls.length <= 10, `${worker.polls.length} polls for two jobs`);
    },
  },
  {
    name: 'lets few polls stand for ten thousand jobs',
    hint: 'One call of poll serves every job taken before it: merge jobs that wait, do not call poll for each.',
    async run(harness) {
      const worker = await harness.startWorker();
      const single = Array.from({ length: 5_000 }, () => harness.enqueue(harness.jobs(0)));
      const together = harness.enqueue(harness.jobs(...Array.from({ length: 5_000 }, () => 0)));
      await Promise.all([...single, together]);
      await harness.until(() => worker.polls.length > 0, 'a poll for jobs that are due');
      await harness.quiet();
      assert.ok(worker.polls.length <= FEW_POLLS, `${worker.polls.length} polls for 10,000 jobs`);
    },
  },
  {
    name: 'takes jobs while a poll does not end',
    hint: 'enqueue() must resolve without waiting for poll.',
    async run(harness) {
      const worker = await harness.startWorker();
      worker.block();
      await harness.enqueue(harness.jobs(0));
      await harness.until(() => worker.underWay === 1, 'a poll for a job that is due');
      const jobs = harness.jobs(...Array.from({ length: 100 }, (_, index) => index));
      await harness.enqueue(jobs);
    },
  },
];
