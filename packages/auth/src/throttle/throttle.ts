import type { ClientAddress } from '../client-address.ts';
import type { AuthError } from '../errors.ts';
import { createFailureCounter } from './failure-counter.ts';
import { createSharedFailures, type SharedFailuresConfig } from './shared-failures.ts';
import { BusyError, type Tally } from './throttle-refusals.ts';

/** Names, accounts, devices and networks that are remembered at once, together. */
const MAX_KEYS = 200_000;
/** The limit of an account that was found, whatever its spelling, as a multiple of a name's. */
const ACCOUNT_FACTOR = 3;
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

/** A log-in, or a request that names an account, as the throttle counts it. */
export interface Attempt {
  /**
   * Every name that may be the account's, as `countedName` gives it. Without any, the address alone
   * counts.
   */
  readonly names: readonly string[];
  /** All clients whose address is unknown count as one. */
  readonly address: ClientAddress | undefined;
  /** The id of the account's own device, whose failures count instead of those of the names. */
  readonly device?: string | undefined;
}

/**
 * What a failed log-in counts against: the account (or its device) and the address, the address
 * alone, or nothing.
 */
export type CountedAgainst = 'account' | 'address' | 'nothing';

/** An attempt that may be verified. */
export interface Admission {
  /**
   * Counts the attempt against the account that its name has led to, before it is verified. Returns
   * why it is not to be verified, if too many attempts at the account have failed or are under way,
   * in whatever spelling.
   *
   * @param name the one that was looked for. It counts as well as those admitted
   */
  accountFound(uid: string, name?: string): Promise<AuthError | undefined>;
  /** Ends the attempt. What counts against nothing, or not against its account, is given back. */
  end(against: CountedAgainst): Promise<void>;
}

/** How often attempts may fail in a window, all checked. */
export interface ThrottleLimits {
  /** Of a name and of a known device; of an account, a multiple. */
  readonly maxFailuresPerAccount: number;
  readonly maxFailuresPerAddress: number;
  readonly windowSeconds: number;
  /** Default: each process counts by itself. */
  readonly shared?: SharingConfig | undefined;
}

/** What the counts in a shared store need. */
export type SharingConfig = Omit<SharedFailuresConfig, 'windowSeconds' | 'now'>;

/** Bounds how often attempts at one account, or from one network, may fail. */
export interface Throttle {
  /**
   * Counts an attempt before it is verified, and admits it while failures and attempts under way
   * are within all of its limits.
   *
   * @throws AuthError `rate_limited`, if they are not; the attempt itself is not counted then
   */
  admit(attempt: Attempt): Promise<Admission>;

  /**
   * Forgets the failures of a name, as `countedName` gives it, and those of an account, in this
   * process and in the shared store, which also forgets the attempts under way. Tells whether there
   * were any.
   *
   * @throws AuthError `unavailable`, if the shared store does not answer
   */
  unlock(name: string, uid: string | undefined): Promise<boolean>;
}

interface OwnedTally extends Tally {
  readonly of: 'account' | 'address';
}

/**
 * Creates a throttle.
 *
 * Without a shared store, n processes together allow n times as much. With one, its counts decide,
 * and those of this process while the store does not answer. A full memory neither unlocks nor
 * locks anything: see {@link createFailureCounter}.
 *
 * @param now returns the time in Unix seconds
 */
export function createThrottle(limits: ThrottleLimits, now: () => number): Throttle {
  const { windowSeconds, maxFailuresPerAccount, maxFailuresPerAddress } = limits;
  const counter = createFailureCounter({ windowSeconds, maxKeys: MAX_KEYS });
  const shared = limits.shared && createSharedFailures({ ...limits.shared, windowSeconds, now });

  const nameTally = (name: string) => ofAccount(`name ${name}`, maxFailuresPerAccount);
  const accountTally = (uid: string) => ofAccount(`account ${uid}`, maxFailuresPerAccount * ACCOUNT_FACTOR);
  const deviceTally = (id: string) => ofAccount(`device ${id}`, maxFailuresPerAccount);

  /**
   * Returns the refusal, with nothing counted, or the function that ends what has begun.
   */
  async function begin(tallies: readonly OwnedTally[]): Promise<AuthError | Admission['end']> {
    const time = now();
    const here = counter.begin(tallies, time);
    const isAsked = shared?.isAnswering() === true && !here.isCrowded;
    const there = isAsked ? await shared.begin(tallies, time) : undefined;
    const endAll = async (isFailure: (index: number) => boolean) => {
      here.end(isFailure);
      await there?.end(isFailure);
    };
    // The failures in this process decide only if the store does not.
    const refusal = here.isCrowded ? new BusyError() : (there ?? here).refusal;
    if (refusal === undefined) {
      return (against) => endAll((index) => against === 'account' || against === tallies[index]?.of);
    }
    await endAll(() => false);
    return refusal;
  }

  return {
    async admit({ names, address, device }) {
      const named = names.map(nameTally);
      const own = device === undefined ? named : [deviceTally(device)];
      const begun = await begin([...networkTallies(address, maxFailuresPerAddress), ...own]);
      if (typeof begun !== 'function') throw begun;
      const ends = [begun];
      const counted = new Set(own.map(({ key }) => key));
      return {
        async accountFound(uid, name) {
          const isNew = name !== undefined && !names.includes(name);
          const looked = isNew ? [...named, nameTally(name)] : named;
          // With a device of another account, the name counts, too, as it does without a device.
          const found = await begin([accountTally(uid), ...looked.filter(({ key }) => !counted.has(key))]);
          if (typeof found !== 'function') return found;
          ends.push(found);
          for (const { key } of looked) counted.add(key);
          return undefined;
        },
        async end(against) {
          await Promise.all(ends.splice(0).map((end) => end(against)));
        },
      };
    },

    async unlock(name, uid) {
      const tallies = [nameTally(name), ...(uid === undefined ? [] : [accountTally(uid)])];
      let hadAny = false;
      for (const { key } of tallies) {
        const hadHere = counter.forget(key, now());
        const hadThere = await shared?.forget(key);
        hadAny ||= hadHere || hadThere === true;
      }
      return hadAny;
    },
  };
}

function ofAccount(key: string, limit: number): OwnedTally {
  return { key, limit, of: 'account' };
}

function networkTallies(address: ClientAddress | undefined, limit: number): readonly OwnedTally[] {
  if (address === undefined) {
    return [{ key: 'no address', limit: limit * UNKNOWN_ADDRESSES, of: 'address' }];
  }
  return NETWORK_FACTORS.flatMap((factor, size) => {
    const network = address.networks[size];
    return network === undefined
      ? []
      : [{ key: `network ${network}`, limit: limit * factor, of: 'address' as const }];
  });
}
