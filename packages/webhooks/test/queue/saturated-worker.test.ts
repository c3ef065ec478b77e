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

describe.each(queueServers)('a saturated worker on $name', ({ skipped, open, isPolled }) => {
  test.skipIf(skipped)(
    'has 5,000 deliveries begun by two idle ones within 500 ms of their polling',
    async () => {
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
        expect(performance.now() - dispatchedAt).toBeLessThan((isPolled ? POLLING_INTERVAL_MS : 0) + 500);
      } finally {
        deliveries.end();
        await Promise.all([saturated, ...idle].map((worker) => worker.stop()));
        await engine.close();
      }
    },
  );
});
