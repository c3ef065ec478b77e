import { HOST_CALL_TIMEOUT_MS } from '../host-call.ts';
import { attemptsBusy } from './throttle-refusals.ts';

/** Log-ins that wait for others to the same account, or from the same network. */
const MAX_WAITING_PER_KEY = 64;
/** Log-ins that wait, in all. Each keeps a request with a body of at most 8 KiB in memory. */
const MAX_WAITING = 1_000;
/**
 * How long a log-in waits while no other ends: as long as a function of the host may take. 64
 * hashes of 600,000 iterations take about 10 s.
 */
export const MAX_WAIT_MS: number = HOST_CALL_TIMEOUT_MS;

/** Log-ins that wait for another to end, by the key that the two share. */
export interface WaitQueue {
  /**
   * Resolves at the next `wake` of the key, in the order of the calls.
   *
   * @throws AuthError `rate_limited`, at once if too many wait, and after 30 s without a `wake`
   */
  wait(key: string): Promise<void>;
  /** Lets every log-in that waits for the key check again. */
  wake(key: string): void;
  /** Resumes the log-in that has waited longest for the key, and tells whether there is one. */
  wakeNext(key: string): boolean;
}

export function createWaitQueue(): WaitQueue {
  const waiting = new Map<string, Set<() => void>>();
  let count = 0;

  function leave(key: string, resume: () => void): void {
    const queue = waiting.get(key);
    if (queue?.delete(resume) !== true) return;
    count -= 1;
    if (queue.size === 0) waiting.delete(key);
  }

  return {
    async wait(key) {
      const queue = waiting.get(key) ?? new Set();
      if (queue.size >= MAX_WAITING_PER_KEY || count >= MAX_WAITING) throw attemptsBusy();
      count += 1;
      waiting.set(key, queue);
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          leave(key, resume);
          reject(attemptsBusy());
        }, MAX_WAIT_MS);
        const resume = () => {
          clearTimeout(timer);
          resolve();
        };
        queue.add(resume);
      });
    },

    wake(key) {
      for (const resume of waiting.get(key) ?? []) {
        leave(key, resume);
        resume();
      }
    },

    wakeNext(key) {
      const [resume] = waiting.get(key) ?? [];
      if (resume === undefined) return false;
      leave(key, resume);
      resume();
      return true;
    },
  };
}
