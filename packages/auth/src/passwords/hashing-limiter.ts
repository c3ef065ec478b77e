import { AuthError } from '../errors.ts';
import { integerOption } from '../integer-option.ts';
import { refuseUnknownOptions } from '../refuse-unknown-options.ts';

export interface HashingLimiterOptions {
  /** Hashes computed at once. 1–64, default 2: half of the four threads that libuv has for all of a process. */
  readonly maxConcurrent?: number;
  /** Hashes waiting for their turn. 0–10,000, default 64: about two seconds of work. */
  readonly maxWaiting?: number;
}

/** Runs password hashes, a bounded number at once and a bounded number waiting, in the order asked. */
export interface HashingLimiter {
  /**
   * Runs the task when its turn comes.
   *
   * @throws AuthError `hashing_busy` at once, without running the task, when the queue is full
   */
  run<T>(task: () => Promise<T>): Promise<T>;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof HashingLimiterOptions>([
  'maxConcurrent',
  'maxWaiting',
]);

const RETRY_AFTER_SECONDS = 2;

/**
 * Creates a limiter of its own, for an application that wants other bounds than the default ones.
 *
 * PBKDF2 runs on libuv's threads, which DNS look-ups and file access share: 64 hashes at once stall both for
 * about a second. A limiter bounds one process.
 *
 * @throws TypeError naming the option that is unknown or out of bounds
 */
export function createHashingLimiter(options: HashingLimiterOptions = {}): HashingLimiter {
  refuseUnknownOptions('createHashingLimiter', options, OPTION_NAMES);
  const maxConcurrent = integerOption('maxConcurrent', options.maxConcurrent ?? 2, 1, 64);
  const maxWaiting = integerOption('maxWaiting', options.maxWaiting ?? 64, 0, 10_000);
  const waiting: (() => void)[] = [];
  let running = 0;

  /** A slot that comes free goes straight to the first in line: nobody who comes later can overtake. */
  function releaseSlot(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  async function takeSlot(): Promise<void> {
    if (running < maxConcurrent) {
      running += 1;
      return;
    }
    if (waiting.length >= maxWaiting) {
      throw new AuthError('hashing_busy', 'Too many passwords are waiting to be hashed', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  return Object.freeze({
    async run<T>(task: () => Promise<T>): Promise<T> {
      await takeSlot();
      try {
        return await task();
      } finally {
        releaseSlot();
      }
    },
  });
}
