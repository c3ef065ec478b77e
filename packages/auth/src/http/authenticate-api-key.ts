import { hashApiKey, parseApiKey } from '../api-keys/api-key.ts';
import type { ApiKeyValidator } from '../api-keys/api-key-validator.ts';
import { Claims } from '../claims.ts';
import { type Clock, unixSeconds } from '../clock.ts';
import { ErrInvalidToken, ErrNoToken, ErrTokenExpired, isAuthError } from '../errors.ts';
import type { AuthRequest } from './auth-request.ts';
import { readBearerToken } from './bearer-token.ts';

/**
 * Authenticates a request by the API key in its Authorization header.
 *
 * A key of our own form with a wrong checksum is refused without asking the validator; a key of any other form is
 * asked for. An access token is never accepted here: its hash is no API key's hash.
 *
 * @throws ErrNoToken, ErrInvalidToken, ErrTokenExpired; and whatever else the validator throws, or a TypeError
 *   when it gives claims of a wrong shape: both mean that nobody can be authenticated now
 */
export async function authenticateApiKey(
  request: AuthRequest,
  validator: ApiKeyValidator,
  clock: Clock,
): Promise<Claims> {
  const key = readBearerToken(request);
  if (key === undefined) throw new ErrNoToken('The request carries no bearer credential');
  if (parseApiKey(key)?.isIntact === false)
    throw new ErrInvalidToken('The API key has a wrong checksum', 'malformed');
  const found = await validator(hashApiKey(key));
  if (found === undefined || found === null) throw new ErrInvalidToken('The API key is unknown', 'unknown');
  const { uid, scopes, issuedAt = 0, expiresAt = 0, sessionId } = found;
  const claims = new Claims({ uid, scopes, issuedAt, expiresAt, sessionId, credential: 'api_key' });
  if (!claims.isValid(unixSeconds(clock))) throw new ErrTokenExpired('The API key has expired');
  return claims;
}

/**
 * Tries the cookie first, then the API key.
 *
 * A cookie that fails, a cross-site one included, never outranks a key: the request then speaks for the key alone.
 *
 * @throws what the cookie's failure was, where the request carries no bearer credential; else as {@link authenticateApiKey}
 */
export async function authenticateEither(
  cookies: { authenticate(request: AuthRequest): Promise<Claims> },
  request: AuthRequest,
  validator: ApiKeyValidator,
  clock: Clock,
): Promise<Claims> {
  try {
    return await cookies.authenticate(request);
  } catch (error) {
    if (!isAuthError(error) || readBearerToken(request) === undefined) throw error;
    return await authenticateApiKey(request, validator, clock);
  }
}

/** @throws TypeError when a host passes something else: at construction, not at the first request */
export function requireValidator(validator: unknown): void {
  if (typeof validator !== 'function') throw new TypeError('validator must be a function of the key hash');
}
