import { integerOption } from '../../../../toolkit/src/options.ts';
import { MAX_COOKIE_AGE_SECONDS } from '../../cookies/set-cookie.ts';
import { AuthError } from '../../errors.ts';
import type { Credentials } from './credentials.ts';

/** The member of a log-in's JSON that asks for it with `true`. */
const MEMBER = 'remember_me';

/** @throws TypeError when the option is out of bounds */
export function resolveRememberMe(
  rememberMeTtlSeconds: number | undefined,
  { refreshTokenTtlSeconds }: { readonly refreshTokenTtlSeconds: number },
): number | undefined {
  if (rememberMeTtlSeconds === undefined) return undefined;
  const bounds = { min: refreshTokenTtlSeconds, max: MAX_COOKIE_AGE_SECONDS };
  return integerOption('rememberMeTtlSeconds', rememberMeTtlSeconds, bounds);
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
export function readLoginBody(rememberMeTtlSeconds: number | undefined, sent: Credentials): LoginBody {
  if (rememberMeTtlSeconds === undefined || !Object.hasOwn(sent, MEMBER)) {
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
  rememberMeTtlSeconds: number | undefined,
  { refreshTokenTtlSeconds }: { readonly refreshTokenTtlSeconds: number },
  isRemembered: boolean,
): number {
  if (typeof isRemembered !== 'boolean') throw new TypeError('rememberMe must be true or false');
  if (!isRemembered) return refreshTokenTtlSeconds;
  if (rememberMeTtlSeconds !== undefined) return rememberMeTtlSeconds;
  throw new TypeError('rememberMe needs the option rememberMeTtlSeconds of createSessions');
}
