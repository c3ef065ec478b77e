import assert from 'node:assert/strict';
import type { QueueCase, QueueStage } from './queue-stage.ts';

/** Fewer looks than this stand for ten thousand jobs. */
const FEW_LOOKS = 100;

/** From a job to a look. */
export const jobCases: readonly QueueCase[] = [
  {
    name: 'looks at once for a job that is due',
    async run(stage) {
      const worker = await stage.startWorker();
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => worker.looks.length > 0, 'a look for a job that is due');
    },
  },
  {
    name: 'does not look where there is no job',
    async run(stage) {
      const worker = await stage.startWorker();
      await stage.enqueue([]);
      await stage.quiet();
      assert.deepEqual(worker.looks, [], 'looks without a job');
    },
  },
  ...[300, 1_200].map((delayMs) => ({
    name: `looks for a job that is due in ${delayMs} ms when it is, and not before`,
    async run(stage: QueueStage) {
      const worker = await stage.startWorker();
      const due = performance.now() + delayMs;
      await stage.enqueue(stage.jobs(delayMs));
      await stage.until(() => worker.hasLookedSince(due), `a look after ${delayMs} ms`);
      worker.assertNoLookBefore(due);
    },
  })),
  {
    name: 'looks at each later time, in whatever order the jobs came',
    async run(stage) {
      const worker = await stage.startWorker();
      const now = performance.now();
      await stage.enqueue(stage.jobs(2_500, 500));
      await stage.enqueue(stage.jobs(1_500));
      for (const due of [500, 1_500, 2_500]) {
        await stage.until(() => worker.hasLookedSince(now + due), `a look after ${due} ms`);
      }
      worker.assertNoLookBefore(now + 500);
    },
  },
  {
    name: 'looks again for a job that comes during a look',
    async run(stage) {
      const worker = await stage.startWorker();
      worker.hold();
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => worker.underWay === 1, 'a look for a job that is due');
      await stage.enqueue(stage.jobs(0));
      const [first] = worker.looks;
      worker.release();
      await stage.until(() => worker.looks.length > 1, 'a look that began after the second job came');
      assert.notEqual(worker.looks[1], first);
    },
  },
  {
    name: 'looks one at a time',
    async run(stage) {
      const worker = await stage.startWorker();
      for (let round = 0; round < 20; round += 1) await stage.enqueue(stage.jobs(0, 0, 20 * round));
      await stage.quiet();
      assert.equal(worker.mostAtOnce, 1, 'looks under way at once');
    },
  },
  {
    name: 'repeats nothing for ever',
    async run(stage) {
      const worker = await stage.startWorker();
      await stage.enqueue(stage.jobs(0, 100));
      await stage.until(() => worker.looks.length > 0, 'a look for a job that is due');
      await stage.quiet();
      // A machine that stands still may make a worker look again, and tell the others.
      assert.ok(worker.looks.length <= 10, `${worker.looks.length} looks for two jobs`);
    },
  },
  {
    name: 'lets few looks stand for ten thousand jobs',
    async run(stage) {
      const worker = await stage.startWorker();
      const single = Array.from({ length: 5_000 }, () => stage.enqueue(stage.jobs(0)));
      const together = stage.enqueue(stage.jobs(...Array.from({ length: 5_000 }, () => 0)));
      await Promise.all([...single, together]);
      await stage.until(() => worker.looks.length > 0, 'a look for jobs that are due');
      await stage.quiet();
      assert.ok(worker.looks.length <= FEW_LOOKS, `${worker.looks.length} looks for 10,000 jobs`);
    },
  },
  {
    name: 'takes jobs while a look does not end',
    async run(stage) {
      const worker = await stage.startWorker();
      worker.hold();
      await stage.enqueue(stage.jobs(0));
      await stage.until(() => worker.underWay === 1, 'a look for a job that is due');
      const jobs = stage.jobs(...Array.from({ length: 100 }, (_, index) => index));
      await stage.enqueue(jobs);
    },
  },
];
