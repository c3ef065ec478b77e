import type { Session } from '../session.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Endpoint, Operations } from './endpoint.ts';
import { answer, refuse, withCookies } from './session-answer.ts';

/** `GET sessions` and `HEAD sessions` */
export function listEndpoint(
  { auth }: ResolvedSessionsOptions,
  { list }: Pick<Operations, 'list'>,
): Endpoint {
  return async ({ request }) => {
    const { uid, sessionId } = await auth.authenticate(request);
    const sessions = await list(uid);
    const body = { sessions: sessions.map((session) => toListed(session, sessionId)) };
    return answer(200, request.method === 'HEAD' ? undefined : body);
  };
}

/** `DELETE sessions/{id}` */
export function endOneEndpoint(
  { auth }: ResolvedSessionsOptions,
  { revoke }: Pick<Operations, 'revoke'>,
): Endpoint {
  return async ({ request, id }) => {
    const { uid, sessionId } = await auth.authenticate(request);
    if (!(await revoke(id, { uid }))) return refuse('session_not_found');
    return withCookies(answer(204), id === sessionId ? auth.clearCookies() : []);
  };
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
