import type { AuthErrorCode } from '../../error-codes.ts';
import { type AuthError, isAuthError, type TokenRefusalReason } from '../../errors.ts';
import { problemFor } from '../../http/problem.ts';
import { problemResponse } from '../../http/problem-response.ts';
import { logRefusedRequest } from '../../http/refusal-log.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Endpoint, Operations } from './endpoint.ts';
import { granted, withCookies } from './session-answer.ts';
import { clientOf, presentedTokens } from './session-request.ts';

/**
 * The codes that tell a polling client to drop its cookies, because none of them is of use any
 * more. A request without a cookie has none to drop, and the browser may have logged in meanwhile.
 */
const LOGGED_OUT: ReadonlySet<AuthErrorCode> = new Set<AuthErrorCode>([
  'token_invalid',
  'session_expired',
  'session_revoked',
]);

/**
 * If our own cookie were cleared, only a planted one beside it would be left; or the cookies of a
 * log-in that has replaced the session.
 */
const KEEPING_COOKIES: ReadonlySet<TokenRefusalReason> = new Set<TokenRefusalReason>([
  'ambiguous',
  'too_many',
  'replaced',
]);

/** `POST status` */
export function statusEndpoint(
  options: ResolvedSessionsOptions,
  { status }: Pick<Operations, 'status'>,
): Endpoint {
  return async (call) => {
    const { request } = call;
    options.authParts.refuseCrossSite(request);
    try {
      const client = { ...clientOf(options, call), request };
      return granted(await status(presentedTokens(options, request), client));
    } catch (error) {
      const cookies = isAuthError(error) ? cookiesFor(error, options) : [];
      if (!isAuthError(error) || cookies.length === 0) throw error;
      logRefusedRequest(options.logger, error, request);
      return withCookies(problemResponse(problemFor(error)), cookies);
    }
  };
}

function cookiesFor(error: AuthError, { auth }: ResolvedSessionsOptions): readonly string[] {
  const isKept = error.reason !== undefined && KEEPING_COOKIES.has(error.reason);
  return LOGGED_OUT.has(error.code) && !isKept ? auth.clearCookies() : (error.cookies ?? []);
}
