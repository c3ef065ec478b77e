import { MAX_COOKIES_PER_NAME } from '../cookies/cookie-header.ts';
import { AuthError, type AuthErrorCode, ErrInvalidToken, isAuthError } from '../errors.ts';
import { readCookies } from '../http/authenticate.ts';
import { assertSameOrigin } from '../http/cross-site.ts';
import type { ConnectionInfo } from '../http/fetch-handler.ts';
import { problemFor } from '../http/problem.ts';
import { problemResponse } from '../http/problem-response.ts';
import { redactedError } from '../redacted-error.ts';
import { readCredentials, textsIn } from './credentials.ts';
import type { SessionEndings } from './session-endings.ts';
import type { SessionGrant } from './session-grant.ts';
import type { Session } from './session-store.ts';
import type { Sessions, SessionsHandler } from './sessions.ts';
import type { ResolvedSessionsOptions, SessionClient } from './sessions-options.ts';

/** The operations behind the endpoints, without HTTP. */
type Operations = Pick<Sessions, 'login' | 'status' | 'list' | 'revoke' | 'start' | 'basePath'>;

/** One request to one endpoint. */
interface Call {
  readonly request: Request;
  readonly connection: ConnectionInfo;
  /** The `{id}` of the path, or '' if the path has none. */
  readonly id: string;
  /** The secrets in the part of the body that was read. The log must not repeat them. */
  readonly secrets: string[];
}

type Endpoint = (call: Call) => Promise<Response>;
type Route = Readonly<Record<string, Endpoint>>;

/**
 * The codes that tell a polling client to drop its cookies, because none of them is of use any
 * more.
 */
const LOGGED_OUT: ReadonlySet<AuthErrorCode> = new Set<AuthErrorCode>([
  'token_missing',
  'token_invalid',
  'session_expired',
  'session_revoked',
]);

/** The path of one session. A last segment that is not an id finds no route. */
const SESSION_PATH = /^\/sessions\/([0-9a-f]{32})$/;

/** Creates the handler that `Sessions.handler` describes. */
export function createSessionEndpoints(
  options: ResolvedSessionsOptions,
  endings: SessionEndings,
  operations: Operations,
): SessionsHandler {
  const routes = createRoutes(options, endings, operations);

  return async (request, connection = {}) => {
    const [route, id] = findRoute(routes, operations.basePath, request.url);
    const endpoint =
      route !== undefined && Object.hasOwn(route, request.method) ? route[request.method] : undefined;
    if (route === undefined) return refuse('not_found');
    if (endpoint === undefined) return refuse('method_not_allowed', { allow: Object.keys(route).join(', ') });
    // If the host has not called `start`, the first request loads the recent revocations.
    operations
      .start()
      .catch((error: unknown) =>
        options.logger.error({ err: error }, 'The recent revocations could not be loaded'),
      );
    const secrets: string[] = [];
    try {
      return await endpoint({ request, connection, id, secrets });
    } catch (error) {
      const problem = problemFor(error);
      if (problem.body.code === 'unavailable') {
        const err = redactedError(error, secrets);
        options.logger.error({ err }, 'A request for a session could not be answered');
      }
      return problemResponse(problem);
    }
  };
}

function createRoutes(
  options: ResolvedSessionsOptions,
  endings: SessionEndings,
  operations: Operations,
): ReadonlyMap<string, Route> {
  const { auth } = options;
  const list: Endpoint = async ({ request }) => {
    const { uid, sessionId } = await auth.authenticate(request);
    const sessions = await operations.list(uid);
    const body = { sessions: sessions.map((session) => toListed(session, sessionId)) };
    return answer(200, request.method === 'HEAD' ? undefined : body);
  };
  return new Map<string, Route>([
    ['/login', { POST: (call) => logIn(options, operations, call) }],
    ['/status', { POST: (call) => poll(options, operations, call) }],
    ['/logout', { POST: (call) => logOut(options, endings, call) }],
    ['/sessions', { GET: list, HEAD: list }],
    ['/sessions/{id}', { DELETE: (call) => endOne(options, operations, call) }],
  ]);
}

/**
 * Finds the route of a path. Paths compare byte for byte, as the cookie's path does: an extra
 * slash, other case or an encoded character finds no route.
 */
function findRoute(
  routes: ReadonlyMap<string, Route>,
  basePath: string,
  url: string,
): readonly [route: Route | undefined, id: string] {
  const { pathname } = new URL(url);
  if (!pathname.startsWith(`${basePath}/`)) return [undefined, ''];
  const path = pathname.slice(basePath.length);
  const [, id = ''] = SESSION_PATH.exec(path) ?? [];
  // The path of a URL never contains a brace, so only an id leads to the route of ids.
  return [routes.get(id === '' ? path : '/sessions/{id}'), id];
}

async function logIn(options: ResolvedSessionsOptions, { login }: Operations, call: Call): Promise<Response> {
  const { request } = call;
  refuseCrossSite(options, request);
  const credentials = await readCredentials(request);
  call.secrets.push(...textsIn(credentials));
  const refreshTokens = presentedTokens(options, request);
  return granted(await login(credentials, { ...clientOf(options, call), refreshTokens }));
}

async function poll(options: ResolvedSessionsOptions, { status }: Operations, call: Call): Promise<Response> {
  const { request } = call;
  refuseCrossSite(options, request);
  try {
    return granted(await status(presentedTokens(options, request), clientOf(options, call)));
  } catch (error) {
    // If our own cookie were cleared, only the planted one beside it would be left.
    if (!isAuthError(error) || !LOGGED_OUT.has(error.code) || isAmbiguous(error)) throw error;
    return withCookies(problemResponse(problemFor(error)), options.auth.clearCookies());
  }
}

function isAmbiguous(error: AuthError): boolean {
  return 'reason' in error && error.reason === 'ambiguous';
}

/**
 * Ends the sessions of the refresh cookies and the session of the access token. A neighbouring host
 * can displace our refresh cookie, and a log-out must not leave the session alive.
 */
async function logOut(
  options: ResolvedSessionsOptions,
  endings: SessionEndings,
  { request }: Call,
): Promise<Response> {
  refuseCrossSite(options, request);
  const sessionId = await authenticatedSession(options, request);
  if (sessionId !== undefined) await endings.end(sessionId, 'logout');
  const presented = presentedTokens(options, request);
  await endings.endPresented(presented, 'logout');
  const isRefused = presented.length > MAX_COOKIES_PER_NAME;
  const response = isRefused ? problemResponse(problemFor(new ErrInvalidToken())) : answer(204);
  return withCookies(response, options.auth.clearCookies());
}

async function endOne(
  { auth }: ResolvedSessionsOptions,
  { revoke }: Operations,
  { request, id }: Call,
): Promise<Response> {
  const { uid, sessionId } = await auth.authenticate(request);
  if (!(await revoke(id, { uid }))) return refuse('session_not_found');
  return withCookies(answer(204), id === sessionId ? auth.clearCookies() : []);
}

/**
 * Refuses cross-site requests. A cookie authenticates these endpoints, so other headers make no
 * exception.
 */
function refuseCrossSite({ auth }: ResolvedSessionsOptions, request: Request): void {
  const { trustedOrigins, dangerouslyAllowCrossSiteRequests } = auth.options;
  if (!dangerouslyAllowCrossSiteRequests) assertSameOrigin(request, trustedOrigins);
}

async function authenticatedSession(
  { auth }: ResolvedSessionsOptions,
  request: Request,
): Promise<string | undefined> {
  try {
    return (await auth.authenticate(request)).sessionId;
  } catch (error) {
    if (isAuthError(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the refresh cookies as sent. If there are more than may be read, it returns one more than
 * that.
 */
function presentedTokens({ auth }: ResolvedSessionsOptions, { headers }: Request): string[] {
  return readCookies(headers, auth.options.refreshTokenCookie.name, MAX_COOKIES_PER_NAME + 1);
}

function clientOf({ clientAddress }: ResolvedSessionsOptions, { request, connection }: Call): SessionClient {
  const userAgent = request.headers.get('user-agent') ?? undefined;
  return { ip: clientAddress(request, connection), userAgent };
}

function granted({ uid, scopes, expiresAt, serverTime, cookies }: SessionGrant): Response {
  return withCookies(answer(200, { uid, scopes, expires_at: expiresAt, server_time: serverTime }), cookies);
}

function toListed(session: Session, currentId: string | undefined): object {
  return {
    id: session.id,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
    last_used_at: session.lastUsedAt,
    user_agent: session.userAgent,
    ip: session.ip,
    refreshed_from: session.refreshedFrom.map(({ since, ip, userAgent }) => ({
      since,
      ip,
      user_agent: userAgent,
    })),
    current: session.id === currentId,
  };
}

function answer(status: number, body?: object): Response {
  const headers = { 'cache-control': 'no-store' };
  if (body === undefined) return new Response(null, { status, headers });
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
  });
}

function refuse(code: AuthErrorCode, headers: Readonly<Record<string, string>> = {}): Response {
  const problem = problemFor(new AuthError(code, 'The request was refused'));
  return problemResponse({ ...problem, headers: { ...problem.headers, ...headers } });
}

function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
