import { createHash } from 'node:crypto';
import { isConsumedBodyError } from '../../../toolkit/src/consumed-body.ts';
import { answersFor } from '../../../toolkit/src/node-web/base-path.ts';
import { fetchHandler } from '../answer-request.ts';
import { carriedClock } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import { describeError } from '../logging/redacted-error.ts';
import type { ActorNames } from './actor-names.ts';
import { AdminProblem, problemOf } from './admin-problem.ts';
import { emptyResponse, jsonResponse, problemResponse } from './admin-response.ts';
import type { readApiOptions } from './api-options.ts';
import type { Audience } from './audience.ts';
import { type AuditEvent, createAudit } from './audit.ts';
import { type AdminActor, requireScope } from './authorize.ts';
import { createCrossSiteCheck } from './cross-site.ts';
import { etagOf, parseIfMatch } from './if-match.ts';
import { openApiDocument } from './open-api/open-api-document.ts';
import { parseJsonBody, readBody } from './request-body.ts';
import type { AdministeredWebhooks, OpenApiDocument, Outcome, Route } from './routes/route.ts';
import { createRouter, type Match } from './routes/router.ts';
import { routesFor } from './routes/routes.ts';
import { noBody } from './schemas/bodies.ts';
import type { ApiScopes } from './scopes.ts';

/** The methods that change nothing. */
export const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Whose webhooks something is about; no tenant: the host's, or everybody's. */
type Whose = Pick<AuditEvent, 'tenant'>;

/** Who makes a request, and the webhooks that the user may administer: routes have no others. */
export interface Access {
  readonly actor: AdminActor;
  readonly webhooks: AdministeredWebhooks;
  /** For the log. */
  readonly whose: Whose;
  /** For the audit, after a change. Never rejects. */
  whoseIs(webhookId: number): Whose | Promise<Whose>;
}

/** What distinguishes one API over the routes from another. */
interface ApiParts {
  readonly audience: Audience;
  /** What a log calls it. */
  readonly name: string;
  readonly settings: ReturnType<typeof readApiOptions>;
  /** Whose clock the audit has. */
  readonly engine: object;
  readonly scopes: ApiScopes;
  readonly namesOf: ActorNames;
  /** Lets a request in, before its route is looked up. @throws AdminProblem */
  enter(request: Request, native: unknown): Promise<Access>;
}

/**
 * @internal Serves the routes of an audience: the admin API and the portal's are both this. What a
 * request can reach is what `enter` returns.
 */
export function createApiHandler(parts: ApiParts) {
  const { audience, settings, scopes, namesOf } = parts;
  const { basePath, readOnly, onAudit, logger } = settings;
  const routes = routesFor(audience);
  const router = createRouter(routes);
  const audit = onAudit && createAudit({ ...settings, onAudit, clock: carriedClock(parts.engine) });
  const refuseCrossSite = createCrossSiteCheck({ ...settings, audience });
  let written: OpenApiDocument | undefined;
  // Once: everybody who asks this API has the same events.
  const documentOf = (webhooks: AdministeredWebhooks) => {
    written ??= openApiDocument(routes, basePath, webhooks, { audience, scopes });
    return written;
  };

  function report({ method }: Request, { code, cause }: AdminProblem, whose: Whose): void {
    logger.error({ error: describeError(cause), code, method, ...whose }, `${parts.name} request failed`);
  }

  async function enter(request: Request, native: unknown): Promise<Access> {
    refuseCrossSite(request);
    const access = await parts.enter(request, native);
    const mayRead = READS.includes(request.method);
    requireScope(access.actor, mayRead ? [scopes.read, scopes.change] : [scopes.change]);
    return access;
  }

  async function respond(request: Request, url: URL, access: Access): Promise<Response> {
    const { actor, webhooks, whose } = access;
    const match = router(url.pathname.slice(basePath.length));
    if (match === undefined) throw new AdminProblem('not_found');
    // Tells a client, such as the pages, before it offers a change that would be refused.
    const mayChange = actor.scopes.includes(scopes.change);
    const isReader = readOnly || !mayChange;
    const allow = isReader ? readsOf(match.allow) : match.allow;
    if (request.method === 'OPTIONS') return emptyResponse(204, { Allow: allow });
    const route = routeOf(match, request.method, allow);
    if (route.method !== 'GET') assertMayChange(request, access, readOnly);
    const query = queryOf(url.searchParams);
    const body = await bodyOf(request, route);
    const ifMatch = route.isConditional === true ? parseIfMatch(request.headers.get('if-match')) : undefined;
    const input = { actor, params: match.params, query, body, ifMatch };
    const outcome = await route.run(
      {
        audience,
        mayChange,
        webhooks,
        namesOf,
        document: () => documentOf(webhooks),
        report: (problem) => report(request, problem, whose),
      },
      input,
    );
    if (audit) {
      for (const change of outcome.changes)
        audit(actor, change, await access.whoseIs(change.target.webhookId));
    }
    if (outcome.failure !== undefined) throw outcome.failure.error;
    return responseOf(outcome, route, basePath, isReader ? { Allow: allow } : {});
  }

  async function handle(request: Request, native?: unknown): Promise<Response> {
    let response: Response;
    let access: Access | undefined;
    try {
      const url = new URL(request.url);
      if (!answersFor(basePath, url.pathname)) throw new AdminProblem('not_found');
      access = await enter(request, native);
      response = await respond(request, url, access);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) report(request, problem, access?.whose ?? {});
      response = problemResponse(problem);
    }
    if (access) response.headers.set(USER_HEADER, tagOf(access));
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }

  return fetchHandler(basePath, handle);
}

/**
 * @throws AdminProblem `read_only`; or `other_user`, if another one has logged in in the browser
 *   since the page was read
 */
function assertMayChange(request: Request, access: Access, readOnly: boolean): void {
  if (readOnly) throw new AdminProblem('read_only');
  const user = request.headers.get(USER_HEADER);
  if (user !== null && user !== tagOf(access)) throw new AdminProblem('other_user');
}

function tagOf({ actor, whose }: Access): string {
  return userTag(actor.uid, whose.tenant);
}

function responseOf(
  { json, location, updatedAt }: Outcome,
  { success }: Route,
  basePath: string,
  allow: { readonly Allow?: string },
): Response {
  const headers = {
    ...(location !== undefined && { Location: basePath + location }),
    ...(updatedAt !== undefined && { ETag: etagOf(updatedAt) }),
    ...allow,
  };
  return json === undefined ? emptyResponse(success, headers) : jsonResponse(success, json, headers);
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

/** Pages learn from it that they have another user than before, and have their changes refused. */
const USER_HEADER = 'Webhooks-User';

/**
 * The same text for the same user of the same tenant, from every instance. No secret: who has it
 * may find out both by trying.
 */
function userTag(uid: string, tenant?: string): string {
  const text = JSON.stringify([uid, tenant]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
