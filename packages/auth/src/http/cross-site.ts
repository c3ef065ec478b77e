import { parseUrl } from '../../../toolkit/src/parse-url.ts';
import { AuthError } from '../errors.ts';
import { type AuthRequest, headerValues } from './auth-request.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const MAX_TRUSTED_ORIGINS = 64;

/** An origin as browsers write it in `Origin`: scheme, host, port unless it is the default one. */
const ORIGIN_FORM = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*,]+$/;

/**
 * A host and an optional port, with nothing that a URL parser could take for user info or a path.
 */
const HOST_FORM = /^[A-Za-z0-9\-._~%!$&'()*+;=:[\]]+$/;

/**
 * Validates the option `trustedOrigins`.
 *
 * @throws TypeError naming the first origin that no browser would send in this spelling
 */
export function resolveTrustedOrigins(origins: readonly string[]): readonly string[] {
  if (!Array.isArray(origins) || origins.length > MAX_TRUSTED_ORIGINS) {
    throw new TypeError(`trustedOrigins must be an array of at most ${MAX_TRUSTED_ORIGINS} origins`);
  }
  for (const origin of origins) {
    if (typeof origin !== 'string' || !ORIGIN_FORM.test(origin) || !isCanonicalOrigin(origin)) {
      throw new TypeError(
        `trustedOrigins must hold origins such as "https://app.example.com", without path or wildcard, got ${JSON.stringify(origin)}`,
      );
    }
  }
  return Object.freeze([...origins]);
}

/**
 * Refuses an unsafe request that a page of another site sent with a user's cookies.
 *
 * Fetch Metadata decides if the browser sends it. `same-site` is refused too, because a sibling
 * subdomain often belongs to somebody else, and SameSite=Lax lets it through. For older browsers,
 * `Origin` must match `Host`, without the scheme, which a proxy that ends TLS changes. With neither
 * header, no browser sent the request. The opening of a WebSocket is a GET and counts as unsafe.
 *
 * @throws AuthError `cross_site`
 */
export function assertSameOrigin(request: AuthRequest, trustedOrigins: readonly string[]): void {
  if (isSafe(request)) return;
  const site = headerValues(request.headers, 'sec-fetch-site');
  const origins = headerValues(request.headers, 'origin');
  const [origin] = origins;
  const originIsTrusted = origin !== undefined && origins.length === 1 && trustedOrigins.includes(origin);
  if (originIsTrusted) return;
  if (site.length > 0) {
    if (site.length === 1 && (site[0] === 'same-origin' || site[0] === 'none')) return;
  } else {
    if (origin === undefined) return;
    if (origins.length === 1 && isOwnOrigin(origin, requestHost(request))) return;
  }
  throw new AuthError('cross_site', 'The request was sent by a page of another site');
}

function isSafe(request: AuthRequest): boolean {
  if (request.method === undefined || !SAFE_METHODS.has(request.method)) return false;
  return headerValues(request.headers, 'upgrade').length === 0;
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  if (host === undefined || !HOST_FORM.test(host)) return false;
  const own = parseUrl(origin);
  if (own === undefined || own.origin !== origin) return false;
  // Reading the host with the origin's scheme makes `example.com:443` equal `https://example.com`.
  return parseUrl(`${own.protocol}//${host}`)?.host === own.host;
}

function requestHost(request: AuthRequest): string | undefined {
  const hosts = headerValues(request.headers, 'host');
  if (hosts.length > 0) return hosts.length === 1 ? hosts[0] : undefined;
  // A Headers object refuses the name of this HTTP/2 pseudo-header; it only exists in Node's
  // records.
  const authority =
    typeof request.headers.get === 'function' ? [] : headerValues(request.headers, ':authority');
  return authority[0] ?? parseUrl(request.url ?? '')?.host;
}

function isCanonicalOrigin(origin: string): boolean {
  // Only for the schemes of the web does a URL have an origin; an app's own scheme is compared as
  // text.
  return !/^https?:/.test(origin) || parseUrl(origin)?.origin === origin;
}
