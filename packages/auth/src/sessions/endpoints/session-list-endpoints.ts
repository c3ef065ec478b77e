import { AuthError } from '../../errors.ts';
import type { SessionEndings } from '../revocation/session-endings.ts';
import type { Session } from '../session.ts';
import { listSessionPage, type SessionPageRequest } from '../session-page.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Endpoint, Operations } from './endpoint.ts';
import { answer, refuse, withCookies } from './session-answer.ts';

/** What a `limit` may look like. Its bounds are those of the page. */
const LIMIT_FORM = /^[0-9]{1,9}$/;

/** `GET sessions` and `HEAD sessions` */
export function listEndpoint(options: ResolvedSessionsOptions): Endpoint {
  return async ({ request }) => {
    const { uid, sessionId } = await askingSession(options, request);
    const { sessions, nextCursor } = await listSessionPage(options, uid, pageOf(request), sessionId);
    const body = {
      sessions: sessions.map((session) => toListed(session, sessionId)),
      next_cursor: nextCursor,
    };
    return answer(200, request.method === 'HEAD' ? undefined : body);
  };
}

/** `DELETE sessions/{id}` */
export function endOneEndpoint(
  options: ResolvedSessionsOptions,
  { end }: Pick<SessionEndings, 'end'>,
): Endpoint {
  return async ({ request, id }) => {
    const { uid, sessionId } = await askingSession(options, request);
    const owner = { uid, askedBy: sessionId };
    if (!(await end(id, 'revoked', owner))) return refuse('session_not_found');
    return withCookies(answer(204), id === sessionId ? options.auth.clearCookies() : []);
  };
}

/**
 * `DELETE sessions`
 *
 * The number answers a page that says "3 other devices were signed out".
 */
export function endOthersEndpoint(
  options: ResolvedSessionsOptions,
  { revokeOthers }: Pick<Operations, 'revokeOthers'>,
): Endpoint {
  return async ({ request }) => {
    const { uid, sessionId } = await askingSession(options, request);
    const ended = await revokeOthers(uid, sessionId);
    return answer(200, { ended: ended.length });
  };
}

/**
 * Who asks, by which session. The store judges whether that is live: of a token without one, only
 * the process that heard of a `revokeAll` knows that it is over.
 */
async function askingSession(
  { auth }: ResolvedSessionsOptions,
  request: Request,
): Promise<{ readonly uid: string; readonly sessionId: string }> {
  const { uid, sessionId } = await auth.authenticate(request);
  if (sessionId !== undefined) return { uid, sessionId };
  throw new AuthError('session_required', 'The access token belongs to no session');
}

/** Other parameters are ignored, as on every endpoint. */
function pageOf(request: Request): SessionPageRequest {
  const { searchParams } = new URL(request.url);
  const limit = onlyOf(searchParams, 'limit');
  if (limit !== undefined && !LIMIT_FORM.test(limit)) {
    throw new AuthError('input_invalid', 'limit must be a whole number');
  }
  return {
    limit: limit === undefined ? undefined : Number(limit),
    cursor: onlyOf(searchParams, 'cursor'),
  };
}

function onlyOf(parameters: URLSearchParams, name: string): string | undefined {
  const [first, ...others] = parameters.getAll(name);
  if (others.length > 0) throw new AuthError('input_invalid', `${name} is given more than once`);
  return first;
}

function toListed(session: Session, currentId: string): object {
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
