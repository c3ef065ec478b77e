import assert from 'node:assert/strict';
import type { QueueCase } from './queue-harness.ts';

/** While the backend is away. */
export const outageCases: readonly QueueCase[] = [
  {
    name: 'rejects jobs that its backend does not take',
    needs: 'outages',
    hint: 'enqueue() must reject when the backend does not take the jobs: the engine then reports it.',
    async run(harness) {
      await harness.enqueue(harness.jobs(0));
      await harness.cutOff();
      await harness.rejection(harness.queue.enqueue(harness.jobs(0)), 'enqueue() rejects');
    },
  },
  {
    name: 'rejects a start while its backend is away, without taking it for one',
    needs: 'outages',
    hint: 'start() must reject when the backend is away, with an error that is not the TypeError of a second start, and a later start() must be possible.',
    async run(harness) {
      await harness.cutOff();
      for (let n = 0; n < 2; n += 1) {
        const started = harness.queue.start(async () => assert.fail('a poll without a start'));
        const reason = await harness.rejection(started, 'start() rejects');
        const isMisuse = reason instanceof TypeError && /started or stopped/.test(reason.message);
        assert.equal(isMisuse, false, 'the start that failed counts as one');
      }
    },
  },
  {
    name: 'stops while its backend is away',
    needs: 'outages',
    hint: 'stop() must resolve within a few seconds although the backend does not answer.',
    async run(harness) {
      await harness.startWorker();
      await harness.cutOff();
      await harness.inTime(harness.queue.stop(), 'stop() resolves');
    },
  },
];
