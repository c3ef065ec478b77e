import assert from 'node:assert/strict';
import type { QueueCase, QueueStage } from './queue-stage.ts';

/** Fewer polls than this stand for ten thousand jobs. */
const FEW_POLLS = 100;

/** From a job to a poll. */
export const jobCases: readonly QueueCase[] = [
  {
    name: 'polls at once for a job that is due',
    async run(stage) {
      const worker = await stage.startWorker();
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => worker.polls.length > 0, 'a poll for a job that is due');
    },
  },
  {
    name: 'does not poll where there is no job',
    async run(stage) {
      const worker = await stage.startWorker();
      await stage.enqueue([]);
      await stage.quiet();
      assert.deepEqual(worker.polls, [], 'polls without a job');
    },
  },
  ...[300, 1_200].map((delayMs) => ({
    name: `polls for a job that is due in ${delayMs} ms when it is, and not before`,
    async run(stage: QueueStage) {
      const worker = await stage.startWorker();
      const due = performance.now() + delayMs;
      await stage.enqueue(stage.jobs(delayMs));
      await stage.until(() => worker.hasPolledSince(due), `a poll after ${delayMs} ms`);
      worker.assertNoPollBefore(due);
    },
  })),
  {
    name: 'polls at each later time, in whatever order the jobs came',
    async run(stage) {
      const worker = await stage.startWorker();
      const now = performance.now();
      await stage.enqueue(stage.jobs(2_500, 500));
      await stage.enqueue(stage.jobs(1_500));
      for (const due of [500, 1_500, 2_500]) {
        await stage.until(() => worker.hasPolledSince(now + due), `a poll after ${due} ms`);
      }
      worker.assertNoPollBefore(now + 500);
    },
  },
  {
    name: 'polls again for a job that comes during a poll',
    async run(stage) {
      const worker = await stage.startWorker();
      worker.hold();
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => worker.underWay === 1, 'a poll for a job that is due');
      await stage.enqueue(stage.jobs(0));
      const [first] = worker.polls;
      worker.release();
      await stage.until(() => worker.polls.length > 1, 'a poll that began after the second job came');
      assert.notEqual(worker.polls[1], first);
    },
  },
  {
    name: 'polls one at a time',
    async run(stage) {
      const worker = await stage.startWorker();
      for (let round = 0; round < 20; round += 1) await stage.enqueue(stage.jobs(0, 0, 20 * round));
      await stage.quiet();
      assert.equal(worker.mostAtOnce, 1, 'polls under way at once');
    },
  },
  {
    name: 'repeats nothing for ever',
    async run(stage) {
      const worker = await stage.startWorker();
      await stage.enqueue(stage.jobs(0, 100));
      await stage.until(() => worker.polls.length > 0, 'a poll for a job that is due');
      await stage.quiet();
      // A machine that stands still may make a worker poll again, and tell the others.
      assert.ok(worker.polls.length <= 10, `${worker.polls.length} polls for two jobs`);
    },
  },
  {
    name: 'lets few polls stand for ten thousand jobs',
    async run(stage) {
      const worker = await stage.startWorker();
      const single = Array.from({ length: 5_000 }, () => stage.enqueue(stage.jobs(0)));
      const together = stage.enqueue(stage.jobs(...Array.from({ length: 5_000 }, () => 0)));
      await Promise.all([...single, together]);
      await stage.until(() => worker.polls.length > 0, 'a poll for jobs that are due');
      await stage.quiet();
      assert.ok(worker.polls.length <= FEW_POLLS, `${worker.polls.length} polls for 10,000 jobs`);
    },
  },
  {
    name: 'takes jobs while a poll does not end',
    async run(stage) {
      const worker = await stage.startWorker();
      worker.hold();
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => worker.underWay === 1, 'a poll for a job that is due');
      const jobs = stage.jobs(...Array.from({ length: 100 }, (_, index) => index));
      await stage.enqueue(jobs);
    },
  },
];
