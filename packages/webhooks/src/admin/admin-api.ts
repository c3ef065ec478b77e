import { WebhookError } from '../errors.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { refuseUnknownOptions } from '../options.ts';
import { AdminProblem, problemOf } from './admin-problem.ts';
import { type Authorize, requireAdmin } from './authorize.ts';
import { isCrossSite, trustedOriginSet } from './cross-site.ts';
import { parseJsonBody, readBody } from './request-body.ts';
import type { AdministeredWebhooks, Route } from './route.ts';
import { createRouter, type Match } from './router.ts';
import { ROUTES } from './routes.ts';
import { noBody } from './schemas.ts';

/** What {@link createAdminApi} takes. */
export interface AdminApiOptions {
  /** Says who makes a request. There is no default: an open admin API cannot be made by leaving something out. */
  readonly authorize: Authorize;
  /** The full path as clients see it, without a trailing slash. Default: `/api/admin/webhooks`. */
  readonly basePath?: string;
  /**
   * Origins whose pages may change things here with the user's cookies, beside the API's own, such as
   * `https://admin.example.com`. At most 64. Default: none.
   */
  readonly trustedOrigins?: readonly string[];
  /** Told of every request that failed on this side (5xx), without its body, query or credentials. Default: silent. */
  readonly logger?: Logger;
}

const OPTION_NAMES: readonly (keyof AdminApiOptions)[] = [
  'authorize',
  'basePath',
  'trustedOrigins',
  'logger',
];

/** The admin API as a Web fetch handler that says where it lives. */
export interface AdminApi {
  (request: Request): Promise<Response>;
  readonly basePath: string;
}

/**
 * Makes the HTTP API through which administrators manage webhooks: JSON in snake_case, problem details
 * (RFC 9457) for every refusal, never cached. It never rejects.
 *
 * Every request below `basePath` first passes the cross-site check, then `authorize`, then the scope
 * `admin:webhooks`: until then an answer says nothing about routes or ids. A path has one spelling; a trailing
 * slash is another path (404). Bodies are JSON of at most 64 KiB.
 *
 * ```ts
 * const api = createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) });
 * ```
 *
 * @throws TypeError for a missing `authorize` or an option out of its bounds
 */
export function createAdminApi(webhooks: AdministeredWebhooks, options: AdminApiOptions): AdminApi {
  checkOptions(webhooks, options);
  const { authorize, basePath = '/api/admin/webhooks', trustedOrigins = [], logger = silentLogger } = options;
  checkBasePath(basePath);
  const trusted = trustedOriginSet(trustedOrigins);
  const router = createRouter(ROUTES);

  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname !== basePath && !url.pathname.startsWith(`${basePath}/`)) {
      throw new AdminProblem('not_found');
    }
    if (isCrossSite(request, trusted)) throw new AdminProblem('cross_site');
    const actor = await requireAdmin(request, authorize);

    const match = router(url.pathname.slice(basePath.length));
    if (match === undefined) throw new AdminProblem('not_found');
    if (request.method === 'OPTIONS') return emptyResponse(204, { Allow: match.allow });
    const route = routeOf(match, request.method);
    const query = queryOf(url.searchParams);
    const body = await bodyOf(request, route);
    const json = await route.run(webhooks, { actor, params: match.params, query, body });
    return json === undefined ? emptyResponse(route.success) : jsonResponse(route.success, json);
  }

  async function handle(request: Request): Promise<Response> {
    let response: Response;
    try {
      response = await respond(request);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) {
        const { code, cause } = problem;
        logger.error({ error: cause, code, method: request.method }, 'admin API request failed');
      }
      response = jsonResponse(problem.status, problem, {
        'Content-Type': 'application/problem+json',
        ...problem.headers,
      });
    }
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }

  return Object.assign(handle, { basePath });
}

function routeOf(match: Match, method: string): Route {
  const route = match.route(method);
  if (route !== undefined) return route;
  throw new AdminProblem('method_not_allowed', { headers: { Allow: match.allow } });
}

/** @throws WebhookError `validation_failed` for a parameter that is there twice: which one counts would be a guess */
function queryOf(parameters: URLSearchParams): Record<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (query.has(name)) {
      const field = name.slice(0, 100);
      throw new WebhookError('validation_failed', 'A query parameter is given twice', {
        errors: [{ field, code: 'repeated', message: 'must be given once' }],
      });
    }
    query.set(name, value);
  }
  // Own properties, `__proto__` too: the schema sees and refuses it.
  return Object.fromEntries(query);
}

async function bodyOf(request: Request, route: Route): Promise<unknown> {
  if (route.method === 'GET') return undefined;
  // Read even where nobody looks at it: a body that is too long is refused everywhere alike.
  const bytes = await readBody(request);
  return route.body === noBody ? undefined : parseJsonBody(request, bytes);
}

function checkOptions(webhooks: unknown, options: unknown): void {
  if (typeof webhooks !== 'object' || webhooks === null || !('list' in webhooks)) {
    throw new TypeError('createAdminApi: the first argument must be what createWebhooks returns');
  }
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('createAdminApi: options with authorize are required');
  }
  refuseUnknownOptions('createAdminApi', options, OPTION_NAMES);
  if ('authorize' in options && typeof options.authorize === 'function') return;
  throw new TypeError('authorize must be a function that says who makes a request');
}

/** @throws TypeError unless URL parsing leaves the path as it is */
function checkBasePath(basePath: unknown): void {
  const isPath = typeof basePath === 'string' && /^(?:\/[^/?#]+)+$/.test(basePath);
  if (isPath && new URL(`http://localhost${basePath}`).pathname === basePath) return;
  throw new TypeError('basePath must be a path such as /api/admin/webhooks, without a trailing slash');
}

const STANDING_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

function emptyResponse(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { ...STANDING_HEADERS, ...headers } });
}

function jsonResponse(
  status: number,
  json: object,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const length = String(bytes.length);
  return new Response(bytes, {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': length,
      ...STANDING_HEADERS,
      ...headers,
    },
  });
}
