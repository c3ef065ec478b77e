import { objectOption } from '../../../toolkit/src/options.ts';
import { type Claims, isClaims, isOfAnother } from '../claims.ts';
import { type Clock, systemClock } from '../clock.ts';
import { AuthError, ErrNoToken } from '../errors.ts';

/**
 * A registered symbol, so that a guard and a handler of two copies of the package understand each
 * other.
 */
const AUTHENTICATION: unique symbol = Symbol.for('@acme/auth/request-authentication');

/** What a guard found out about a request. */
export interface Authentication {
  readonly claims: Claims;
  /** The clock that judged the credential, for guards that judge its times further. */
  readonly clock: Clock;
}

interface AuthenticatedRequest {
  [AUTHENTICATION]?: Authentication;
}

/** Stores the claims of a request on it, in place of any that an outer guard stored. */
export function storeClaims(request: object, claims: Claims, clock: Clock): void {
  const value: Authentication = { claims, clock };
  Object.defineProperty(request, AUTHENTICATION, { value, configurable: true, enumerable: false });
}

/**
 * Stores the claims of a request on it, as a guard does: for a guard of your own, once it has
 * authenticated the request. `claimsOf` then returns them, `requireScope` judges them, and
 * `requireRecentLogin` judges their `authTime` by the system's clock. They replace those of an
 * earlier guard.
 *
 * ```ts
 * setClaims(request, new Claims({ uid: user.id, scopes: user.scopes }));
 * ```
 *
 * Nothing that a client sends can stand in for them: only an instance of `Claims` is taken.
 *
 * @throws TypeError when `claims` is no instance of `Claims`
 */
export function setClaims(request: object, claims: Claims): void {
  storeHostClaims(request, claims);
}

/**
 * Stores claims that a guard of the host brings.
 *
 * @throws TypeError when `claims` is no instance of `Claims`
 */
export function storeHostClaims(request: object, claims: Claims): void {
  objectOption('request', request);
  if (!isClaims(claims))
    throw new TypeError('claims must be an instance of Claims: new Claims({ uid, scopes })');
  storeClaims(request, claims, systemClock);
}

/** @throws ErrNoToken when no guard ran, so that a handler without a guard fails closed */
export function authenticationOf(request: object): Authentication {
  const authentication = (request as AuthenticatedRequest | null | undefined)?.[AUTHENTICATION];
  if (!isClaims(authentication?.claims)) {
    throw new ErrNoToken('No guard has authenticated this request: put requireAuth or requireApiKey before');
  }
  return authentication;
}

/**
 * Returns the claims that a guard stored on the request.
 *
 * ```ts
 * const { uid } = claimsOf(request);
 * const scoped = claimsOf<ScopeOf<typeof auth>>(request); // hasScope() then knows the scopes
 * ```
 *
 * @throws ErrNoToken when no guard ran, so that a handler without a guard fails closed
 */
export function claimsOf<Scope extends string = string>(request: object): Claims<Scope> {
  return authenticationOf(request).claims;
}

/**
 * Refuses a request whose claims lack the scope, or have it in another instance than that of the
 * audience.
 *
 * @throws ErrNoToken when no guard ran before, AuthError `insufficient_scope`
 */
export function assertScope(request: object, scope: string, audience?: string | false): Claims {
  const claims = claimsOf(request);
  if (isOfAnother(audience, claims) || !claims.hasScope(scope)) {
    throw new AuthError('insufficient_scope', `The scope ${scope} is required`, { scope });
  }
  return claims;
}
