import { assertWebRequest } from '../../../../toolkit/src/web-request.ts';
import { isAuthError } from '../../errors.ts';
import type { ConnectionInfo } from '../../http/fetch-handler.ts';
import { problemFor } from '../../http/problem.ts';
import { problemResponse } from '../../http/problem-response.ts';
import { logRefusedRequest } from '../../http/refusal-log.ts';
import { redactedError } from '../../logging/redacted-error.ts';
import type { SessionEndings } from '../revocation/session-endings.ts';
import type { Sessions } from '../sessions.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Operations, Route } from './endpoint.ts';
import { logInEndpoint } from './log-in-endpoint.ts';
import { logOutEndpoint } from './log-out-endpoint.ts';
import { refuse } from './session-answer.ts';
import { endOneEndpoint, endOthersEndpoint, listEndpoint } from './session-list-endpoints.ts';
import { statusEndpoint } from './status-endpoint.ts';

/** The path of one session. A last segment that is not an id finds no route. */
const SESSION_PATH = /^\/sessions\/([0-9a-f]{32})$/;

/** How long the handler leaves a store alone from which it could not load the revocations. */
const START_AGAIN_MS = 5_000;

/** Creates what `Sessions.handler` and `Sessions.serves` describe. */
export function createSessionEndpoints(
  options: ResolvedSessionsOptions,
  endings: SessionEndings,
  operations: Operations,
): Pick<Sessions, 'handler' | 'serves'> {
  const routes = createRoutes(options, endings, operations);
  const startLazily = lazily(options, operations.start);
  const find = (pathname: string) => findRoute(routes, operations.basePath, pathname);

  const handler: Sessions['handler'] = (request, connection = {}) => {
    assertWebRequest(request, 'mountSessions of @acme/auth/express, /fastify, /hono or /fetch');
    return answer(request, connection);
  };
  async function answer(request: Request, connection: ConnectionInfo): Promise<Response> {
    const [route, id] = find(new URL(request.url).pathname);
    const endpoint =
      route !== undefined && Object.hasOwn(route, request.method) ? route[request.method] : undefined;
    if (route === undefined) return refuse('not_found');
    if (endpoint === undefined) return refuse('method_not_allowed', { allow: Object.keys(route).join(', ') });
    if (request.headers.has('cookie')) startLazily();
    const secrets: string[] = [];
    try {
      return await endpoint({ request, connection, id, secrets });
    } catch (error) {
      const problem = problemFor(error);
      if (problem.body.code === 'unavailable') {
        const err = redactedError(error, secrets);
        options.logger.error({ err }, 'A request for a session could not be answered');
      } else if (isAuthError(error)) logRefusedRequest(options.logger, error, request);
      return problemResponse(problem);
    }
  }
  // An id that is none ends no session: no page of the host may answer that it did.
  const sessionIds = `${operations.basePath}/sessions/`;
  const serves = (pathname: string) => find(pathname)[0] !== undefined || pathname.startsWith(sessionIds);
  return { handler, serves };
}

/**
 * If the host has not called `start`, the first request with a cookie loads the recent revocations.
 * After a failure, one a few seconds later does: requests must not multiply an outage.
 */
function lazily({ logger }: ResolvedSessionsOptions, start: Operations['start']): () => void {
  let isTried = false;
  return () => {
    if (isTried) return;
    isTried = true;
    start().catch((err: unknown) => {
      const again = setTimeout(() => {
        isTried = false;
      }, START_AGAIN_MS);
      again.unref?.();
      logger.error({ err }, 'The recent revocations could not be loaded');
    });
  };
}

function createRoutes(
  options: ResolvedSessionsOptions,
  endings: SessionEndings,
  operations: Operations,
): ReadonlyMap<string, Route> {
  const list = listEndpoint(options);
  return new Map<string, Route>([
    ['/login', { POST: logInEndpoint(options, operations) }],
    ['/status', { POST: statusEndpoint(options, operations) }],
    ['/logout', { POST: logOutEndpoint(options, endings) }],
    ['/sessions', { GET: list, HEAD: list, DELETE: endOthersEndpoint(options, operations) }],
    ['/sessions/{id}', { DELETE: endOneEndpoint(options, endings) }],
  ]);
}

/**
 * Finds the route of a path. Paths compare byte for byte, as the cookie's path does: an extra
 * slash, other case or an encoded character finds no route.
 */
function findRoute(
  routes: ReadonlyMap<string, Route>,
  basePath: string,
  pathname: string,
): readonly [route: Route | undefined, id: string] {
  if (!pathname.startsWith(`${basePath}/`)) return [undefined, ''];
  const path = pathname.slice(basePath.length);
  const [, id = ''] = SESSION_PATH.exec(path) ?? [];
  // The path of a URL never contains a brace, so only an id leads to the route of ids.
  return [routes.get(id === '' ? path : '/sessions/{id}'), id];
}
