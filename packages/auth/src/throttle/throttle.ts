import type { ClientAddress } from '../client-address.ts';
import { dependableNow } from '../clock.ts';
import type { Logger } from '../logging/logger.ts';
import { isPossibleLogin } from '../text/login.ts';
import { accountKey } from './account-key.ts';
import { createFailureCounter, type EndAttempt, type FailureCounter } from './failure-counter.ts';
import type { LoginFailureStore } from './login-failure-store.ts';
import { createSharedFailures, type EndReservation, type SharedFailures } from './shared-failures.ts';
import { attemptsBusy, lockedOut } from './throttle-refusals.ts';
import { createWaitQueue, MAX_WAIT_MS } from './wait-queue.ts';

/** Accounts, devices, and networks of each size, that are remembered at once. */
const MAX_KEYS = 50_000;
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

/** A log-in, or a request that names an account, as the throttle counts it. */
export interface Attempt {
  /** Every value that may be the account's name. Log-ins without any are counted together. */
  readonly logins: readonly unknown[];
  /** All clients whose address is unknown count as one. */
  readonly address: ClientAddress | undefined;
  /**
   * Returns the id of the account's own device, whose failures count instead of the account's.
   * Called once, after the limits of the address, and only if the log-in names one account.
   */
  readonly findDevice?: FindDevice | undefined;
}

/**
 * @param refuseLocked throws `rate_limited` if all of the devices are at their limits: called
 *   before anything that costs more
 */
export type FindDevice = (refuseLocked: (ids: readonly string[]) => void) => Promise<string | undefined>;

/**
 * What a failed log-in counts against: the account (or its device) and the address, the address
 * alone, or nothing.
 */
export type CountedAgainst = 'account' | 'address' | 'nothing';

/** How often attempts may fail in a window, all checked. */
export interface ThrottleLimits {
  readonly maxFailuresPerAccount: number;
  readonly maxFailuresPerAddress: number;
  /** Default: as many as for an account. */
  readonly maxFailuresPerDevice?: number | undefined;
  readonly windowSeconds: number;
  /** Default: each process counts by itself. */
  readonly shared?: (SharingConfig & { readonly store: LoginFailureStore }) | undefined;
}

/** Bounds how often attempts at one account, or from one network, may fail. */
export interface Throttle {
  /**
   * Admits an attempt once failures and attempts under way are below all of its limits, and returns
   * the function that ends it. Until then the attempt waits for others to end: many correct log-ins
   * at once all pass, many guesses do not.
   *
   * @throws AuthError `rate_limited`, if failures alone reach a limit or too many wait; nothing is
   *   counted then
   */
  admit(attempt: Attempt): Promise<(against: CountedAgainst) => Promise<void>>;

  /**
   * Forgets the failures of the account that a login names, whatever its spelling, in this process
   * and in the shared store, which also forgets its attempts under way. Tells whether there were
   * any.
   *
   * @throws AuthError `unavailable`, if the shared store does not answer
   */
  unlock(login: string): Promise<boolean>;
}

/** What the counts in a shared store need. */
export interface SharingConfig {
  /** Hashes what the store must not learn, under a secret that all processes have. */
  readonly hash: (text: string) => string;
  /** What is counted, for messages: a plural. */
  readonly counted: string;
  readonly logger: Logger;
}

/** One counter and the key of an attempt in it. */
interface Tally {
  readonly counter: FailureCounter;
  /** Unique among all counters. */
  readonly key: string;
  readonly limit: number;
  readonly of: 'account' | 'address';
}

/**
 * Creates a throttle.
 *
 * Without a shared store, n processes together allow n times as much. With one, its counts decide,
 * and those of this process while the store does not answer.
 *
 * Spellings that a host or its database may take for one account (upper case, white space, accents,
 * invisible characters, Unicode compatibility forms) count as one, and only their hash is kept. Two
 * accounts may therefore share a count, which costs less than a fresh allowance for each spelling.
 * A full memory neither unlocks nor locks anything: see {@link createFailureCounter}.
 *
 * @param now returns the time in Unix seconds
 */
export function createThrottle(limits: ThrottleLimits, now: () => number): Throttle {
  const { windowSeconds } = limits;
  const findTallies = createTallies(limits);
  const queue = createWaitQueue();
  const shared = limits.shared && createSharedFailures({ windowSeconds, now, ...limits.shared });

  function release(begun: readonly Begun[], isFailure: (tally: Tally) => boolean): void {
    // A clock that fails must not keep the places taken.
    const time = dependableNow(now)();
    for (const [tally, end] of begun) end(isFailure(tally), time);
    for (const [{ key }] of begun) queue.wake(key);
  }

  /** Takes places in the shared store for an attempt that has begun here. */
  async function share(
    from: SharedFailures,
    begun: readonly Begun[],
    until: number,
  ): Promise<EndReservation | undefined> {
    try {
      const tallies = begun.map(([tally]) => tally);
      const reservation = await from.reserve(tallies, until);
      if (reservation === undefined) release(begun, () => false);
      return reservation;
    } catch (error) {
      release(begun, () => false);
      throw error;
    }
  }

  /**
   * Begins an attempt in the same step that finds it below its limits, so that no other comes in
   * between.
   */
  async function begin(tallies: readonly Tally[]): Promise<EndBegun> {
    // From here on: where places are lost, waiting here and then for the store must not add up.
    const until = performance.now() + MAX_WAIT_MS;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const time = now();
      const authority = shared?.isAnswering() ? shared : undefined;
      refuse(tallies, time, authority);
      const full = tallies.find((tally) => !hasRoom(tally, time, authority !== undefined));
      if (full !== undefined) {
        await queue.wait(full.key);
        continue;
      }
      const begun = tallies.map((tally) => [tally, tally.counter.begin(tally.key, time)] as const);
      const reservation = authority && (await share(authority, begun, until));
      // If the store has not answered, the counts of this process decide in the next round.
      if (authority === undefined || reservation !== undefined) return { begun, reservation };
    }
    throw attemptsBusy();
  }

  return {
    async admit({ logins, address, findDevice }) {
      const ofAddress = findTallies.ofAddress(address);
      // First, because computing the account's key takes longer than all the rest.
      refuse(ofAddress, now(), shared?.isAnswering() ? shared : undefined);
      const ofAccount = await findTallies.ofAccount(logins, findDevice, (devices) =>
        refuseAllLocked(devices, now(), shared?.isAnswering() ? shared : undefined),
      );
      const { begun, reservation } = await begin([...ofAddress, ...ofAccount]);
      return async (against) => {
        const isFailure = (of: Tally['of']) => against === 'account' || against === of;
        release(begun, (tally) => isFailure(tally.of));
        await reservation?.((index) => isFailure(begun[index]?.[0].of ?? 'account'));
      };
    },

    async unlock(login) {
      const { counter, key } = findTallies.account(login);
      const hadFailures = counter.forget(key, now());
      const hadShared = (await shared?.forget(key)) === true;
      queue.wake(key);
      return hadFailures || hadShared;
    },
  };
}

type Begun = readonly [Tally, EndAttempt];

interface EndBegun {
  readonly begun: readonly Begun[];
  /** `undefined`, if the counts of this process decide. */
  readonly reservation: EndReservation | undefined;
}

/** Creates the counters of this process, and finds those that a log-in counts in. */
function createTallies(limits: ThrottleLimits) {
  const { maxFailuresPerAccount, maxFailuresPerAddress, windowSeconds } = limits;
  const { maxFailuresPerDevice = maxFailuresPerAccount } = limits;
  const tallier = (of: Tally['of'], limit: number, maxKeys = MAX_KEYS) => {
    const counter = createFailureCounter({ windowSeconds, maxFailures: limit, maxKeys });
    return (key: string): Tally => ({ counter, key, limit, of });
  };
  const account = tallier('account', maxFailuresPerAccount);
  const device = tallier('account', maxFailuresPerDevice);
  const networks = NETWORK_FACTORS.map((factor) => tallier('address', maxFailuresPerAddress * factor));
  const nameless = tallier('account', maxFailuresPerAddress, 1)('no account');
  const addressless = tallier('address', maxFailuresPerAddress * UNKNOWN_ADDRESSES, 1)('no address');

  return {
    account: (login: string): Tally => account(`account ${accountKey(login)}`),

    ofAddress(address: ClientAddress | undefined): readonly Tally[] {
      if (address === undefined) return [addressless];
      return networks.flatMap((network, size) => {
        const key = address.networks[size];
        return key === undefined ? [] : [network(`network ${key}`)];
      });
    },

    async ofAccount(
      logins: readonly unknown[],
      findDevice: Attempt['findDevice'],
      refuseLocked: (devices: readonly Tally[]) => void,
    ): Promise<readonly Tally[]> {
      if (logins.length === 0) return [nameless];
      const keys = new Set(logins.filter(isPossibleLogin).map(accountKey));
      // If a log-in names several accounts, only the verifier knows whose device it would be.
      const ofDevice = (id: string) => device(`device ${id}`);
      const id =
        logins.length === 1 && keys.size === 1
          ? await findDevice?.((ids) => refuseLocked(ids.map(ofDevice)))
          : undefined;
      if (id !== undefined) return [ofDevice(id)];
      return [...keys].map((key) => account(`account ${key}`));
    },
  };
}

/** Refuses an attempt whose failures alone reach a limit. */
function refuse(tallies: readonly Tally[], now: number, authority: SharedFailures | undefined): void {
  if (authority !== undefined) {
    authority.refuseLocked(tallies);
    return;
  }
  const waitSeconds = Math.max(0, ...tallies.map(({ counter, key }) => counter.waitSeconds(key, now)));
  if (waitSeconds > 0) throw lockedOut(waitSeconds);
}

/** Refuses if all are at their limits. While one is not, it may be the one that counts. */
function refuseAllLocked(
  tallies: readonly Tally[],
  now: number,
  authority: SharedFailures | undefined,
): void {
  let refusal: unknown;
  for (const tally of tallies) {
    try {
      refuse([tally], now, authority);
      return;
    } catch (error) {
      refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
}

/** With a shared store, only the attempts under way here count: the store knows of the failures. */
function hasRoom({ counter, key, limit }: Tally, now: number, isShared: boolean): boolean {
  return isShared ? counter.underWay(key, now) < limit : counter.hasRoom(key, now);
}
