import type { AuthError } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { logSafeText } from '../text/log-safe-text.ts';
import type { AuthRequest } from './auth-request.ts';
import { problemFor } from './problem.ts';
import { originFacts, requestFacts } from './request-facts.ts';
import {
  CROSS_SITE_WORDS,
  refusalWords,
  type TokenRefusedEvent,
  tokenRefusalReason,
} from './token-refusal.ts';

const MAX_SCOPE_LENGTH = 64;

/**
 * Errors that have a line: a guard answers with the error of a token that has been told already.
 */
const logged = new WeakSet<AuthError>();

const KINDS: Readonly<Record<TokenRefusedEvent['kind'], string>> = {
  access_token: 'an access token',
  refresh_token: 'a refresh token',
  api_key: 'an API key',
};

/** Writes the debug line of a refused token, if the host's logger takes any. */
export function logRefusedToken(
  logger: Logger,
  error: AuthError,
  event: TokenRefusedEvent,
  request: AuthRequest | undefined,
): void {
  if (logger.debug === undefined) return;
  logged.add(error);
  const { kind, code, reason, audience, presented, method, path } = event;
  const fields = {
    code,
    reason,
    kind,
    method,
    path,
    ...(kind === 'access_token' && { audience }),
    presented,
    ...(reason === 'cross_site' && request !== undefined && originFacts(request)),
  };
  logger.debug(fields, `Refused ${KINDS[kind]}: ${refusalWords(event)}`);
}

/**
 * Writes the debug line of a refused request, if the host's logger takes any and the refused token
 * has none.
 *
 * The words are those of the answer, which are constant: an error may be the host's and quote what
 * the client sent.
 */
export function logRefusedRequest(logger: Logger | undefined, error: AuthError, request: AuthRequest): void {
  if (logger?.debug === undefined || logged.has(error)) return;
  const { body } = problemFor(error);
  const { scope, retryAfterSeconds } = error;
  const { method, path } = requestFacts(request);
  const isCrossSite = body.code === 'cross_site';
  const fields = {
    code: body.code,
    reason: tokenRefusalReason(error),
    method,
    path,
    ...(typeof scope === 'string' && { scope: logSafeText(scope, MAX_SCOPE_LENGTH) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(isCrossSite && originFacts(request)),
  };
  logger.debug(fields, `Refused a request: ${isCrossSite ? CROSS_SITE_WORDS : body.detail}`);
}
