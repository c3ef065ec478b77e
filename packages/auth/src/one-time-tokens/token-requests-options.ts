import { integerOption, refuseUnknownOptions, serviceOption } from '../../../toolkit/src/options.ts';
import type { Auth } from '../auth.ts';
import { systemClock, unixSeconds } from '../clock.ts';
import { boundedHostCall } from '../host-call.ts';
import { requireParts } from '../http/auth-parts.ts';
import { defaultLogger } from '../logging/logger.ts';
import { LOGIN_FAILURE_STORE, type LoginFailureStore } from '../throttle/login-failure-store.ts';
import { createThrottle } from '../throttle/throttle.ts';
import { assertPurpose } from './one-time-token.ts';
import { DEFAULT_TTL_SECONDS, MAX_TTL_SECONDS, MIN_TTL_SECONDS } from './one-time-token-ttl.ts';
import type { IssuedOneTimeToken, OneTimeTokenRequest, OneTimeTokens } from './one-time-tokens.ts';

const COUNTS = {
  ttlSeconds: { default: DEFAULT_TTL_SECONDS, min: MIN_TTL_SECONDS, max: MAX_TTL_SECONDS },
  maxPerAccount: { default: 5, min: 1, max: 100_000 },
  maxPerAddress: { default: 50, min: 1, max: 100_000 },
  maxConcurrent: { default: 4, min: 1, max: 64 },
} as const;
const OPTIONS = ['tokens', 'purpose', 'findUser', 'sendToken', 'store', 'auth', ...Object.keys(COUNTS)];

/** A user, as far as a requested token needs one. `sendToken` gets further fields back. */
export interface TokenUser {
  readonly uid: string;
}

/** A token on its way to the user who asked for it. */
export interface TokenMail<User extends TokenUser = TokenUser> extends IssuedOneTimeToken {
  /** What `findUser` returned. Take the address from here, never from the request. */
  readonly user: User;
  /** The address that asked, as the host passed it. */
  readonly ip: string | undefined;
}

/** Options of `createTokenRequests`. */
export interface TokenRequestsOptions<User extends TokenUser> {
  readonly tokens: OneTimeTokens;
  /** What the tokens are good for. */
  readonly purpose: string;
  /** The life of a token. 60 s to 30 days, default 3,600. */
  readonly ttlSeconds?: number | undefined;
  /**
   * Finds the user whom a login names, or returns nothing, also for a user who is disabled. Called
   * after the answer, with 30 s. The login has 1–256 characters, none of them a control or format
   * character, as the client sent it: fold its case if yours are folded.
   */
  findUser(login: string): Promise<User | null | undefined>;
  /**
   * Sends the token: mails a link with it. Called after the answer, with 30 s. If it fails, the
   * logger gets the error without token and login, and the user asks again: nothing is repeated.
   */
  sendToken(mail: TokenMail<User>): Promise<unknown>;
  /** Requests for one account in an hour, which begins with the first. 1–100,000, default 5. */
  readonly maxPerAccount?: number | undefined;
  /**
   * Requests from one IPv4 address or IPv6 /64 in an hour. 1–100,000, default 50. A /56 may ask
   * three times as often, a /48 ten times. Clients whose address is unknown share a limit a hundred
   * times as high.
   */
  readonly maxPerAddress?: number | undefined;
  /**
   * Where all processes count requests together, by the clock's hours, such as
   * `kyselyLoginFailures(db)`; it may be the one of `loginThrottle`. Needs `auth`. Default, and for
   * 5 s after the store fails or takes longer than 3 s: each process counts by itself.
   */
  readonly store?: LoginFailureStore | undefined;
  /**
   * The instance whose clock and logger are used, and whose signing key keeps logins and addresses
   * out of `store`. Default: `Date.now`, and errors go to `console`.
   */
  readonly auth?: Auth | undefined;
  /** Requests that are worked on at once, behind their answers. 1–64, default 4. */
  readonly maxConcurrent?: number | undefined;
}

/**
 * Fills in every default, and bounds the functions of the host in time.
 *
 * @throws TypeError naming the option that is missing, unknown or out of bounds
 */
export function resolveTokenRequestsOptions<User extends TokenUser>(options: TokenRequestsOptions<User>) {
  refuseUnknownOptions('createTokenRequests', options, OPTIONS);
  const { tokens, purpose, store, auth } = options;
  if (typeof tokens?.issue !== 'function')
    throw new TypeError('tokens must be what createOneTimeTokens made');
  assertPurpose(purpose);
  for (const name of ['findUser', 'sendToken'] as const) {
    if (typeof options[name] !== 'function') throw new TypeError(`${name} must be a function`);
  }
  if (store !== undefined) serviceOption('store', store, LOGIN_FAILURE_STORE);
  if (store !== undefined && auth === undefined) throw new TypeError('auth is required with store');
  const hash = auth && requireParts(auth).keyedHash('@acme/auth token requests').hash;
  const { clock, logger } = auth?.options ?? { clock: systemClock, logger: defaultLogger };
  const now = () => unixSeconds(clock);
  const count = (name: keyof typeof COUNTS) => integerOption(name, options[name], COUNTS[name]);
  const limits = {
    maxFailuresPerAccount: count('maxPerAccount'),
    maxFailuresPerAddress: count('maxPerAddress'),
    windowSeconds: 3_600,
    // Apart from the counts of log-ins, of other purposes, and of other instances.
    shared: store &&
      hash && {
        store,
        hash: (text: string) => hash(JSON.stringify([tokens.instance, purpose, text])),
        counted: 'requests for one-time tokens',
        logger,
      },
  };
  return {
    issue: boundedHostCall('tokens.issue', (request: OneTimeTokenRequest) => tokens.issue(request)),
    purpose,
    ttlSeconds: count('ttlSeconds'),
    findUser: boundedHostCall('findUser', options.findUser.bind(options)),
    sendToken: boundedHostCall('sendToken', options.sendToken.bind(options)),
    throttle: createThrottle(limits, now),
    maxConcurrent: count('maxConcurrent'),
    now,
    logger,
  };
}
