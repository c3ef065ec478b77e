import { createWaitQueue } from './wait-queue.ts';

/** Runs the work of this process's log-ins one after another per key, in the order of the calls. */
export interface KeyQueue {
  /**
   * Runs the work once no other work runs for the key.
   *
   * @throws AuthError `rate_limited`, at once if too many wait, and after 30 s of waiting; and what
   *   the work throws
   */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function createKeyQueue(): KeyQueue {
  const queue = createWaitQueue();
  const running = new Set<string>();

  return {
    async run(key, work) {
      // The key stays in `running` from one work to the next, so that no call comes in between.
      if (running.has(key)) await queue.wait(key);
      running.add(key);
      try {
        return await work();
      } finally {
        if (!queue.wakeNext(key)) running.delete(key);
      }
    },
  };
}
