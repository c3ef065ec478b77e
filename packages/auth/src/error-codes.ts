/** The answer to a client that gets an error, besides its code. */
export interface ErrorAnswer {
  readonly status: number;
  readonly detail: string;
  /**
   * The error code of RFC 6750 section 3.1 or RFC 9470 section 3, if the answer is a challenge.
   */
  readonly challenge?: 'none' | 'invalid_token' | 'insufficient_scope' | 'insufficient_user_authentication';
  /** The default of `Retry-After`, in seconds, if the answer has it. */
  readonly retryAfterSeconds?: number;
}

/**
 * Every error code, each in one entry: when it is met, and what a client is answered. The types and
 * the answers come from here. A test compares the README's table to it.
 */
export const ERROR_CODES = Object.freeze({
  /**
   * The request has no credential of the required kind, or no guard ran before `requireScope`
   * or `claimsOf`.
   */
  token_missing: { status: 401, detail: 'Authentication is required.', challenge: 'none' },
  /**
   * The credential is malformed, badly signed, for another instance, of a wrong shape, revoked,
   * unknown or ambiguous.
   */
  token_invalid: { status: 401, detail: 'The credential is not valid.', challenge: 'invalid_token' },
  /** The credential is valid in every respect but its expiry: refresh it. */
  token_expired: { status: 401, detail: 'The credential has expired.', challenge: 'invalid_token' },
  /**
   * The refresh token was replaced some time ago, and the answer sets its successor: poll once
   * more.
   */
  refresh_again: {
    status: 401,
    detail: 'Send the request again, with the new cookie.',
    challenge: 'invalid_token',
  },
  /**
   * The user logged in too long ago for `requireRecentLogin` or `assertRecentLogin`, or the
   * credential does not say when, or a session is to end a newer one: log in again.
   */
  login_required: {
    status: 401,
    detail: 'Log in again to do this.',
    challenge: 'insufficient_user_authentication',
  },
  /** The claims lack the scope. */
  insufficient_scope: {
    status: 403,
    detail: 'A required scope is missing.',
    challenge: 'insufficient_scope',
  },
  /**
   * A request with an API key tried to manage API keys, or a request whose token belongs to no
   * session tried to list or end sessions.
   */
  session_required: { status: 403, detail: 'This takes a session: the credential belongs to none.' },
  /**
   * The user has more scopes than a token, or its cookie, has room for. The log has the uid; the
   * session goes on.
   */
  token_too_large: { status: 403, detail: 'This account has more scopes than a token has room for.' },
  /** A log-in had a wrong login or password, or the user is disabled. */
  invalid_credentials: { status: 401, detail: 'The credentials are not right.', challenge: 'none' },
  /** The password of a log-in is right, and `secondFactor` asks for a code. */
  second_factor_required: { status: 401, detail: 'A second factor is required.', challenge: 'none' },
  /** The session has reached its end: log in again. */
  session_expired: { status: 401, detail: 'The session has expired.', challenge: 'invalid_token' },
  /**
   * The session was ended: by a log-out, by a revocation, by newer log-ins beyond
   * `maxSessionsPerUser`, or because a refresh token was sent again after its successor was in
   * use; at a log-in, the new session was ended before the answer.
   */
  session_revoked: { status: 401, detail: 'The session has been ended.', challenge: 'invalid_token' },
  /** A log-out cleared the cookies, but the store failed: the session goes on. */
  logout_incomplete: {
    status: 503,
    detail: 'This browser is logged out, but its session could not be ended. End it from another one.',
  },
  /** The user has no live session with this id. */
  session_not_found: { status: 404, detail: 'There is no such session.' },
  /**
   * Too many log-ins to this account or from this address have failed or are under way, or too
   * many one-time tokens were requested; `Retry-After` is set.
   */
  rate_limited: { status: 429, detail: 'Too many attempts. Try again later.', retryAfterSeconds: 60 },
  /** `mountSessions` cannot read the target, method, Host or body of the request. */
  request_invalid: { status: 400, detail: 'The request is malformed.' },
  /** The body of a log-in is not a JSON object. */
  body_invalid: { status: 400, detail: 'The body must be a JSON object.' },
  /** The body of a log-in is longer than 8 KiB. */
  body_too_large: { status: 413, detail: 'The body is too large.' },
  /** The body of a log-in is that of an HTML form. */
  unsupported_media_type: { status: 415, detail: 'The body must be JSON: a form is not read.' },
  /** `sessions.handler` has no endpoint with this path. */
  not_found: { status: 404, detail: 'There is nothing at this path.' },
  /** The endpoint does not support this method; `Allow` is set. */
  method_not_allowed: { status: 405, detail: 'This method is not allowed here.' },
  /** A page of another site sent an unsafe request. */
  cross_site: { status: 403, detail: 'The request was sent by a page of another site.' },
  /** The login is not text, is outside 1–256 characters, or has control or format characters. */
  login_invalid: { status: 422, detail: 'A login has 1 to 256 characters, all of them visible.' },
  /** The password is not 1–1,024 bytes of UTF-8 text. */
  password_invalid: { status: 422, detail: 'A password has 1 to 1,024 bytes of UTF-8 text.' },
  /**
   * The name, scopes or expiry of an API key, the page parameters of a list of keys or
   * sessions, or the `remember_me` of a log-in has a wrong shape.
   */
  input_invalid: { status: 422, detail: 'The input is not of the expected shape.' },
  /**
   * A one-time token is malformed, unknown, used, replaced, revoked, expired, or for another
   * purpose or instance.
   */
  one_time_token_invalid: { status: 422, detail: 'The one-time token is not valid, or not any more.' },
  /**
   * Too many passwords are waiting to be hashed, in total or from this network; `Retry-After`
   * is set.
   */
  hashing_busy: { status: 503, detail: 'Too many log-ins at once. Try again shortly.', retryAfterSeconds: 2 },
  /**
   * `migrateAuth` cannot use the database: a table belongs to another program or dates from
   * before the first release, a privilege is missing, or a mysql2 setting does not fit; no
   * response has this code.
   */
  storage_misconfigured: { status: 503, detail: 'Authentication is not available now.' },
  /**
   * An API key lookup, a store or the clock failed; also the response to any error that is not
   * an `AuthError`.
   */
  unavailable: { status: 503, detail: 'Authentication is not available now.', retryAfterSeconds: 5 },
} as const satisfies Readonly<Record<string, ErrorAnswer>>);

/**
 * What went wrong, for a program to branch on. The README lists when each code is met, with its
 * HTTP status.
 */
export type AuthErrorCode = keyof typeof ERROR_CODES;
