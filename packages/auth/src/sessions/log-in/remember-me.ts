import { integerOption, refuseUnknownOptions } from '../../../../toolkit/src/options.ts';
import { MAX_COOKIE_AGE_SECONDS } from '../../cookies/set-cookie.ts';
import { AuthError } from '../../errors.ts';
import type { Credentials } from './credentials.ts';

/** How a log-in asks for a longer session, and how long that is. */
export interface RememberMeOptions {
  /**
   * The life of a remembered session, from its log-in. At least `refreshTokenTtlSeconds`, at most
   * 34,560,000 s (400 days): no browser keeps a cookie longer.
   */
  readonly ttlSeconds: number;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof RememberMeOptions>(['ttlSeconds']);
/** The member of a log-in's JSON that asks for it with `true`. */
const MEMBER = 'remember_me';

/** @throws TypeError naming the option that is unknown or out of bounds */
export function resolveRememberMe(
  options: RememberMeOptions | undefined,
  { refreshTokenTtlSeconds }: { readonly refreshTokenTtlSeconds: number },
): RememberMeOptions | undefined {
  if (options === undefined) return undefined;
  refuseUnknownOptions('rememberMe', options, OPTION_NAMES);
  const { ttlSeconds } = options;
  integerOption('rememberMe.ttlSeconds', ttlSeconds, {
    min: refreshTokenTtlSeconds,
    max: MAX_COOKIE_AGE_SECONDS,
  });
  return Object.freeze({ ttlSeconds });
}

/** What a client sent to log in, with its wish apart from its credentials. */
export interface LoginBody {
  readonly credentials: Credentials;
  readonly rememberMe: boolean;
}

/**
 * Takes the wish out of what a client sent, so that neither the verifier nor the throttle sees it.
 * Without the option, everything the client sent is credentials.
 *
 * @throws AuthError `input_invalid` when the member is there and not a boolean
 */
export function readLoginBody(setting: RememberMeOptions | undefined, sent: Credentials): LoginBody {
  if (setting === undefined || !Object.hasOwn(sent, MEMBER)) {
    return { credentials: sent, rememberMe: false };
  }
  const { [MEMBER]: rememberMe, ...credentials } = sent;
  if (typeof rememberMe !== 'boolean') {
    throw new AuthError('input_invalid', `${MEMBER} must be true or false`);
  }
  return { credentials, rememberMe };
}

/**
 * Returns the life of a session that begins now.
 *
 * @throws TypeError when `isRemembered` is not a boolean, or is true without the option
 */
export function sessionTtlSeconds(
  setting: RememberMeOptions | undefined,
  { refreshTokenTtlSeconds }: { readonly refreshTokenTtlSeconds: number },
  isRemembered: boolean,
): number {
  if (typeof isRemembered !== 'boolean') throw new TypeError('rememberMe must be true or false');
  if (!isRemembered) return refreshTokenTtlSeconds;
  if (setting === undefined) throw new TypeError('rememberMe needs the option rememberMe of createSessions');
  return setting.ttlSeconds;
}
