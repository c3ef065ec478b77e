import { parseClientAddress } from '../client-address.ts';
import { AuthError } from '../errors.ts';
import { integerOption } from '../integer-option.ts';
import { refuseUnknownOptions } from '../refuse-unknown-options.ts';

export interface HashingLimiterOptions {
  /**
   * Hashes computed at once. 1–64, default 2: half of the four threads that libuv has for a whole
   * process.
   */
  readonly maxConcurrent?: number;
  /** Hashes that wait. 0–10,000, default 64: about two seconds of work. */
  readonly maxWaiting?: number;
}

/** The client that a hash is computed for. */
export interface HashingClient {
  /** Its address; all clients without one count as one network. */
  readonly ip?: string | undefined;
}

/**
 * Runs password hashes, a bounded number at once and a bounded number waiting.
 *
 * Networks (an IPv4 address, or an IPv6 /48) are served in turn, and the hashes of one network in
 * the order of the calls. At most {@link MAX_WAITING_PER_NETWORK} of one network wait, so that no
 * network keeps the others out. Clients without an address are bounded only by the limit for all.
 */
export interface HashingLimiter {
  /**
   * Runs the task as soon as a slot is free for its network.
   *
   * @throws AuthError `hashing_busy`, at once and without running the task, if too many wait
   */
  run<T>(task: () => Promise<T>, client?: HashingClient): Promise<T>;
}

/** A quarter of the default limit for all. */
export const MAX_WAITING_PER_NETWORK = 16;
/** The network of the clients without an address. */
const NO_NETWORK = '';

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof HashingLimiterOptions>([
  'maxConcurrent',
  'maxWaiting',
]);

const RETRY_AFTER_SECONDS = 2;

/**
 * Creates a limiter, for an application that wants other bounds than the default ones.
 *
 * PBKDF2 runs on libuv's threads, which DNS look-ups and file access share: 64 hashes at once stall
 * both for about a second. A limiter bounds one process.
 *
 * @throws TypeError naming the option that is unknown or out of bounds
 */
export function createHashingLimiter(options: HashingLimiterOptions = {}): HashingLimiter {
  refuseUnknownOptions('createHashingLimiter', options, OPTION_NAMES);
  const maxConcurrent = integerOption('maxConcurrent', options.maxConcurrent ?? 2, 1, 64);
  const maxWaiting = integerOption('maxWaiting', options.maxWaiting ?? 64, 0, 10_000);
  /** By network, the next one first. No queue is empty. */
  const waiting = new Map<string, (() => void)[]>();
  let waitingCount = 0;
  let running = 0;

  /** Passes a free slot straight to the next network, so that no later call can overtake. */
  function releaseSlot(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [network, [start, ...rest]] = next;
    waiting.delete(network);
    if (rest.length > 0) waiting.set(network, rest);
    waitingCount -= 1;
    start?.();
  }

  async function takeSlot(network: string): Promise<void> {
    if (running < maxConcurrent) {
      running += 1;
      return;
    }
    const queue = waiting.get(network) ?? [];
    const isLong = network !== NO_NETWORK && queue.length >= MAX_WAITING_PER_NETWORK;
    if (isLong || waitingCount >= maxWaiting) {
      throw new AuthError('hashing_busy', 'Too many passwords are waiting to be hashed', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    waiting.set(network, queue);
    waitingCount += 1;
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  return Object.freeze({
    async run<T>(task: () => Promise<T>, { ip }: HashingClient = {}): Promise<T> {
      await takeSlot(widestNetwork(ip));
      try {
        return await task();
      } finally {
        releaseSlot();
      }
    },
  });
}

function widestNetwork(ip: string | undefined): string {
  return (ip === undefined ? undefined : parseClientAddress(ip)?.networks.at(-1)) ?? NO_NETWORK;
}
