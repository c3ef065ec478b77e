import { printWithout } from '../../toolkit/src/print-without.ts';

/**
 * A registered symbol is shared by every copy of the package in a process, ESM and CommonJS builds
 * included.
 */
const brand: unique symbol = Symbol.for('@acme/auth/error');

/**
 * What went wrong, for a program to branch on; {@link HTTP_STATUS} holds the HTTP status of each.
 *
 * - `token_missing`: the request carries no credential of the kind that is asked for
 * - `token_invalid`: malformed, badly signed, for another instance, of a wrong shape, unknown or
 *   revoked
 * - `token_expired`: everything about it is right but the time: refresh it
 * - `refresh_again`: the refresh token was replaced some time ago, and the answer sets its
 *   successor: send the status poll once more
 * - `login_required`: authenticated, but the log-in is too long ago, or its time is not known, or a
 *   session that is to be ended is newer
 * - `insufficient_scope`: authenticated, but without the scope the route requires, or the scope
 *   given to an API key
 * - `session_required`: authenticated by an API key, or by a token that belongs to no session, for
 *   something that takes a session
 * - `invalid_credentials`: a log-in with a login or a password that is not right, or of a disabled
 *   user
 * - `session_expired`: the session has reached its end: log in again
 * - `session_revoked`: the session was ended by a log-out, by somebody, by newer log-ins, or
 *   because a refresh token came back after its successor; at a log-in, the new session was
 * - `logout_incomplete`: the cookies of a log-out are gone, but a part of the host failed, and the
 *   session goes on until it expires or is ended
 * - `session_not_found`: the user has no live session of this id
 * - `rate_limited`: too many log-ins of this account or from this address failed or are under way,
 *   or too many one-time tokens were requested
 * - `request_invalid`: the target, the method, the Host or the body of the request cannot be read
 * - `body_invalid`: the body of the request is no JSON object
 * - `body_too_large`: the body of the request is longer than 8 KiB
 * - `not_found`: there is no endpoint of this path
 * - `method_not_allowed`: the endpoint does not know this method
 * - `cross_site`: an unsafe request that another site's page sent
 * - `login_invalid`: a login outside 1–256 characters, or with control or format characters, or not
 *   text
 * - `password_invalid`: a password outside 1–1,024 bytes of UTF-8, or not text
 * - `input_invalid`: an API key's name, scopes or expiry, a page of a list, or the wish to be
 *   remembered is of a wrong shape
 * - `one_time_token_invalid`: a one-time token that is malformed, unknown, used, replaced, revoked,
 *   expired, or for another purpose or instance
 * - `hashing_busy`: more passwords are waiting to be hashed, in all or of one network, than the
 *   limit allows
 * - `storage_misconfigured`: the tables of the database are not those of this package, or of a
 *   state that it cannot bring up to date: `migrateAuth` rejects with it, and no request is
 *   answered with it
 * - `unavailable`: a part of the host (validator, store, clock) failed, so nobody can be
 *   authenticated now
 */
export type AuthErrorCode =
  | 'token_missing'
  | 'token_invalid'
  | 'token_expired'
  | 'refresh_again'
  | 'login_required'
  | 'insufficient_scope'
  | 'session_required'
  | 'invalid_credentials'
  | 'session_expired'
  | 'session_revoked'
  | 'logout_incomplete'
  | 'session_not_found'
  | 'rate_limited'
  | 'request_invalid'
  | 'body_invalid'
  | 'body_too_large'
  | 'not_found'
  | 'method_not_allowed'
  | 'cross_site'
  | 'login_invalid'
  | 'password_invalid'
  | 'input_invalid'
  | 'one_time_token_invalid'
  | 'hashing_busy'
  | 'storage_misconfigured'
  | 'unavailable';

/** The one table of HTTP statuses: what an error says wherever it ends up in an answer. */
export const HTTP_STATUS = Object.freeze({
  token_missing: 401,
  token_invalid: 401,
  token_expired: 401,
  refresh_again: 401,
  login_required: 401,
  insufficient_scope: 403,
  session_required: 403,
  invalid_credentials: 401,
  session_expired: 401,
  session_revoked: 401,
  logout_incomplete: 503,
  session_not_found: 404,
  rate_limited: 429,
  request_invalid: 400,
  body_invalid: 400,
  body_too_large: 413,
  not_found: 404,
  method_not_allowed: 405,
  cross_site: 403,
  login_invalid: 422,
  password_invalid: 422,
  input_invalid: 422,
  one_time_token_invalid: 422,
  hashing_busy: 503,
  storage_misconfigured: 503,
  unavailable: 503,
} as const satisfies Record<AuthErrorCode, number>);

/** The rule that an invalid token broke: for logs and tests. It never reaches a client. */
export type InvalidTokenReason =
  | 'malformed'
  | 'header'
  | 'key'
  | 'signature'
  | 'claims'
  | 'audience'
  | 'time'
  | 'revoked'
  | 'ambiguous'
  | 'too_many'
  | 'unknown';

/** Why a credential was refused: for logs, hooks and tests. It never reaches a client. */
export type TokenRefusalReason =
  | InvalidTokenReason
  | 'expired'
  | 'replaced'
  | 'rotated'
  | 'reused'
  | 'cross_site';

export interface AuthErrorOptions {
  readonly cause?: unknown;
  /** The scope that was missing, with `insufficient_scope`. */
  readonly scope?: string;
  /** Why the credential was refused, where the code does not say it. */
  readonly reason?: TokenRefusalReason;
  /** Whole seconds after which a repeat makes sense, with `hashing_busy` and `rate_limited`. */
  readonly retryAfterSeconds?: number;
  /** How long ago the log-in may be, in whole seconds, with `login_required`. */
  readonly maxAgeSeconds?: number;
  /** `Set-Cookie` values of the answer, with `refresh_again`. */
  readonly cookies?: readonly string[];
}

/**
 * The base of every error that the package throws for a bad credential, bad input or a failed part.
 *
 * Misuse by the programmer (a short key, an unknown option) is a `TypeError` instead, thrown at
 * construction. Messages never carry a token, a key, a cookie or a password.
 */
export class AuthError extends Error {
  override readonly name: string = 'AuthError';
  readonly code: AuthErrorCode;
  /**
   * The HTTP status that this error is answered with, for frameworks and libraries that honour one.
   */
  readonly status: (typeof HTTP_STATUS)[AuthErrorCode];
  readonly scope: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly maxAgeSeconds: number | undefined;
  readonly reason: TokenRefusalReason | undefined;
  /** `Set-Cookie` values of the answer: credentials, which `console.log` does not print. */
  readonly cookies: readonly string[] | undefined;

  constructor(code: AuthErrorCode, message: string, options: AuthErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = HTTP_STATUS[code];
    this.scope = options.scope;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.maxAgeSeconds = options.maxAgeSeconds;
    this.reason = options.reason;
    this.cookies = options.cookies;
    const details = ['scope', 'retryAfterSeconds', 'maxAgeSeconds', 'reason'] as const;
    const absent = details.filter((member) => this[member] === undefined);
    printWithout<AuthError>(this, [...absent, 'cookies']);
  }

  /** The same as `status`, for frameworks that read this name: Fastify, and `http-errors`. */
  get statusCode(): number {
    return this.status;
  }

  /** Marks instances of every copy of the package. */
  get [brand](): true {
    return true;
  }
}

/** No cookie or Authorization header of the asked kind is present. */
export class ErrNoToken extends AuthError {
  override readonly name: string = 'ErrNoToken';

  constructor(message = 'The request carries no credential') {
    super('token_missing', message);
  }
}

/** The token is malformed, badly signed, undecodable, or not meant for this instance. */
export class ErrInvalidToken extends AuthError {
  override readonly name: string = 'ErrInvalidToken';
  override readonly reason: InvalidTokenReason;

  constructor(message = 'The token is invalid', reason: InvalidTokenReason = 'unknown') {
    super('token_invalid', message);
    this.reason = reason;
  }
}

/** The token is genuine and its time is over: the client should refresh. */
export class ErrTokenExpired extends AuthError {
  override readonly name: string = 'ErrTokenExpired';

  constructor(message = 'The token has expired') {
    super('token_expired', message, { reason: 'expired' });
  }
}

/**
 * Tells whether a caught value is an error of this package, and of the given code if one is given.
 *
 * It also recognises errors of another copy of the package in the same process, where `instanceof`
 * says no.
 *
 * ```ts
 * if (isAuthError(error, 'token_expired')) return refresh();
 * ```
 */
export function isAuthError(error: unknown, code?: AuthErrorCode): error is AuthError {
  try {
    if (typeof error !== 'object' || error === null || !(brand in error)) return false;
    return 'code' in error && (code === undefined || error.code === code);
  } catch {
    // A proxy whose traps throw is none of ours.
    return false;
  }
}
