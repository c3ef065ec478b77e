import { MAX_COOKIES_PER_NAME } from '../../cookies/cookie-header.ts';
import { ErrInvalidToken, isAuthError } from '../../errors.ts';
import { problemFor } from '../../http/problem.ts';
import { problemResponse } from '../../http/problem-response.ts';
import { logRefusedRequest } from '../../http/refusal-log.ts';
import type { SessionEndings } from '../revocation/session-endings.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Endpoint } from './endpoint.ts';
import { answer, withCookies } from './session-answer.ts';
import { presentedTokens, refuseCrossSite } from './session-request.ts';

/**
 * `POST logout`
 *
 * Ends the sessions of the refresh cookies and the session of the access token. A neighbouring host
 * can displace our refresh cookie, and a log-out must not leave the session alive.
 */
export function logOutEndpoint(
  options: ResolvedSessionsOptions,
  endings: Pick<SessionEndings, 'end' | 'endPresented'>,
): Endpoint {
  return async ({ request }) => {
    refuseCrossSite(options, request);
    const sessionId = await authenticatedSession(options, request);
    if (sessionId !== undefined) await endings.end(sessionId, 'logout');
    const presented = presentedTokens(options, request);
    await endings.endPresented(presented, 'logout');
    const isRefused = presented.length > MAX_COOKIES_PER_NAME;
    const response = isRefused ? refuseTooMany(options, request) : answer(204);
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
