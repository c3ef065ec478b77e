import { printWithout } from '../../toolkit/src/print-without.ts';
import { type AuthErrorCode, ERROR_CODES } from './error-codes.ts';

/**
 * A registered symbol is shared by every copy of the package in a process, ESM and CommonJS builds
 * included.
 */
const brand: unique symbol = Symbol.for('@acme/auth/error');

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
  /** Why the credential was refused, if the code does not say it. */
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
  readonly status: (typeof ERROR_CODES)[AuthErrorCode]['status'];
  readonly scope: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly maxAgeSeconds: number | undefined;
  readonly reason: TokenRefusalReason | undefined;
  /** `Set-Cookie` values of the answer: credentials, which `console.log` does not print. */
  readonly cookies: readonly string[] | undefined;

  constructor(code: AuthErrorCode, message: string, options: AuthErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = ERROR_CODES[code].status;
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

  /** What GraphQL sends to the client beside the message. */
  get extensions(): { readonly code: AuthErrorCode; readonly http: object } {
    return { code: this.code, http: { status: this.status, headers: {} } };
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
 * It also recognises errors of another copy of the package in the same process, for which
 * `instanceof` says no.
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
    // A proxy whose traps throw is not our error.
    return false;
  }
}
