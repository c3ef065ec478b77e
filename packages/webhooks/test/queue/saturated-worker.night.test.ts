import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { queueServers } from '../contract/queue-servers.ts';

const DELIVERIES = 5_000;
const POLLING_INTERVAL_MS = 1_000;
const PER_DISPATCH = 50;
const ID = '0'.repeat(32);

/** A storage's due deliveries, and workers that begin as many of them as they have free slots. */
function createDeliveries() {
  let due = 0;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    add(count: number): void {
      due += count;
    },
    /** The poll of a worker whose attempts hang: without a free slot it waits for the end. */
    pollOf(slots: number): () => Promise<void> {
      let free = slots;
      return async () => {
        if (free === 0) return ended;
        const begun = Math.min(free, due);
        due -= begun;
        free -= begun;
      };
    },
    due: () => due,
    end,
  };
}

/** The machine may be busy with other tests: the best of so many runs says what the queue does. */
const RUNS = 3;

describe.each(queueServers)('a saturated worker on $name', ({ skipped, open, isPolled }) => {
  /**
   * How long it takes until all deliveries that a saturated worker dispatches have begun on two
   * idle ones, in ms.
   */
  async function measure(): Promise<number> {
    const engine = await open();
    const queue = () => engine.createQueue({ pollingIntervalMs: POLLING_INTERVAL_MS });
    const [saturated, ...idle] = [queue(), queue(), queue()] as const;
    const deliveries = createDeliveries();
    try {
      await saturated.start(deliveries.pollOf(0));
      for (const worker of idle) await worker.start(deliveries.pollOf(DELIVERIES / 2));
      const dispatchedAt = performance.now();
      deliveries.add(DELIVERIES);
      for (let n = 0; n < DELIVERIES; n += PER_DISPATCH) {
        const jobs = Array.from({ length: PER_DISPATCH }, () => ({ deliveryId: ID, delayMs: 0 }));
        saturated.enqueue(jobs).catch(() => {});
      }
      while (deliveries.due() > 0 && performance.now() - dispatchedAt < 10_000) await sleep(5);
      expect(deliveries.due()).toBe(0);
      return performance.now() - dispatchedAt;
    } finally {
      deliveries.end();
      await Promise.all([saturated, ...idle].map((worker) => worker.stop()));
      await engine.close();
    }
  }

  test.skipIf(skipped)(
    'has 5,000 deliveries begun by two idle ones within 500 ms of their polling',
    { timeout: 240_000 },
    async () => {
      const bound = (isPolled ? POLLING_INTERVAL_MS : 0) + 500;
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; run < RUNS && best >= bound; run++) best = Math.min(best, await measure());
      expect(best).toBeLessThan(bound);
    },
  );
});
