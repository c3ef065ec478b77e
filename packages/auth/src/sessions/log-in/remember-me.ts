import { MAX_COOKIE_AGE_SECONDS } from '../../cookies/set-cookie.ts';
import { AuthError } from '../../errors.ts';
import { integerOption } from '../../options/integer-option.ts';
import { refuseUnknownOptions } from '../../options/refuse-unknown-options.ts';
import { type Credentials, ownMember } from './credentials.ts';

/** How a log-in asks for a longer session, and how long that is. */
export interface RememberMeOptions {
  /**
   * The life of a remembered session, from its log-in. At least `refreshTokenTtlSeconds`, at most
   * 34,560,000 s (400 days): no browser keeps a cookie longer.
   */
  readonly ttlSeconds: number;
  /**
   * The member of a log-in's JSON that asks for it with `true`. 1–64 of the characters
   * `A-Za-z0-9_-`, default `remember_me`.
   */
  readonly member?: string | undefined;
}

/** The option with its default filled in. */
export interface RememberMe {
  readonly ttlSeconds: number;
  readonly member: string;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof RememberMeOptions>(['ttlSeconds', 'member']);
const MEMBER_FORM = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * @param loginMember the member that names the account, if the verifier says so
 * @throws TypeError naming the option that is unknown or out of bounds
 */
export function resolveRememberMe(
  options: RememberMeOptions | undefined,
  { refreshTokenTtlSeconds }: { readonly refreshTokenTtlSeconds: number },
  loginMember: string | undefined,
): RememberMe | undefined {
  if (options === undefined) return undefined;
  refuseUnknownOptions('rememberMe', options, OPTION_NAMES);
  const { ttlSeconds, member = 'remember_me' } = options;
  integerOption('rememberMe.ttlSeconds', ttlSeconds, refreshTokenTtlSeconds, MAX_COOKIE_AGE_SECONDS);
  if (typeof member !== 'string' || !MEMBER_FORM.test(member) || member === '__proto__') {
    throw new TypeError(
      `rememberMe.member must be 1 to 64 letters, digits, "_" or "-", got ${JSON.stringify(member)}`,
    );
  }
  if (member === loginMember) {
    throw new TypeError(`rememberMe.member must not be the member of the login, ${JSON.stringify(member)}`);
  }
  return Object.freeze({ ttlSeconds, member });
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
export function readLoginBody(setting: RememberMe | undefined, sent: Credentials): LoginBody {
  if (setting === undefined || !Object.hasOwn(sent, setting.member)) {
    return { credentials: sent, rememberMe: false };
  }
  const rememberMe = ownMember(sent, setting.member);
  if (typeof rememberMe !== 'boolean') {
    throw new AuthError('input_invalid', `${setting.member} must be true or false`);
  }
  const { [setting.member]: _, ...credentials } = sent;
  return { credentials, rememberMe };
}

/**
 * Returns the life of a session that begins now.
 *
 * @throws TypeError when `isRemembered` is not a boolean, or is true without the option
 */
export function sessionTtlSeconds(
  setting: RememberMe | undefined,
  { refreshTokenTtlSeconds }: { readonly refreshTokenTtlSeconds: number },
  isRemembered: boolean,
): number {
  if (typeof isRemembered !== 'boolean') throw new TypeError('rememberMe must be true or false');
  if (!isRemembered) return refreshTokenTtlSeconds;
  if (setting === undefined) throw new TypeError('rememberMe needs the option rememberMe of createSessions');
  return setting.ttlSeconds;
}
