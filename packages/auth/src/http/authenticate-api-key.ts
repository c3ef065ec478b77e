import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { hashApiKey, parseApiKey } from '../api-keys/api-key.ts';
import { type ApiKeyValidator, VALIDATOR_AUDIENCE } from '../api-keys/api-key-validator.ts';
import { Claims, isOfAnother } from '../claims.ts';
import { type Clock, systemClock, unixSeconds } from '../clock.ts';
import { AuthError, ErrInvalidToken, ErrNoToken, ErrTokenExpired, isAuthError } from '../errors.ts';
import { boundedHostCall } from '../host-call.ts';
import { partsOf } from './auth-parts.ts';
import type { AuthRequest } from './auth-request.ts';
import { type Authenticator, requireInstance } from './authenticator.ts';
import { readBearerToken } from './bearer-token.ts';
import type { Refusals } from './refusals.ts';

/**
 * Authenticates a request by the API key in its Authorization header, without a framework, as
 * `requireApiKey` does.
 *
 * ```ts
 * createAdminApi(webhooks, { authorize: (request) => authenticateApiKey(request, apiKeys.validator) });
 * ```
 *
 * A key of our own form with a wrong checksum is refused without asking the validator. A key of any
 * other form is hashed and passed to the validator. An access token is never accepted, because its
 * hash is no API key's hash.
 *
 * @param options `auth`: an instance that reports refused keys, by `onTokenRefused` and debug
 *   lines. Default none. `clock`: judges the expiry of the claims. Default: that of `auth`, or
 *   `Date.now`
 * @throws ErrNoToken, ErrInvalidToken, ErrTokenExpired; any `AuthError` of the validator
 * @throws AuthError `unavailable` (503) when the validator throws another error, which is the
 *   `cause`, or returns claims of a wrong shape
 * @throws TypeError when `request` is not a request, `validator` is not a function or of API keys
 *   that were made without `auth`, or an option is unknown or of a wrong shape
 */
export async function authenticateApiKey(
  request: AuthRequest,
  validator: ApiKeyValidator,
  options: { readonly auth?: Authenticator } = {},
): Promise<Claims> {
  refuseUnknownOptions('authenticateApiKey', options, OPTION_NAMES);
  const { auth } = options;
  const clock = auth === undefined ? systemClock : requireInstance(auth).clock;
  requireValidator(validator, auth?.options.audience);
  return await validateApiKey(request, validator, {
    clock,
    refusals: partsOf(auth)?.refusals,
    audience: auth?.options.audience,
  });
}

const OPTION_NAMES: ReadonlySet<string> = new Set(['auth']);

/** As {@link authenticateApiKey}, with what a guard has looked up in the instance already. */
export async function validateApiKey(
  request: AuthRequest,
  validator: ApiKeyValidator,
  { refusals, ...judge }: KeyJudge & { readonly refusals: Refusals | undefined },
): Promise<Claims> {
  const key = readBearerToken(request);
  if (key === undefined) throw new ErrNoToken('The request carries no bearer credential');
  try {
    return await claimsOfKey(key, validator, judge);
  } catch (error) {
    refusals?.tokenRefused({ kind: 'api_key', error, token: key, request });
    throw error;
  }
}

interface KeyJudge {
  readonly clock: Clock;
  /** That of the instance which asks, if one does: the claims get it, or have it already. */
  readonly audience: string | false | undefined;
}

async function claimsOfKey(
  key: string,
  validator: ApiKeyValidator,
  { clock, audience }: KeyJudge,
): Promise<Claims> {
  if (parseApiKey(key)?.isIntact === false)
    throw new ErrInvalidToken('The API key has a wrong checksum', 'malformed');
  const claims = await lookUp(hashApiKey(key), validator, audience);
  if (claims === undefined) throw new ErrInvalidToken('The API key is unknown', 'unknown');
  if (isOfAnother(audience, claims)) {
    throw new ErrInvalidToken('The API key is meant for another audience', 'audience');
  }
  if (!claims.isValid(unixSeconds(clock))) throw new ErrTokenExpired('The API key has expired');
  return claims;
}

/**
 * Tries the access token cookie first, then the API key, without a framework, as
 * `requireAuthOrApiKey` does.
 *
 * ```ts
 * createAdminApi(webhooks, { authorize: (request) => authenticateAuthOrApiKey(request, auth, apiKeys.validator) });
 * ```
 *
 * A cookie that fails, also for being cross-site, never outranks a key: the claims are then those
 * of the key. The instance's clock judges the expiry of both.
 *
 * @throws the error of `auth.authenticate` if the request carries no bearer credential; else as
 *   {@link authenticateApiKey}
 * @throws TypeError when `request` is not a request, `auth` is not an instance, or `validator` is
 *   not a function or of API keys that were made without this `auth`
 */
export async function authenticateAuthOrApiKey<Scope extends string = string>(
  request: AuthRequest,
  auth: Authenticator<Scope>,
  validator: ApiKeyValidator,
): Promise<Claims<Scope>> {
  const { clock, audience } = requireInstance(auth);
  requireValidator(validator, audience);
  const refusals = partsOf(auth)?.refusals;
  try {
    return await auth.authenticate(request);
  } catch (error) {
    if (!isAuthError(error) || readBearerToken(request) === undefined) throw error;
    return await validateApiKey(request, validator, { clock, refusals, audience });
  }
}

/**
 * @param asking the audience of the instance that asks, if one does
 * @throws TypeError when a host passes something else, or API keys that the instance never lets in:
 *   at construction and not at the first request
 */
export function requireValidator(validator: unknown, asking: string | false | undefined): void {
  if (typeof validator !== 'function') throw new TypeError('validator must be a function of the key hash');
  const audience: string | false | undefined = Reflect.get(validator, VALIDATOR_AUDIENCE);
  if (!isOfAnother(asking, { audience })) return;
  throw new TypeError(
    `validator must be of API keys made with the option auth of this instance (${asking}), got those of ${audience}`,
  );
}

/** Calls the validator, and tells its accidental errors from refusals. */
async function lookUp(
  hash: string,
  validator: ApiKeyValidator,
  asking: string | false | undefined,
): Promise<Claims | undefined> {
  let found: Awaited<ReturnType<ApiKeyValidator>>;
  try {
    found = await boundedHostCall('The API key validator', validator)(hash);
  } catch (cause) {
    if (isAuthError(cause)) throw cause;
    throw unavailable(
      'threw an error: for a key that is not valid, give null or throw ErrInvalidToken',
      cause,
    );
  }
  if (found === undefined || found === null) return undefined;
  try {
    const { uid, scopes, issuedAt = 0, expiresAt = 0, sessionId, audience = asking } = found;
    return new Claims({ uid, scopes, issuedAt, expiresAt, sessionId, audience, credential: 'api_key' });
  } catch (cause) {
    throw unavailable('gave claims of a wrong shape', cause);
  }
}

function unavailable(what: string, cause: unknown): AuthError {
  return new AuthError('unavailable', `The API key validator ${what}`, { cause });
}
