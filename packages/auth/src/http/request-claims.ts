import { objectOption } from '../../../toolkit/src/options.ts';
import { type Claims, isClaims, isOfAnother } from '../claims.ts';
import { type Clock, systemClock } from '../clock.ts';
import { AuthError, ErrInvalidToken, ErrNoToken } from '../errors.ts';

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

/** What the guards of GraphQL's fields, which run interleaved, leave on the request of all. */
interface SharedAuthentication {
  /** `undefined` once the claims of two fields differ. */
  readonly claims: Claims | undefined;
  /** What `claims` came from, as long as no other field was guarded. */
  readonly field: object | undefined;
  readonly clock: Clock;
  /** What the request had before GraphQL ran. */
  readonly outer: Authentication | undefined;
}

interface Carrier {
  [AUTHENTICATION]?: Authentication | SharedAuthentication;
}

const storedOn = (carrier: object | null | undefined): Carrier[typeof AUTHENTICATION] =>
  (carrier as Carrier | null | undefined)?.[AUTHENTICATION];

/**
 * Stores the claims of a request on it, in place of any that an outer guard stored. Guards of
 * fields know no order, so that no claims replace theirs.
 */
export function storeClaims(request: object, claims: Claims, clock: Clock): void {
  const stored = storedOn(request);
  if (stored !== undefined && 'outer' in stored) shareClaims(request, { claims, clock }, undefined);
  else store(request, { claims, clock });
}

function store(carrier: object, value: Authentication | SharedAuthentication): void {
  Object.defineProperty(carrier, AUTHENTICATION, { value, configurable: true, enumerable: false });
}

/**
 * Stores the claims of a field on the request of all fields. Claims that differ from those of
 * another field, or of a guard of the request, make the request ambiguous: `claimsOf(request)`
 * throws from then on. A later guard of the one field that has been guarded replaces its claims.
 *
 * @param field what carries the field's own claims; `undefined` is never the same field again
 * @returns the error of a request that has become ambiguous
 */
export function shareClaims(
  request: object,
  { claims, clock }: Authentication,
  field: object | undefined,
): AuthError | undefined {
  const before = storedOn(request);
  const outer = outerAuthentication(request);
  const shared = before !== undefined && 'outer' in before ? before : undefined;
  const isAlone = shared === undefined || (field !== undefined && shared.field === field);
  const others = isAlone ? outer : before;
  const isSame = others === undefined || (others.claims && factsOf(others.claims)) === factsOf(claims);
  store(request, {
    claims: isSame ? claims : undefined,
    field: isAlone ? field : undefined,
    clock,
    outer,
  });
  return isSame || before?.claims === undefined ? undefined : ambiguous();
}

/** Returns what guards in sequence left on a request, before those of fields. */
export function outerAuthentication(request: object): Authentication | undefined {
  const stored = storedOn(request);
  return stored !== undefined && 'outer' in stored ? stored.outer : stored;
}

/** All that claims say. Two look-ups of one key may give its scopes in any order. */
function factsOf({ scopes, ...others }: Claims): string {
  return JSON.stringify([others, [...scopes].sort()]);
}

function ambiguous(): AuthError {
  return new ErrInvalidToken('The fields of this request have different claims: read those', 'ambiguous');
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

/**
 * @throws ErrNoToken when no guard ran, so that a handler without a guard fails closed;
 *   ErrInvalidToken `ambiguous` when the fields of a request of GraphQL have different claims
 */
export function authenticationOf(request: object): Authentication {
  const { claims, clock } = storedOn(request) ?? {};
  if (clock !== undefined && isClaims(claims)) return { claims, clock };
  if (clock !== undefined) throw ambiguous();
  throw new ErrNoToken('No guard has authenticated this request: put requireAuth or requireApiKey before');
}

/**
 * Returns the claims that a guard stored on the request.
 *
 * ```ts
 * const { uid } = claimsOf(request);
 * const scoped = claimsOf<ScopeOf<typeof auth>>(request); // hasScope() then knows the scopes
 * ```
 *
 * @throws ErrNoToken when no guard ran, so that a handler without a guard fails closed;
 *   ErrInvalidToken `ambiguous` when the fields of a request of GraphQL have different claims
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
