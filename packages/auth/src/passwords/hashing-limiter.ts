import { integerOption, objectOption, refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { parseClientAddress } from '../client-address.ts';
import { AuthError } from '../errors.ts';
import { boundedHostCall } from '../host-call.ts';
import { DEFAULT_ITERATIONS, MAX_ITERATIONS } from './password-hash-text.ts';

export interface HashingLimiterOptions {
  /**
   * Hashes computed at once. 1–64, default 2: half of the four threads that libuv has for a whole
   * process.
   */
  readonly maxConcurrent?: number;
  /** Hashes that wait. 0–10,000, default 64: about ten seconds of work at 600,000 iterations. */
  readonly maxWaiting?: number;
}

/** Whom a hash is computed for, and what it costs. */
export interface HashingRequest {
  /** The client's address; all clients without one count as one network. */
  readonly ip?: string | undefined;
  /**
   * The PBKDF2 iterations of the task. `retryAfterSeconds` of `hashing_busy` follows them; nothing
   * else does. 1–10,000,000, default 100,000, as a guess for a task of another kind.
   */
  readonly iterations?: number | undefined;
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
   * Runs the task as soon as a slot is free for its network. A task that has not settled 30 s later
   * gives the slot back, and its result is dropped.
   *
   * @throws AuthError `hashing_busy`, without running the task: at once if too many wait, and as
   *   soon as no task has settled for 5 s. Its `retryAfterSeconds`, 1–60, is about as long as the
   *   tasks that run and wait will take, and 5 or more if no task settles; `unavailable` when the
   *   task has not settled in time
   */
  run<T>(task: () => Promise<T>, request?: HashingRequest): Promise<T>;
}

/** A quarter of the default limit for all. */
export const MAX_WAITING_PER_NETWORK = 16;
/** The network of the clients without an address. */
const NO_NETWORK = '';

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof HashingLimiterOptions>([
  'maxConcurrent',
  'maxWaiting',
]);

/**
 * 100,000 iterations take 42 ms where two hashes run at once (Node 20, `bench/passwords.ts`), and
 * 50 leaves room. A slower machine calls clients back too early, and they may be refused again. The
 * time is not measured: it would follow the load of the machine, and the first flood would have
 * none.
 */
const SECONDS_PER_ITERATION = 50e-3 / 100_000;
/** As long as the costliest hash takes. Tasks that wait behind silent verifiers are refused then. */
const MAX_SILENCE_MS = 5_000;
const BUSY = 'Too many passwords are waiting to be hashed';
/** For `retryAfterSeconds`, as the next one. */
const SILENT_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 60;

interface Waiting {
  start(): void;
  refuse(error: AuthError): void;
}

/**
 * Creates a limiter, for an application that wants other bounds than the default ones.
 *
 * PBKDF2 runs on libuv's threads, which DNS lookups and file access share: 64 hashes at once stall
 * both for about a second. A limiter bounds one process. Two copies of the package in a process
 * have a default limiter each.
 *
 * @throws TypeError naming the option that is unknown or out of bounds
 */
export function createHashingLimiter(options: HashingLimiterOptions = {}): HashingLimiter {
  const { maxConcurrent, maxWaiting } = readOptions(options);
  /** By network, the next one first. No queue is empty. */
  const waiting = new Map<string, Waiting[]>();
  let waitingCount = 0;
  let running = 0;
  /** Of all tasks that run or wait. */
  let pendingIterations = 0;
  let isSilent = false;
  let silence: NodeJS.Timeout | undefined;

  function noteProgress(): void {
    isSilent = false;
    clearTimeout(silence);
    silence = setTimeout(() => {
      isSilent = true;
      for (const { refuse } of [...waiting.values()].flat()) refuse(busy());
      waiting.clear();
      waitingCount = 0;
    }, MAX_SILENCE_MS);
    silence.unref?.();
  }

  function busy(): AuthError {
    const seconds = Math.ceil((pendingIterations * SECONDS_PER_ITERATION) / maxConcurrent);
    const least = isSilent ? SILENT_WAIT_SECONDS : 1;
    const retryAfterSeconds = Math.min(Math.max(seconds, least), MAX_WAIT_SECONDS);
    return new AuthError('hashing_busy', BUSY, { retryAfterSeconds });
  }

  /** Passes a free slot straight to the next network, so that no later call can overtake. */
  function releaseSlot(): void {
    noteProgress();
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [network, [first, ...rest]] = next;
    waiting.delete(network);
    if (rest.length > 0) waiting.set(network, rest);
    waitingCount -= 1;
    first?.start();
  }

  async function takeSlot(network: string, iterations: number): Promise<void> {
    if (running < maxConcurrent) {
      noteProgress();
      running += 1;
      pendingIterations += iterations;
      return;
    }
    const queue = waiting.get(network) ?? [];
    const isLong = network !== NO_NETWORK && queue.length >= MAX_WAITING_PER_NETWORK;
    if (isLong || isSilent || waitingCount >= maxWaiting) throw busy();
    waiting.set(network, queue);
    waitingCount += 1;
    pendingIterations += iterations;
    await new Promise<void>((start, reject) => {
      const refuse = (error: AuthError) => {
        pendingIterations -= iterations;
        reject(error);
      };
      queue.push({ start, refuse });
    });
  }

  return Object.freeze({
    async run<T>(task: () => Promise<T>, request: HashingRequest = {}): Promise<T> {
      if (typeof task !== 'function') throw new TypeError('task must be a function');
      objectOption('request', request);
      const { ip, iterations = DEFAULT_ITERATIONS } = request;
      integerOption('iterations', iterations, { min: 1, max: MAX_ITERATIONS });
      await takeSlot(widestNetwork(ip), iterations);
      try {
        return await boundedHostCall('A task of the hashing limiter', task)();
      } finally {
        pendingIterations -= iterations;
        releaseSlot();
      }
    },
  });
}

function readOptions(options: HashingLimiterOptions): Required<HashingLimiterOptions> {
  refuseUnknownOptions('createHashingLimiter', options, OPTION_NAMES);
  return {
    maxConcurrent: integerOption('maxConcurrent', options.maxConcurrent, { default: 2, min: 1, max: 64 }),
    maxWaiting: integerOption('maxWaiting', options.maxWaiting, { default: 64, min: 0, max: 10_000 }),
  };
}

function widestNetwork(ip: string | undefined): string {
  return (ip === undefined ? undefined : parseClientAddress(ip)?.networks.at(-1)) ?? NO_NETWORK;
}
