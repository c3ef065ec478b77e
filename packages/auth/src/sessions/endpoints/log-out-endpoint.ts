import { MAX_COOKIES_PER_NAME } from '../../cookies/cookie-header.ts';
import { ErrInvalidToken, isAuthError } from '../../errors.ts';
import { problemFor } from '../../http/problem.ts';
import { problemResponse } from '../../http/problem-response.ts';
import { logRefusedRequest } from '../../http/refusal-log.ts';
import type { SessionEndings } from '../revocation/session-endings.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Endpoint } from './endpoint.ts';
import { answer, refuse, withCookies } from './session-answer.ts';
import { presentedTokens } from './session-request.ts';

/**
 * `POST logout`
 *
 * Ends the sessions of the refresh cookies and the session of the access token. A neighbouring host
 * can displace our refresh cookie, and a log-out must not leave the session alive. During an outage
 * this browser is logged out all the same, and is told that its session goes on.
 */
export function logOutEndpoint(
  options: ResolvedSessionsOptions,
  endings: Pick<SessionEndings, 'end' | 'endPresented'>,
): Endpoint {
  return async ({ request }) => {
    options.authParts.refuseCrossSite(request);
    const presented = presentedTokens(options, request);
    let response = answer(204);
    if (presented.length > MAX_COOKIES_PER_NAME) response = refuseTooMany(options, request);
    try {
      const sessionId = await authenticatedSession(options, request);
      if (sessionId !== undefined) await endings.end(sessionId, 'logout');
      await endings.endPresented(presented, 'logout');
    } catch (err) {
      options.logger.error({ err }, 'The session of a log-out could not be ended');
      response = refuse('logout_incomplete');
    }
    return withCookies(response, options.auth.clearCookies());
  };
}

function refuseTooMany({ logger }: ResolvedSessionsOptions, request: Request): Response {
  const error = new ErrInvalidToken('The request carries too many refresh tokens', 'too_many');
  logRefusedRequest(logger, error, request);
  return problemResponse(problemFor(error));
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
