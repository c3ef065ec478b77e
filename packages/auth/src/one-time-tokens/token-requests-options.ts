import { integerOption, refuseUnknownOptions, serviceOption } from '../../../toolkit/src/options.ts';
import type { Auth } from '../auth.ts';
import { systemClock, unixSeconds } from '../clock.ts';
import { boundedHostCall } from '../host-call.ts';
import { requireParts } from '../http/auth-parts.ts';
import { defaultLogger } from '../logging/logger.ts';
import { LOGIN_FAILURE_STORE, type LoginFailureStore } from '../throttle/login-failure-store.ts';
import { createThrottle, type ThrottleLimits } from '../throttle/throttle.ts';
import { assertPurpose } from './one-time-token.ts';
import { DEFAULT_TTL_SECONDS, MAX_TTL_SECONDS, MIN_TTL_SECONDS } from './one-time-token-ttl.ts';
import type { IssuedOneTimeToken, OneTimeTokenRequest, OneTimeTokens } from './one-time-tokens.ts';

const MAX_REQUESTS = 100_000;
const WINDOW_SECONDS = 3_600;
const MAX_CONCURRENT = 64;
const KEYED_HASH_LABEL = '@acme/auth token requests';

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
   * after the answer, with 30 s.
   *
   * @param login 1–256 characters without control or format characters, as the client sent it: fold
   *   its case if yours are folded
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
   * Where all processes count requests together, such as `kyselyLoginFailures(db)`; it may be the
   * one of `loginThrottle`. The hours are then those of the clock. Needs `auth`. Default: each
   * process counts by itself.
   *
   * If the store fails, or takes longer than 3 s, this process counts by itself for 5 s.
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

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof TokenRequestsOptions<TokenUser>>([
  'tokens',
  'purpose',
  'ttlSeconds',
  'findUser',
  'sendToken',
  'maxPerAccount',
  'maxPerAddress',
  'store',
  'auth',
  'maxConcurrent',
]);

/**
 * Fills in every default, and bounds the functions of the host in time.
 *
 * @throws TypeError naming the option that is missing, unknown or out of bounds
 */
export function resolveTokenRequestsOptions<User extends TokenUser>(options: TokenRequestsOptions<User>) {
  refuseUnknownOptions('createTokenRequests', options, OPTION_NAMES);
  const { tokens, purpose, store, auth } = options;
  if (typeof tokens?.issue !== 'function') {
    throw new TypeError('tokens must be what createOneTimeTokens made');
  }
  assertPurpose(purpose);
  for (const name of ['findUser', 'sendToken'] as const) {
    if (typeof options[name] !== 'function') throw new TypeError(`${name} must be a function`);
  }
  if (store !== undefined) serviceOption('store', store, LOGIN_FAILURE_STORE);
  if (store !== undefined && auth === undefined) throw new TypeError('auth is required with store');
  const parts = auth && requireParts(auth);
  const { clock, logger } = auth?.options ?? { clock: systemClock, logger: defaultLogger };
  const now = () => unixSeconds(clock);
  const integer = (name: IntegerOption, byDefault: number, min: number, max: number) =>
    integerOption(name, options[name], { default: byDefault, min, max });
  const hash = store && parts?.keyedHash(KEYED_HASH_LABEL).hash;
  const limits: ThrottleLimits = {
    maxFailuresPerAccount: integer('maxPerAccount', 5, 1, MAX_REQUESTS),
    maxFailuresPerAddress: integer('maxPerAddress', 50, 1, MAX_REQUESTS),
    windowSeconds: WINDOW_SECONDS,
    // Apart from the counts of log-ins, of other purposes, and of other instances.
    shared: hash && {
      store,
      hash: (text) => hash(JSON.stringify([tokens.instance, purpose, text])),
      counted: 'requests for one-time tokens',
      logger,
    },
  };
  return {
    issue: boundedHostCall('tokens.issue', (request: OneTimeTokenRequest) => tokens.issue(request)),
    purpose,
    ttlSeconds: integer('ttlSeconds', DEFAULT_TTL_SECONDS, MIN_TTL_SECONDS, MAX_TTL_SECONDS),
    findUser: boundedHostCall('findUser', options.findUser.bind(options)),
    sendToken: boundedHostCall('sendToken', options.sendToken.bind(options)),
    throttle: createThrottle(limits, now),
    maxConcurrent: integer('maxConcurrent', 4, 1, MAX_CONCURRENT),
    now,
    logger,
  };
}

type IntegerOption = 'ttlSeconds' | 'maxPerAccount' | 'maxPerAddress' | 'maxConcurrent';
