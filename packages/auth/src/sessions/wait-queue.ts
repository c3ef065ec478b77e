import { AuthError } from '../errors.ts';

/** Log-ins that wait for others of one account, or from one network. */
const MAX_WAITING_PER_KEY = 64;
/** All of them. Each holds a request with a body of at most 8 KiB. */
const MAX_WAITING = 1_000;
const RETRY_AFTER_SECONDS = 2;

/** Log-ins that wait until another one has ended, by what the two have in common. */
export interface WaitQueue {
  /**
   * Resolves at the next `wake` of the key, in the order of the calls.
   *
   * @throws AuthError `rate_limited` at once, when too many wait
   */
  wait(key: string): Promise<void>;
  /** Lets everybody who waits for the key look again. */
  wake(key: string): void;
}

export function createWaitQueue(): WaitQueue {
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  return {
    async wait(key) {
      const queue = waiting.get(key) ?? [];
      if (queue.length >= MAX_WAITING_PER_KEY || count >= MAX_WAITING) {
        throw new AuthError('rate_limited', 'Too many log-ins are under way', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      count += 1;
      waiting.set(key, queue);
      await new Promise<void>((resolve) => queue.push(resolve));
    },

    wake(key) {
      const queue = waiting.get(key) ?? [];
      waiting.delete(key);
      count -= queue.length;
      for (const resume of queue) resume();
    },
  };
}
