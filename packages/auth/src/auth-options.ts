import { functionOption, integerOption, refuseUnknownOptions } from '../../toolkit/src/options.ts';
import { isScope, MAX_SCOPE_LENGTH } from './claims.ts';
import { type Clock, systemClock } from './clock.ts';
import {
  type CookiePrefix,
  type CookieSettings,
  DEFAULT_REFRESH_TOKEN_NAME,
  resolveCookies,
} from './cookies/cookie-settings.ts';
import { MAX_COOKIE_AGE_SECONDS } from './cookies/set-cookie.ts';
import { resolveTrustedOrigins } from './http/cross-site.ts';
import type { TokenRefusedEvent } from './http/token-refusal.ts';
import { defaultLogger, type Logger, resolveLogger } from './logging/logger.ts';
import { isBoundedText } from './text/well-formed-text.ts';
import type { NamedSigningKey, SigningKey } from './tokens/key-ring.ts';

const MAX_ACCESS_TOKEN_TTL_SECONDS = 86_400;
const MAX_CLOCK_TOLERANCE_SECONDS = 60;
const MAX_AUDIENCE_LENGTH = 256;
const MAX_KNOWN_SCOPES = 256;

/** Options of `createAuth`. One of `signingKey` and `signingKeys` is required. */
export interface AuthOptions<Scope extends string = string> {
  /**
   * One HMAC secret of at least 32 random bytes: text, whose UTF-8 bytes count, or bytes. Documents
   * of other keys, references that nothing has resolved, placeholders, and text with white space or
   * with a quote at an edge are refused.
   */
  readonly signingKey?: SigningKey | undefined;
  /**
   * 1–8 keys for rotation: the first signs, all verify. Deploy a new key at the end first, then
   * move it up.
   */
  readonly signingKeys?: readonly NamedSigningKey[] | undefined;
  /**
   * Path of the access token cookie, and therefore the part of the site that this instance guards.
   * Default `/api/admin`.
   */
  readonly cookiePath?: string | undefined;
  /**
   * What browsers see of `cookiePath`, if something before the server takes off or rewrites a
   * prefix: the path of the cookies alone. Default: `cookiePath`.
   */
  readonly publicCookiePath?: string | undefined;
  /**
   * The `aud` of issued tokens, required of presented ones. Default: `cookiePath`.
   *
   * It keeps two instances that share a key apart: without it, a user's token is valid for the
   * administrator of the same id. `false` turns it off, for tokens minted elsewhere.
   */
  readonly audience?: string | false | undefined;
  /** Life of an access token, and the longest that is accepted. 1–86,400 s, default 300. */
  readonly accessTokenTtlSeconds?: number | undefined;
  /**
   * Life of a session from its log-in, and of its refresh token's cookie. 1–34,560,000 s (400
   * days), default 86,400. A log-in that asks for it may last longer:
   * `rememberMeTtlSeconds` of `createSessions`.
   */
  readonly refreshTokenTtlSeconds?: number | undefined;
  /** Sends cookies over TLS only. Default true; `false` is for development on plain HTTP. */
  readonly secureCookies?: boolean | undefined;
  /** Default `access_token`. */
  readonly accessTokenCookieName?: string | undefined;
  /** Default `refresh_token`. */
  readonly refreshTokenCookieName?: string | undefined;
  /**
   * Default none. `__Host-` needs cookies for `/`; the refresh cookie then has the path `/`, too.
   */
  readonly cookiePrefix?: CookiePrefix | undefined;
  /**
   * The scopes that the application knows, 1–256, each of 1–64 characters. A scope outside the list
   * is then a compile error wherever the instance is asked for one, and a `TypeError` in
   * `requireScope(auth, scope)`. Tokens are not judged by it: they may carry scopes of another
   * release. Default: any text is a scope.
   */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * How far the clocks of issuer and validator may differ for `exp` and `nbf`. 0–60 s, default 0.
   */
  readonly clockToleranceSeconds?: number | undefined;
  /**
   * Origins, besides its own, whose pages may send unsafe requests with cookies. At most 64,
   * default none.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Lets any page on the web act with a user's cookies. Default false. Only behind a check of your
   * own.
   */
  readonly dangerouslyAllowCrossSiteRequests?: boolean | undefined;
  /** Default `Date.now`. */
  readonly clock?: Clock | undefined;
  /**
   * Receives failures of the host's parts (`error`) and, if it has the method, a line for each
   * refusal (`debug`). Default: errors go to `console`, and refusals nowhere.
   */
  readonly logger?: Logger | undefined;
  /**
   * Called once for each token that is refused: an access token, however many cookies the request
   * has; a refresh token at a status poll; an API key at a guard that knows the instance. A request
   * without a token is not reported.
   *
   * Called after the refusal, in a later turn of the event loop: no answer waits
   * for it or changes. At most 16 calls are under way, for 5 s each, and 1,000 events wait; further
   * ones are dropped, which is logged. No event carries a secret.
   */
  onTokenRefused?(event: TokenRefusedEvent): unknown;
}

/** The options that an instance shows, with every default filled in. */
export interface ResolvedAuthOptions {
  readonly cookiePath: string;
  readonly audience: string | false;
  readonly accessTokenTtlSeconds: number;
  readonly refreshTokenTtlSeconds: number;
  readonly clockToleranceSeconds: number;
  readonly accessTokenCookie: CookieSettings;
  readonly refreshTokenCookie: CookieSettings;
  readonly scopes: readonly string[] | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The other options, as `createAuth` uses them; the key ring has the keys. */
interface InnerAuthOptions {
  readonly trustedOrigins: readonly string[];
  readonly dangerouslyAllowCrossSiteRequests: boolean;
  readonly onTokenRefused: AuthOptions['onTokenRefused'];
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof AuthOptions>([
  'signingKey',
  'signingKeys',
  'cookiePath',
  'publicCookiePath',
  'audience',
  'accessTokenTtlSeconds',
  'refreshTokenTtlSeconds',
  'secureCookies',
  'accessTokenCookieName',
  'refreshTokenCookieName',
  'cookiePrefix',
  'scopes',
  'clockToleranceSeconds',
  'trustedOrigins',
  'dangerouslyAllowCrossSiteRequests',
  'clock',
  'logger',
  'onTokenRefused',
]);

/**
 * Validates the options and fills in the defaults; the key ring validates the keys.
 *
 * @throws TypeError naming the option, its value and the bound
 */
export function resolveAuthOptions(options: AuthOptions): ResolvedAuthOptions & InnerAuthOptions {
  refuseUnknownOptions('createAuth', options, OPTION_NAMES);
  const cookiePath = options.cookiePath ?? '/api/admin';
  const cookies = resolveCookies({
    cookiePath,
    publicCookiePath: options.publicCookiePath ?? cookiePath,
    secureCookies: options.secureCookies ?? true,
    accessTokenCookieName: options.accessTokenCookieName ?? 'access_token',
    refreshTokenCookieName: options.refreshTokenCookieName ?? DEFAULT_REFRESH_TOKEN_NAME,
    cookiePrefix: options.cookiePrefix,
  });
  return {
    cookiePath,
    audience: resolveAudience(options.audience ?? cookiePath),
    accessTokenTtlSeconds: integerOption('accessTokenTtlSeconds', options.accessTokenTtlSeconds, {
      default: 300,
      min: 1,
      max: MAX_ACCESS_TOKEN_TTL_SECONDS,
    }),
    refreshTokenTtlSeconds: integerOption('refreshTokenTtlSeconds', options.refreshTokenTtlSeconds, {
      default: 86_400,
      min: 1,
      max: MAX_COOKIE_AGE_SECONDS,
    }),
    clockToleranceSeconds: integerOption('clockToleranceSeconds', options.clockToleranceSeconds, {
      default: 0,
      min: 0,
      max: MAX_CLOCK_TOLERANCE_SECONDS,
    }),
    accessTokenCookie: cookies.accessToken,
    refreshTokenCookie: cookies.refreshToken,
    scopes: options.scopes === undefined ? undefined : resolveScopes(options.scopes),
    trustedOrigins: resolveTrustedOrigins(options.trustedOrigins ?? []),
    dangerouslyAllowCrossSiteRequests: resolveFlag(options.dangerouslyAllowCrossSiteRequests ?? false),
    clock: functionOption('clock', options.clock, systemClock),
    logger: resolveLogger(options.logger ?? defaultLogger),
    onTokenRefused: resolveHook(options),
  };
}

function resolveHook(options: AuthOptions): AuthOptions['onTokenRefused'] {
  if (options.onTokenRefused === undefined) return undefined;
  if (typeof options.onTokenRefused !== 'function') throw new TypeError('onTokenRefused must be a function');
  return options.onTokenRefused.bind(options);
}

function resolveScopes(scopes: readonly string[]): readonly string[] {
  if (Array.isArray(scopes) && scopes.length >= 1 && scopes.length <= MAX_KNOWN_SCOPES) {
    const unfit = scopes.find((scope) => !isScope(scope));
    if (unfit === undefined && new Set(scopes).size === scopes.length) return Object.freeze([...scopes]);
  }
  throw new TypeError(
    `scopes must be an array of 1 to ${MAX_KNOWN_SCOPES} different strings of 1 to ${MAX_SCOPE_LENGTH} characters, got ${JSON.stringify(scopes)}`,
  );
}

function resolveAudience(audience: unknown): string | false {
  if (audience === false || isBoundedText(audience, MAX_AUDIENCE_LENGTH)) return audience;
  throw new TypeError(
    `audience must be a string of 1 to ${MAX_AUDIENCE_LENGTH} characters or false, got ${JSON.stringify(audience)}`,
  );
}

function resolveFlag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError(
    `dangerouslyAllowCrossSiteRequests must be true or false, got ${JSON.stringify(value)}`,
  );
}
