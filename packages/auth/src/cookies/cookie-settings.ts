/**
 * Prefixes by which a browser itself guarantees how a cookie was set (RFC 6265bis section 4.1.3).
 */
export type CookiePrefix = '__Secure-' | '__Host-';

export interface CookieOptions {
  readonly cookiePath: string;
  readonly publicCookiePath: string;
  readonly secureCookies: boolean;
  readonly accessTokenCookieName: string;
  readonly refreshTokenCookieName: string;
  readonly cookiePrefix: CookiePrefix | undefined;
}

/** The name, prefix included, and the path of one cookie. */
export interface CookieSettings {
  readonly name: string;
  readonly path: string;
  readonly secure: boolean;
}

export const DEFAULT_REFRESH_TOKEN_NAME = 'refresh_token';

const MAX_NAME_LENGTH = 64;
const MAX_PATH_LENGTH = 256;

/** RFC 9110 `token`. */
const NAME_FORM = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/**
 * Segments of RFC 3986 `pchar` without percent-encoding, which browsers compare byte by byte and
 * servers decode.
 */
const PATH_FORM = /^(?:\/|(?:\/[A-Za-z0-9\-._~!$&'()*+=:@]+)+)$/;

/**
 * Validates the cookie options and derives both cookies from them.
 *
 * Everything that later goes into a `Set-Cookie` value is checked here, so that no text can end an
 * attribute and begin another. The refresh cookie is sent to the authentication endpoints alone:
 * `<publicCookiePath>/auth`. With `__Host-`, which a browser takes on the path `/` alone, it has
 * that path, too: every handler of the host then sees it. The prefix is opt-in for this reason, and
 * nothing else keeps planted cookies out. To expire the name at parent paths would not reach a
 * cookie of the parent domain, and a second cookie to bind the token to can be planted as well.
 *
 * @throws TypeError naming the option, the value and the bound
 */
export function resolveCookies(options: CookieOptions): {
  readonly accessToken: CookieSettings;
  readonly refreshToken: CookieSettings;
} {
  const { publicCookiePath, secureCookies, cookiePrefix } = options;
  validatePath('cookiePath', options.cookiePath);
  validatePath('publicCookiePath', publicCookiePath);
  if (typeof secureCookies !== 'boolean') throw new TypeError('secureCookies must be true or false');
  validateName('accessTokenCookieName', options.accessTokenCookieName);
  validateName('refreshTokenCookieName', options.refreshTokenCookieName);
  if (options.accessTokenCookieName === options.refreshTokenCookieName) {
    throw new TypeError('accessTokenCookieName and refreshTokenCookieName must differ');
  }
  validatePrefix(cookiePrefix, publicCookiePath, secureCookies);

  return Object.freeze({
    accessToken: Object.freeze({
      name: `${cookiePrefix ?? ''}${options.accessTokenCookieName}`,
      path: publicCookiePath,
      secure: secureCookies,
    }),
    refreshToken: Object.freeze({
      name: `${cookiePrefix ?? ''}${options.refreshTokenCookieName}`,
      path: cookiePrefix === '__Host-' ? '/' : authenticationPath(publicCookiePath),
      secure: secureCookies,
    }),
  });
}

/**
 * Derives a further cookie for the authentication endpoints, with prefix, path and `Secure` of the
 * refresh cookie.
 *
 * @param bareName not that of the refresh cookie
 * @throws TypeError when the access cookie has the name
 */
export function cookieBeside(
  { accessToken, refreshToken }: Readonly<Record<'accessToken' | 'refreshToken', CookieSettings>>,
  bareName: string,
): CookieSettings {
  const [prefix = ''] = /^__(?:Secure|Host)-/.exec(refreshToken.name) ?? [];
  const name = `${prefix}${bareName}`;
  if (name !== accessToken.name) return Object.freeze({ ...refreshToken, name });
  throw new TypeError(`accessTokenCookieName must not be "${bareName}"`);
}

/** Where the authentication endpoints of an instance are. */
export function authenticationPath(cookiePath: string): string {
  return cookiePath === '/' ? '/auth' : `${cookiePath}/auth`;
}

function validatePath(option: string, path: unknown): void {
  const valid =
    typeof path === 'string' &&
    path.length <= MAX_PATH_LENGTH &&
    PATH_FORM.test(path) &&
    !path.split('/').some((segment) => segment === '.' || segment === '..');
  if (!valid) {
    throw new TypeError(
      `${option} must be a path such as "/api", without a slash at its end, percent-encoding or dot segments, at most ${MAX_PATH_LENGTH} characters, got ${JSON.stringify(path)}`,
    );
  }
}

function validateName(option: string, name: unknown): void {
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || !NAME_FORM.test(name)) {
    throw new TypeError(
      `${option} must be 1 to ${MAX_NAME_LENGTH} characters of an HTTP token, got ${JSON.stringify(name)}`,
    );
  }
  // Browsers compare the prefix without regard to case.
  if (/^__(?:secure|host|http)-/i.test(name)) {
    throw new TypeError(
      `${option} must not bring a prefix of its own, got ${JSON.stringify(name)}: use cookiePrefix`,
    );
  }
}

function validatePrefix(prefix: CookiePrefix | undefined, path: string, secure: boolean): void {
  if (prefix === undefined) return;
  if (prefix !== '__Secure-' && prefix !== '__Host-') {
    throw new TypeError(`cookiePrefix must be "__Secure-" or "__Host-", got ${JSON.stringify(prefix)}`);
  }
  if (!secure) throw new TypeError(`cookiePrefix "${prefix}" needs secureCookies: true`);
  if (prefix === '__Host-' && path !== '/') {
    throw new TypeError(`cookiePrefix "__Host-" needs cookiePath "/", got ${JSON.stringify(path)}`);
  }
}
