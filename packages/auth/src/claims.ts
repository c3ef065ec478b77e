import { isBlank } from '../../toolkit/src/blank-text.ts';
import { integerUid } from '../../toolkit/src/integer-uid.ts';
import { isBoundedText } from './text/well-formed-text.ts';

/**
 * A registered symbol is shared by every copy of the package in a process; no parsed JSON ever
 * carries one.
 */
const brand: unique symbol = Symbol.for('@acme/auth/claims');

export const MAX_UID_LENGTH = 128;
export const MAX_SCOPES = 64;
export const MAX_SCOPE_LENGTH = 64;
export const MAX_SESSION_ID_LENGTH = 128;
const MAX_AUDIENCE_LENGTH = 256;

/** The fields of {@link Claims}: what a validator of API keys may return instead of an instance. */
export interface ClaimsInit {
  /**
   * 1–128 characters (UTF-16 code units), one of them visible, and without U+0000, which PostgreSQL
   * refuses.
   */
  readonly uid: string;
  /** At most 64 scopes of 1–64 characters each. */
  readonly scopes: readonly string[];
  /** Unix seconds. Default 0: not known. */
  readonly issuedAt?: number;
  /** Unix seconds. Default 0: does not expire. */
  readonly expiresAt?: number;
  /** When the user logged in, in Unix seconds. Default: not known. */
  readonly authTime?: number | undefined;
  /** The session that issued the token, if one did. */
  readonly sessionId?: string | undefined;
  /**
   * The audience of the instance that authenticated the request; `false` if it has none. The guards
   * set it, unless a validator does. Default: not known.
   */
  readonly audience?: string | false | undefined;
  /**
   * `api_key` if the claims come from an API key. The guards set it, whatever a validator says.
   */
  readonly credential?: 'api_key' | undefined;
}

/**
 * The user of a request and what they may do, as far as the credential itself says.
 *
 * Immutable, the list of scopes included. `Scope` narrows what {@link Claims.hasScope} may be asked
 * at compile time; `scopes` stays `string[]`, since a token of an older release may carry scopes
 * that are gone by now.
 *
 * @throws TypeError when a field is outside the bounds of {@link ClaimsInit}
 */
export class Claims<Scope extends string = string> {
  readonly uid: string;
  readonly scopes: readonly string[];
  /** Unix seconds; 0 when not known. */
  readonly issuedAt: number;
  /** Unix seconds; 0 when the credential does not expire. */
  readonly expiresAt: number;
  /**
   * When the user logged in, in Unix seconds: the claim `auth_time` (OpenID Connect Core 1.0
   * section 2). A status poll does not change it. `undefined` if the credential does not say.
   */
  readonly authTime: number | undefined;
  readonly sessionId: string | undefined;
  /**
   * The audience of the instance that authenticated the request; `false` if it has none;
   * `undefined` if the host itself made the claims and did not say.
   */
  readonly audience: string | false | undefined;
  /**
   * `api_key` if the claims come from an API key; `undefined` if from a token, or the host itself.
   */
  readonly credential: 'api_key' | undefined;

  constructor(init: ClaimsInit) {
    if (typeof init !== 'object' || init === null) throw new TypeError('Claims needs an object of claims');
    const { uid, scopes, issuedAt = 0, expiresAt = 0, authTime, sessionId, audience, credential } = init;
    requireUid(uid);
    if (!isScopeList(scopes)) {
      throw new TypeError(
        `scopes must be an array of at most ${MAX_SCOPES} strings of 1 to ${MAX_SCOPE_LENGTH} characters`,
      );
    }
    if (!isUnixTime(issuedAt)) throw new TypeError('issuedAt must be a whole number of Unix seconds');
    if (!isUnixTime(expiresAt)) throw new TypeError('expiresAt must be a whole number of Unix seconds, or 0');
    if (authTime !== undefined && !isUnixTime(authTime)) {
      throw new TypeError('authTime must be a whole number of Unix seconds');
    }
    if (sessionId !== undefined && !isSessionId(sessionId)) {
      throw new TypeError(`sessionId must be a string of 1 to ${MAX_SESSION_ID_LENGTH} characters`);
    }
    if (audience !== undefined && audience !== false && !isBoundedText(audience, MAX_AUDIENCE_LENGTH)) {
      throw new TypeError(`audience must be a string of 1 to ${MAX_AUDIENCE_LENGTH} characters, or false`);
    }
    if (credential !== undefined && credential !== 'api_key') {
      throw new TypeError('credential must be "api_key", or left out');
    }
    this.uid = uid;
    this.scopes = Object.freeze([...scopes]);
    this.issuedAt = issuedAt;
    this.expiresAt = expiresAt;
    this.authTime = authTime;
    this.sessionId = sessionId;
    this.audience = audience;
    this.credential = credential;
    Object.freeze(this);
  }

  /** Marks instances of every copy of the package, for {@link isClaims}. */
  get [brand](): true {
    return true;
  }

  /**
   * Tells whether the claims have not expired at `now` (Unix seconds, default: the system's time).
   */
  isValid(now: number = Math.floor(Date.now() / 1000)): boolean {
    return this.expiresAt === 0 || now < this.expiresAt;
  }

  /**
   * Tells whether the scope was granted. Scopes match exactly: `admin` does not imply
   * `admin:webhooks`.
   */
  hasScope(scope: Scope): boolean {
    return this.scopes.includes(scope);
  }

  /**
   * The uid as an integer, or 0 when it is not a decimal integer within the safe range of a number.
   */
  intUid(): number {
    return integerUid(this.uid);
  }
}

/**
 * Tells whether a value is an instance of {@link Claims}, of another copy of the package too.
 *
 * The parsed body of a request never is one: a client cannot pass a body's `uid` for claims.
 */
export function isClaims(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && brand in value;
}

/**
 * Tells whether claims are those of another instance. Audiences are compared, not objects, so that
 * two copies of the package and a reloaded module agree. Claims that name no instance are the
 * host's own word, and an instance that is not known has no opinion.
 */
export function isOfAnother(audience: string | false | undefined, claims: Pick<Claims, 'audience'>): boolean {
  return audience !== undefined && claims.audience !== undefined && claims.audience !== audience;
}

export function isUid(value: unknown): value is string {
  return isBoundedText(value, MAX_UID_LENGTH) && !isBlank(value);
}

/**
 * @param name how the host knows the value
 * @throws TypeError when a host passes something else as a user's id, such as the number that its
 *   database has
 */
export function requireUid(uid: unknown, name = 'uid'): asserts uid is string {
  if (isUid(uid)) return;
  const advice = typeof uid === 'number' || typeof uid === 'bigint' ? ': convert it with String(uid)' : '';
  const given = typeof uid === 'string' ? '' : `, got ${uid === null ? 'null' : typeof uid}${advice}`;
  const rule = `a string of 1 to ${MAX_UID_LENGTH} characters without U+0000, one of them visible`;
  throw new TypeError(`${name} must be ${rule}${given}`);
}

export function isScope(value: unknown): value is string {
  return isBoundedText(value, MAX_SCOPE_LENGTH);
}

export function isScopeList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_SCOPES) return false;
  // `every` skips the holes of a sparse array, and this is on the path of every validation.
  for (let index = 0; index < value.length; index += 1) if (!isScope(value[index])) return false;
  return true;
}

export function isSessionId(value: unknown): value is string {
  return isBoundedText(value, MAX_SESSION_ID_LENGTH);
}

/**
 * The last second of the year 9999. Anything later is a time in milliseconds, which would never
 * expire.
 */
const MAX_UNIX_TIME = 253_402_300_799;

export function isUnixTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_UNIX_TIME;
}
