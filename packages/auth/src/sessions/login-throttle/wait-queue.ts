import { AuthError } from '../../errors.ts';

/** Log-ins that wait for others of one account, or from one network. */
const MAX_WAITING_PER_KEY = 64;
/** All of them. Each holds a request with a body of at most 8 KiB. */
const MAX_WAITING = 1_000;
/** How long one waits without that another one has ended: several times what 64 hashes take. */
export const MAX_LOGIN_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/** Log-ins that wait until another one has ended, by what the two have in common. */
export interface WaitQueue {
  /**
   * Resolves at the next `wake` of the key, in the order of the calls.
   *
   * @throws AuthError `rate_limited` at once, when too many wait, and after 10 s without a `wake`
   */
  wait(key: string): Promise<void>;
  /** Lets everybody who waits for the key look again. */
  wake(key: string): void;
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
      if (queue.size >= MAX_WAITING_PER_KEY || count >= MAX_WAITING) throw busy();
      count += 1;
      waiting.set(key, queue);
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          leave(key, resume);
          reject(busy());
        }, MAX_LOGIN_WAIT_MS);
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
  };
}

function busy(): AuthError {
  return new AuthError('rate_limited', 'Too many log-ins are under way', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
