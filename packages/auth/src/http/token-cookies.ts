import { integerOption, refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { MAX_COOKIES_PER_NAME } from '../cookies/cookie-header.ts';
import type { CookieSettings } from '../cookies/cookie-settings.ts';
import { clearCookie, MAX_COOKIE_AGE_SECONDS, setCookie } from '../cookies/set-cookie.ts';
import { isRefreshToken } from '../tokens/refresh-token.ts';
import { isCanonicalToken } from '../tokens/token-text.ts';
import type { AuthHeaders } from './auth-request.ts';
import { readCookies } from './authenticate.ts';

export interface TokenCookiesConfig {
  readonly accessTokenCookie: CookieSettings;
  readonly refreshTokenCookie: CookieSettings;
  readonly accessTokenTtlSeconds: number;
  readonly refreshTokenTtlSeconds: number;
}

export interface TokenCookieOptions {
  /**
   * How long the browser keeps the cookie, such as the rest of a session. Of an access token, 1 s
   * up to `accessTokenTtlSeconds`, its default; of a refresh token, 1 s up to 34,560,000 s (400
   * days), default `refreshTokenTtlSeconds`.
   */
  readonly maxAgeSeconds?: number;
}

/** Writes and reads the two cookies of one instance. */
export interface TokenCookies {
  /**
   * Returns the `Set-Cookie` value that stores an access token. Its Max-Age is the token's
   * lifetime.
   *
   * @throws TypeError when the text is not an access token, or is too long for a browser to keep.
   *   The message does not repeat it. Or when an option is unknown or out of bounds
   */
  accessTokenCookie(token: string, options?: TokenCookieOptions): string;

  /**
   * Returns the `Set-Cookie` value that stores a refresh token, for the path
   * `<publicCookiePath>/auth` (with `__Host-`, `/`).
   *
   * @throws TypeError when the text is not a refresh token. The message does not repeat it. Or when
   *   an option is unknown or out of bounds
   */
  refreshTokenCookie(token: string, options?: TokenCookieOptions): string;

  /** Returns two `Set-Cookie` values that remove both cookies from the browser. */
  clearCookies(): string[];

  /**
   * Returns the access token cookies of a request as sent, unvalidated, at most 4. Never throws.
   */
  readAccessTokens(headers: AuthHeaders): string[];

  /**
   * Returns the refresh token cookies of a request as sent, unvalidated, at most 4. Never throws.
   */
  readRefreshTokens(headers: AuthHeaders): string[];
}

const COOKIE_OPTIONS: ReadonlySet<string> = new Set<keyof TokenCookieOptions>(['maxAgeSeconds']);

export function createTokenCookies(config: TokenCookiesConfig): TokenCookies {
  const { accessTokenCookie, refreshTokenCookie, accessTokenTtlSeconds, refreshTokenTtlSeconds } = config;
  return {
    accessTokenCookie(token, options = {}) {
      refuseUnknownOptions('accessTokenCookie', options, COOKIE_OPTIONS);
      const { maxAgeSeconds = accessTokenTtlSeconds } = options;
      if (!isCanonicalToken(token)) throw new TypeError('accessTokenCookie needs an access token');
      integerOption('maxAgeSeconds', maxAgeSeconds, { min: 1, max: accessTokenTtlSeconds });
      return setCookie(accessTokenCookie, token, maxAgeSeconds);
    },

    refreshTokenCookie(token, options = {}) {
      refuseUnknownOptions('refreshTokenCookie', options, COOKIE_OPTIONS);
      const { maxAgeSeconds = refreshTokenTtlSeconds } = options;
      if (!isRefreshToken(token)) throw new TypeError('refreshTokenCookie needs a refresh token');
      integerOption('maxAgeSeconds', maxAgeSeconds, { min: 1, max: MAX_COOKIE_AGE_SECONDS });
      return setCookie(refreshTokenCookie, token, maxAgeSeconds);
    },

    clearCookies: () => [clearCookie(accessTokenCookie), clearCookie(refreshTokenCookie)],
    readAccessTokens: (headers) => readCookies(headers, accessTokenCookie.name, MAX_COOKIES_PER_NAME),
    readRefreshTokens: (headers) => readCookies(headers, refreshTokenCookie.name, MAX_COOKIES_PER_NAME),
  };
}
