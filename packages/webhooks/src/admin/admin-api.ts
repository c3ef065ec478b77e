import { isConsumedBodyError } from '../../../toolkit/src/consumed-body.ts';
import { WebhookError } from '../errors.ts';
import { describeError } from '../logging/redacted-error.ts';
import { createActorNames } from './actor-names.ts';
import { type AdminApiOptions, readAdminOptions } from './admin-options.ts';
import { AdminProblem, problemOf } from './admin-problem.ts';
import { emptyResponse, jsonResponse, problemResponse } from './admin-response.ts';
import { createAudit } from './audit.ts';
import { requireAdmin } from './authorize.ts';
import { noteTenants } from './changed-tenants.ts';
import { isCrossSite } from './cross-site.ts';
import { etagOf, parseIfMatch } from './if-match.ts';
import { openApiDocument } from './open-api/open-api-document.ts';
import { parseJsonBody, readBody } from './request-body.ts';
import type { AdministeredWebhooks, OpenApiDocument, Route } from './routes/route.ts';
import { createRouter, type Match } from './routes/router.ts';
import { ROUTES } from './routes/routes.ts';
import { noBody } from './schemas/bodies.ts';

/** The methods that change nothing. */
const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** The admin API as a Web fetch handler with the path that it serves. */
export interface AdminApi {
  /** @param native what `authorize` receives besides: `mount` gives the framework's own request */
  (request: Request, native?: unknown): Promise<Response>;
  readonly basePath: string;
}

/**
 * Creates the HTTP API through which administrators manage webhooks. Its answers are JSON in
 * snake_case, its errors problem details (RFC 9457); neither is ever cached.
 * `GET <basePath>/openapi.json` describes it. The handler never rejects.
 *
 * Every request below `basePath` passes the cross-site check first, then `authorize`, then the
 * check for the scope `admin:webhooks`. Until then an answer says nothing about routes or ids. A
 * path has one spelling: with a trailing slash it is another path (404). Bodies are JSON of at most
 * 64 KiB.
 *
 * ```ts
 * const api = createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) });
 * ```
 *
 * @throws TypeError if `authorize` is missing or an option is out of bounds
 */
export function createAdminApi(webhooks: AdministeredWebhooks, options: AdminApiOptions): AdminApi {
  checkEngine(webhooks);
  const { authorize, basePath, trustedOrigins, readOnly, describeActors, onAudit, clock, logger } =
    readAdminOptions(options);
  const router = createRouter(ROUTES);
  const hasAudit = options.onAudit !== undefined;
  const audit = createAudit({ onAudit, clock, logger });
  const namesOf = createActorNames({ describeActors, logger });
  let written: OpenApiDocument | undefined;
  const document = () => {
    written ??= openApiDocument(ROUTES, basePath, webhooks);
    return written;
  };

  function report({ method }: Request, { code, cause }: AdminProblem): void {
    logger.error({ error: describeError(cause), code, method }, 'admin API request failed');
  }

  async function respond(request: Request, native: unknown): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname !== basePath && !url.pathname.startsWith(`${basePath}/`)) {
      throw new AdminProblem('not_found');
    }
    if (isCrossSite(request, trustedOrigins)) throw new AdminProblem('cross_site');
    const actor = await requireAdmin(request, authorize, native);

    const match = router(url.pathname.slice(basePath.length));
    if (match === undefined) throw new AdminProblem('not_found');
    const allow = readOnly ? readsOf(match.allow) : match.allow;
    if (request.method === 'OPTIONS') return emptyResponse(204, { Allow: allow });
    const route = routeOf(match, request.method, allow);
    if (readOnly && route.method !== 'GET') throw new AdminProblem('read_only');
    const query = queryOf(url.searchParams);
    const body = await bodyOf(request, route);
    const ifMatch = route.isConditional === true ? parseIfMatch(request.headers.get('if-match')) : undefined;
    const input = { actor, params: match.params, query, body, ifMatch };
    const noted = noteTenants(webhooks);
    const outcome = await route.run(
      {
        webhooks: hasAudit ? noted.webhooks : webhooks,
        document,
        namesOf,
        report: (problem) => report(request, problem),
      },
      input,
    );
    const { json, location, updatedAt, changes, failure } = outcome;
    for (const change of hasAudit ? changes : []) {
      audit(actor, change, await noted.whoseIs(change.target.webhookId));
    }
    if (failure !== undefined) throw failure.error;
    const headers = {
      ...(location !== undefined && { Location: basePath + location }),
      ...(updatedAt !== undefined && { ETag: etagOf(updatedAt) }),
      // Tells a client, such as the panel, before it offers a change that would be refused.
      ...(readOnly && { Allow: allow }),
    };
    return json === undefined
      ? emptyResponse(route.success, headers)
      : jsonResponse(route.success, json, headers);
  }

  async function handle(request: Request, native?: unknown): Promise<Response> {
    let response: Response;
    try {
      response = await respond(request, native);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) report(request, problem);
      response = problemResponse(problem);
    }
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }

  return Object.assign(handle, { basePath });
}

/** The methods of an `Allow` that change nothing. */
function readsOf(allow: string): string {
  return allow
    .split(', ')
    .filter((method) => READS.includes(method))
    .join(', ');
}

function routeOf(match: Match, method: string, allow: string): Route {
  const route = match.route(method);
  if (route !== undefined) return route;
  throw new AdminProblem('method_not_allowed', { headers: { Allow: allow } });
}

/**
 * @throws WebhookError `validation_failed` for a repeated parameter: choosing one of the values
 *   would be a guess
 */
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
  // `fromEntries` makes `__proto__` an own property, which the schema refuses.
  return Object.fromEntries(query);
}

async function bodyOf(request: Request, route: Route): Promise<unknown> {
  if (route.method === 'GET') return undefined;
  if (route.body === noBody) return await ignoreBody(request);
  const bytes = await readBody(request);
  return route.isBodyOptional === true && bytes.length === 0 ? undefined : parseJsonBody(request, bytes);
}

/**
 * Reads a body that the route does not need, so that every route refuses one that is too long. It
 * does not matter where a middleware of the host has read it.
 */
async function ignoreBody(request: Request): Promise<void> {
  try {
    await readBody(request);
  } catch (error) {
    if (!isConsumedBodyError(error)) throw error;
  }
}

/** @throws TypeError unless the value is an engine that `createWebhooks` returned */
function checkEngine(webhooks: unknown): void {
  if (typeof webhooks === 'object' && webhooks !== null && 'list' in webhooks) return;
  throw new TypeError('createAdminApi: the first argument must be what createWebhooks returns');
}
