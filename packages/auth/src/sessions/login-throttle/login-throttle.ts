import type { ClientAddress } from '../../client-address.ts';
import { AuthError } from '../../errors.ts';
import { integerOption } from '../../integer-option.ts';
import { isPossibleLogin } from '../credentials.ts';
import { accountKey } from './account-key.ts';
import { createFailureCounter, type EndAttempt, type FailureCounter } from './failure-counter.ts';
import { createWaitQueue } from './wait-queue.ts';

/** Accounts, and networks of each size, that are remembered at once. */
const MAX_KEYS = 50_000;
const MAX_FAILURES = 100_000;
const MAX_WINDOW_SECONDS = 86_400;
/**
 * Limits of a network, as multiples of the limit of an address: an IPv4 address or /64, a /56, a
 * /48.
 */
const NETWORK_FACTORS = [1, 3, 10] as const;
/**
 * The limit of all clients without a known address, as a multiple, so that one of them does not
 * lock out the rest.
 */
const UNKNOWN_ADDRESSES = 100;
/**
 * How often a log-in tries to begin. It tries once whenever another has ended, so practice never
 * reaches the bound.
 */
const MAX_TRIES = 1_000;

export interface LoginThrottleOptions {
  /** Failed log-ins of one account in a window. 1–100,000, default 10. */
  readonly maxFailuresPerAccount?: number | undefined;
  /**
   * Failed log-ins from one IPv4 address or IPv6 /64 in a window. 1–100,000, default 100, because
   * an office shares one. A /56 may fail three times as often, a /48 ten times.
   *
   * Log-ins that name no account share this limit, too. Clients whose address is unknown share a
   * limit a hundred times as high.
   */
  readonly maxFailuresPerAddress?: number | undefined;
  /** Length of a window, which begins with the first failure. 1–86,400 s, default 900. */
  readonly windowSeconds?: number | undefined;
}

/** A log-in, as the throttle counts it. */
export interface LoginAttempt {
  /** Every value that may be the account's name. Log-ins without any are counted together. */
  readonly logins: readonly unknown[];
  /** All clients whose address is unknown count as one. */
  readonly address: ClientAddress | undefined;
}

/**
 * What a failed log-in counts against: the account and the address, the address alone, or nothing.
 */
export type CountedAgainst = 'account' | 'address' | 'nothing';

/** Bounds how many passwords can be tried. */
export interface LoginThrottle {
  /**
   * Admits an attempt once failures and attempts under way are below all of its limits, and returns
   * the function that ends it. Until then the attempt waits for others to end: many correct log-ins
   * at once all pass, many guesses do not.
   *
   * @throws AuthError `rate_limited`, if failures alone reach a limit or too many wait; nothing is
   *   counted then
   */
  admit(attempt: LoginAttempt): Promise<(against: CountedAgainst) => void>;
}

/** One counter and the key of an attempt in it. */
interface Tally {
  readonly counter: FailureCounter;
  /** Unique among all counters. */
  readonly key: string;
  readonly of: 'account' | 'address';
}

/**
 * Creates a throttle in the memory of this process: n processes together allow n times as much.
 *
 * Spellings that a host or its database may take for one account (upper case, white space, accents,
 * invisible characters, Unicode compatibility forms) count as one, and only their hash is kept. Two
 * accounts may therefore share a count, which costs less than a fresh allowance for each spelling.
 * A full memory neither unlocks nor locks anything: see {@link createFailureCounter}.
 *
 * @param now returns the time in Unix seconds
 * @throws TypeError when an option is unknown or out of bounds
 */
export function createLoginThrottle(options: LoginThrottleOptions, now: () => number): LoginThrottle {
  const { maxFailuresPerAccount, maxFailuresPerAddress, windowSeconds } = resolveOptions(options);
  const createCounter = (maxFailures: number, maxKeys = MAX_KEYS) =>
    createFailureCounter({ windowSeconds, maxFailures, maxKeys });
  const accounts = createCounter(maxFailuresPerAccount);
  const networks = NETWORK_FACTORS.map((factor) => createCounter(maxFailuresPerAddress * factor));
  const nameless: Tally = {
    counter: createCounter(maxFailuresPerAddress, 1),
    key: 'no account',
    of: 'account',
  };
  const addressless: Tally = {
    counter: createCounter(maxFailuresPerAddress * UNKNOWN_ADDRESSES, 1),
    key: 'no address',
    of: 'address',
  };
  const queue = createWaitQueue();

  function talliesOfAddress(address: ClientAddress | undefined): readonly Tally[] {
    if (address === undefined) return [addressless];
    return networks.flatMap((counter, size) => {
      const key = address.networks[size];
      return key === undefined ? [] : [{ counter, key, of: 'address' as const }];
    });
  }

  function talliesOfAccount(logins: readonly unknown[]): readonly Tally[] {
    if (logins.length === 0) return [nameless];
    const keys = new Set(logins.filter(isPossibleLogin).map(accountKey));
    return [...keys].map((key) => ({ counter: accounts, key, of: 'account' as const }));
  }

  /**
   * Begins an attempt in the same step that finds it below its limits, so that no other comes in
   * between.
   */
  async function beginWithRoom(tallies: readonly Tally[]): Promise<readonly [Tally, EndAttempt][]> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const time = now();
      refuseLocked(tallies, time);
      const full = tallies.find(({ counter, key }) => !counter.hasRoom(key, time));
      if (full === undefined) return tallies.map((tally) => [tally, tally.counter.begin(tally.key, time)]);
      await queue.wait(full.key);
    }
    throw new AuthError('rate_limited', 'The log-in found no room');
  }

  return {
    async admit({ logins, address }) {
      const ofAddress = talliesOfAddress(address);
      // First, because computing the account's key takes longer than all the rest.
      refuseLocked(ofAddress, now());
      const begun = await beginWithRoom([...ofAddress, ...talliesOfAccount(logins)]);
      return (against) => {
        const time = now();
        for (const [{ of }, end] of begun) end(against === 'account' || against === of, time);
        for (const [{ key }] of begun) queue.wake(key);
      };
    },
  };
}

function refuseLocked(tallies: readonly Tally[], now: number): void {
  const waitSeconds = Math.max(0, ...tallies.map(({ counter, key }) => counter.waitSeconds(key, now)));
  if (waitSeconds === 0) return;
  throw new AuthError('rate_limited', 'Too many log-ins have failed', { retryAfterSeconds: waitSeconds });
}

function resolveOptions(options: LoginThrottleOptions) {
  const {
    maxFailuresPerAccount = 10,
    maxFailuresPerAddress = 100,
    windowSeconds = 900,
    ...unknown
  } = options;
  for (const name of Object.keys(unknown))
    throw new TypeError(`loginThrottle has no option ${JSON.stringify(name)}`);
  integerOption('loginThrottle.maxFailuresPerAccount', maxFailuresPerAccount, 1, MAX_FAILURES);
  integerOption('loginThrottle.maxFailuresPerAddress', maxFailuresPerAddress, 1, MAX_FAILURES);
  integerOption('loginThrottle.windowSeconds', windowSeconds, 1, MAX_WINDOW_SECONDS);
  return { maxFailuresPerAccount, maxFailuresPerAddress, windowSeconds };
}
