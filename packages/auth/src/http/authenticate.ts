import type { Claims } from '../claims.ts';
import { MAX_COOKIES_PER_NAME, readCookieValues } from '../cookies/cookie-header.ts';
import { ErrInvalidToken, ErrNoToken, isAuthError } from '../errors.ts';
import type { AccessTokens } from '../tokens/access-token.ts';
import { type AuthHeaders, type AuthRequest, headerValues, requireRequest } from './auth-request.ts';

/**
 * Reads the values of all cookies of one name, up to `limit`, over every Cookie header of a
 * request.
 */
export function readCookies(headers: AuthHeaders, name: string, limit: number): string[] {
  // What is no headers, from plain JavaScript, holds no cookie.
  if (typeof headers !== 'object' || headers === null) return [];
  return headerValues(headers, 'cookie')
    .flatMap((header) => readCookieValues(header, name, limit))
    .slice(0, limit);
}

/**
 * Reads the access token cookies of a request.
 *
 * @returns at least one text; one more than may be read when there are too many, for
 *   {@link validateCandidates} to refuse
 * @throws ErrNoToken; TypeError if `request` is not a request
 */
export function readCandidates(request: AuthRequest, cookieName: string): readonly string[] {
  requireRequest(request);
  const candidates = readCookies(request.headers, cookieName, MAX_COOKIES_PER_NAME + 1);
  if (candidates.length === 0) throw new ErrNoToken('The request carries no access token cookie');
  return candidates;
}

/** The request of a refused access token, and its text, as far as they are known. */
export interface PresentedToken {
  readonly request?: AuthRequest | undefined;
  token?: string | undefined;
}

/**
 * Returns the claims of the one cookie that is valid for this instance.
 *
 * A request to a nested path also carries the cookies of the outer instances, under the same name.
 * Those fail on their audience and do no harm. Two different valid tokens are refused, because
 * nothing tells which of them came from us and which a neighbouring host planted.
 *
 * @param presented gets the token that an error is about
 * @throws ErrTokenExpired when no token is valid and one failed only on its time, ErrInvalidToken
 *   otherwise
 */
export async function validateCandidates(
  tokens: AccessTokens,
  candidates: readonly string[],
  presented: PresentedToken = {},
): Promise<Claims> {
  if (candidates.length > MAX_COOKIES_PER_NAME) {
    throw new ErrInvalidToken('The request carries too many access token cookies', 'too_many');
  }
  const valid: Claims[] = [];
  let failure: Error | undefined;
  for (const token of new Set(candidates)) {
    try {
      valid.push(await tokens.validate(token));
    } catch (error) {
      if (!isAuthError(error)) throw error;
      if (failure !== undefined && !isAuthError(error, 'token_expired')) continue;
      failure = error;
      presented.token = token;
    }
  }
  const [claims] = valid;
  if (claims === undefined) throw failure ?? new ErrInvalidToken();
  if (valid.length > 1) throw new ErrInvalidToken('The request carries two valid access tokens', 'ambiguous');
  return claims;
}
