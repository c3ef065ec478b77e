import { AuthError } from '../errors.ts';
import { integerOption } from '../integer-option.ts';
import { accountKey } from './account-key.ts';
import { addressKey } from './client-address.ts';
import { createFailureCounter } from './failure-counter.ts';

/** Accounts, and addresses, that are remembered at once: about 15 MB if an attacker fills both. */
const MAX_KEYS = 50_000;
const MAX_FAILURES = 100_000;
const MAX_WINDOW_SECONDS = 86_400;
/** Failures of all clients without a known address, in those of one address: one of them must not lock out the rest. */
const UNKNOWN_ADDRESSES = 100;
/** The one key of a counter that has no other. */
const ALL = '';

export interface LoginThrottleOptions {
  /** Failed log-ins of one account in a window. 1–100,000, default 10. */
  readonly maxFailuresPerAccount?: number | undefined;
  /**
   * Failed log-ins from one address (IPv6: one /64) in a window. 1–100,000, default 100: an office shares one.
   *
   * Log-ins that name no account share this many, too. Clients whose address is not known share a hundred times as
   * many.
   */
  readonly maxFailuresPerAddress?: number | undefined;
  /** Length of a window, which begins with the first failure. 1–86,400 s, default 900. */
  readonly windowSeconds?: number | undefined;
}

/** What a log-in is counted by. */
export interface LoginAttempt {
  /** Every text that may be the account's name; none is counted with all others that have none. */
  readonly logins: readonly string[];
  /** The client's address; where it is not known, all such clients count as one. */
  readonly ip: string | undefined;
}

/** Bounds how many passwords can be tried. */
export interface LoginThrottle {
  /**
   * Counts the attempt as a failure from now on, so that many at once cannot all pass, and gives what takes it back.
   *
   * @throws AuthError `rate_limited`, with the seconds until the next attempt; then nothing is counted
   */
  admit(attempt: LoginAttempt, now: number): () => void;
}

/**
 * Creates a throttle in the memory of this process: n processes together allow n times as much.
 *
 * It counts failures alone. Spellings that a host or its database may take for one account (upper case, white space,
 * accents, invisible characters, Unicode compatibility forms) count as one, and only their hash is kept: that two
 * accounts share a count now and then costs less than a fresh allowance for each spelling. A full memory unlocks
 * nothing: see {@link createFailureCounter}.
 *
 * @throws TypeError when an option is unknown or out of bounds
 */
export function createLoginThrottle(options: LoginThrottleOptions): LoginThrottle {
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
  const window = { windowSeconds, maxKeys: MAX_KEYS };
  const accounts = createFailureCounter({ ...window, maxFailures: maxFailuresPerAccount });
  const addresses = createFailureCounter({ ...window, maxFailures: maxFailuresPerAddress });
  const nameless = createFailureCounter({ windowSeconds, maxKeys: 1, maxFailures: maxFailuresPerAddress });
  const addressless = createFailureCounter({
    windowSeconds,
    maxKeys: 1,
    maxFailures: maxFailuresPerAddress * UNKNOWN_ADDRESSES,
  });

  return {
    admit({ logins, ip }, now) {
      const counted = [
        ...[...new Set(logins.map(accountKey))].map((key) => ({ counter: accounts, key })),
        ...(logins.length === 0 ? [{ counter: nameless, key: ALL }] : []),
        ip === undefined ? { counter: addressless, key: ALL } : { counter: addresses, key: addressKey(ip) },
      ];
      const waitSeconds = Math.max(0, ...counted.map(({ counter, key }) => counter.waitSeconds(key, now)));
      if (waitSeconds > 0) {
        throw new AuthError('rate_limited', 'Too many log-ins have failed', {
          retryAfterSeconds: waitSeconds,
        });
      }
      const takeBacks = counted.map(({ counter, key }) => counter.add(key, now));
      return () => {
        for (const takeBack of takeBacks) takeBack();
      };
    },
  };
}
