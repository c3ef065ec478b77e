import { createWaitQueue } from './wait-queue.ts';

/** Lets log-ins of this process do something one after another, in the order of their calls. */
export interface Turns {
  /**
   * Does the work once nobody else is at work for the key.
   *
   * @throws AuthError `rate_limited`, at once if too many wait, and after 30 s without a turn; and
   *   what the work throws
   */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(): Turns {
  const queue = createWaitQueue();
  const atWork = new Set<string>();

  return {
    async take(key, work) {
      // The one before hands its turn over, so that nobody comes in between.
      if (atWork.has(key)) await queue.wait(key);
      atWork.add(key);
      try {
        return await work();
      } finally {
        if (!queue.wakeNext(key)) atWork.delete(key);
      }
    },
  };
}
