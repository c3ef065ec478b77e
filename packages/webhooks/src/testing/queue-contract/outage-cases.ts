import assert from 'node:assert/strict';
import type { QueueCase } from './queue-stage.ts';

/** The engine is away. */
export const outageCases: readonly QueueCase[] = [
  {
    name: 'rejects jobs that its engine does not take',
    needs: 'outages',
    async run(stage) {
      await stage.enqueue(stage.jobs(0));
      await stage.cutOff();
      await stage.rejection(stage.queue.enqueue(stage.jobs(0)), 'enqueue() rejects');
    },
  },
  {
    name: 'rejects a start while its engine is away, without taking it for one',
    needs: 'outages',
    async run(stage) {
      await stage.cutOff();
      for (let n = 0; n < 2; n += 1) {
        const started = stage.queue.start(async () => assert.fail('a poll without a start'));
        const reason = await stage.rejection(started, 'start() rejects');
        const isMisuse = reason instanceof TypeError && /started or stopped/.test(reason.message);
        assert.equal(isMisuse, false, 'the start that failed counts as one');
      }
    },
  },
  {
    name: 'stops while its engine is away',
    needs: 'outages',
    async run(stage) {
      await stage.startWorker();
      await stage.cutOff();
      await stage.inTime(stage.queue.stop(), 'stop() resolves');
    },
  },
];
