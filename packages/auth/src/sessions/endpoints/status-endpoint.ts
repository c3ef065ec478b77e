import { type AuthError, type AuthErrorCode, isAuthError } from '../../errors.ts';
import { problemFor } from '../../http/problem.ts';
import { problemResponse } from '../../http/problem-response.ts';
import { logRefusedRequest } from '../../http/refusal-log.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Endpoint, Operations } from './endpoint.ts';
import { granted, withCookies } from './session-answer.ts';
import { clientOf, presentedTokens, refuseCrossSite } from './session-request.ts';

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

/** `POST status` */
export function statusEndpoint(
  options: ResolvedSessionsOptions,
  { status }: Pick<Operations, 'status'>,
): Endpoint {
  return async (call) => {
    const { request } = call;
    refuseCrossSite(options, request);
    try {
      const client = { ...clientOf(options, call), request };
      return granted(await status(presentedTokens(options, request), client));
    } catch (error) {
      // If our own cookie were cleared, only the planted one beside it would be left.
      if (!isAuthError(error) || !LOGGED_OUT.has(error.code) || isAmbiguous(error)) throw error;
      logRefusedRequest(options.logger, error, request);
      return withCookies(problemResponse(problemFor(error)), options.auth.clearCookies());
    }
  };
}

function isAmbiguous({ reason }: AuthError): boolean {
  return reason === 'ambiguous' || reason === 'too_many';
}
