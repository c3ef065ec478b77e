import type { Logger } from '../logging/logger.ts';
import { AdminProblem } from './admin-problem.ts';
import type { Audience } from './audience.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const MAX_TRUSTED_ORIGINS = 64;
/** How many refused origins an API logs, each once: their pages choose them. */
const MAX_LOGGED_ORIGINS = 10;
const MAX_ORIGIN_LENGTH = 255;

/** Refuses what {@link isCrossSite} tells, and names the option that lets an origin in. */
export function createCrossSiteCheck(api: {
  readonly audience: Audience;
  readonly trustedOrigins: ReadonlySet<string>;
  readonly logger: Logger;
}): (request: Request) => void {
  const by = api.audience === 'customers' ? 'createPortalApi' : 'createAdminApi';
  const detail = `A page of another site sent the request: trustedOrigins of ${by} lets one in`;
  const logged = new Set<string | undefined>();
  return (request) => {
    if (!isCrossSite(request, api.trustedOrigins)) return;
    const origin = request.headers.get('origin')?.slice(0, MAX_ORIGIN_LENGTH);
    if (logged.size < MAX_LOGGED_ORIGINS && !logged.has(origin)) {
      logged.add(origin);
      api.logger.warn({ origin }, detail);
    }
    throw new AdminProblem('cross_site', { detail });
  };
}

/**
 * Tells whether another site's page may have sent a state-changing request with this user's
 * cookies.
 *
 * `Sec-Fetch-Site`, which a page cannot set, decides if it is present. Only `same-origin`
 * and `none` (the user themself) pass, so a sibling subdomain does not. Without it, `Origin` must
 * name the requested host. A request with neither header comes from no browser. A bearer token
 * without a cookie passes: a page cannot make a browser add one. The content type is ignored,
 * because past bypasses of such checks went through it.
 */
function isCrossSite(request: Request, trustedOrigins: ReadonlySet<string>): boolean {
  const { headers, method } = request;
  if (SAFE_METHODS.includes(method)) return false;
  if (/^bearer /i.test(headers.get('authorization') ?? '') && !headers.has('cookie')) return false;
  const origin = headers.get('origin');
  if (origin !== null && trustedOrigins.has(origin)) return false;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  return origin !== null && !namesAskedHost(origin, request);
}

function namesAskedHost(origin: string, request: Request): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  const asked = request.headers.get('host') ?? new URL(request.url).host;
  // Schemes are not compared, because TLS often ends at a proxy and this side sees http. Parsing
  // the requested host with the origin's scheme makes `example.com:443` the host of
  // `https://example.com`.
  const askedUrl = `${protocol}//${asked}`;
  return host !== '' && URL.canParse(askedUrl) && new URL(askedUrl).host === host;
}

/**
 * Reads the option `trustedOrigins`.
 *
 * @throws TypeError for an origin that no `Origin` header can equal
 */
export function trustedOriginSet(origins: readonly string[]): ReadonlySet<string> {
  if (!Array.isArray(origins) || origins.length > MAX_TRUSTED_ORIGINS) {
    throw new TypeError(`trustedOrigins must be an array of at most ${MAX_TRUSTED_ORIGINS} origins`);
  }
  for (const origin of origins) {
    if (typeof origin !== 'string' || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new TypeError('trustedOrigins must hold origins such as https://admin.example.com');
    }
  }
  return new Set(origins);
}
