import { type AuthError, type AuthErrorCode, HTTP_STATUS, isAuthError } from '../errors.ts';

/** The body of an error answer: RFC 9457 problem details with a machine-readable `code`. */
export interface ProblemDetails {
  readonly type: 'about:blank';
  /** The standard phrase of the status, as RFC 9457 section 4.2.1 asks for with `about:blank`. */
  readonly title: string;
  readonly status: number;
  readonly code: AuthErrorCode;
  readonly detail: string;
}

/** An error as an HTTP answer, for any framework to send. */
export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ProblemDetails;
}

interface Row {
  readonly detail: string;
  /**
   * The error code of RFC 6750 section 3.1 or RFC 9470 section 3, where the answer is a challenge.
   */
  readonly challenge?: 'none' | 'invalid_token' | 'insufficient_scope' | 'insufficient_user_authentication';
  readonly retryAfterSeconds?: number;
}

/** The answer to a client, by code. */
const ROWS: Readonly<Record<AuthErrorCode, Row>> = {
  token_missing: { detail: 'Authentication is required.', challenge: 'none' },
  token_invalid: { detail: 'The credential is not valid.', challenge: 'invalid_token' },
  token_expired: { detail: 'The credential has expired.', challenge: 'invalid_token' },
  refresh_again: { detail: 'Send the request again, with the new cookie.', challenge: 'invalid_token' },
  login_required: { detail: 'Log in again to do this.', challenge: 'insufficient_user_authentication' },
  insufficient_scope: { detail: 'A required scope is missing.', challenge: 'insufficient_scope' },
  session_required: { detail: 'This takes a session: the credential belongs to none.' },
  invalid_credentials: { detail: 'The credentials are not right.', challenge: 'none' },
  session_expired: { detail: 'The session has expired.', challenge: 'invalid_token' },
  session_revoked: { detail: 'The session has been ended.', challenge: 'invalid_token' },
  logout_incomplete: {
    detail: 'This browser is logged out, but its session could not be ended. End it from another one.',
  },
  session_not_found: { detail: 'There is no such session.' },
  rate_limited: { detail: 'Too many attempts. Try again later.', retryAfterSeconds: 60 },
  request_invalid: { detail: 'The request is malformed.' },
  body_invalid: { detail: 'The body must be a JSON object.' },
  body_too_large: { detail: 'The body is too large.' },
  not_found: { detail: 'There is nothing at this path.' },
  method_not_allowed: { detail: 'This method is not allowed here.' },
  cross_site: { detail: 'The request was sent by a page of another site.' },
  login_invalid: { detail: 'A login has 1 to 256 characters, all of them visible.' },
  password_invalid: { detail: 'A password has 1 to 1,024 bytes of UTF-8 text.' },
  input_invalid: { detail: 'The input is not of the expected shape.' },
  one_time_token_invalid: { detail: 'The one-time token is not valid, or not any more.' },
  hashing_busy: { detail: 'Too many log-ins at once. Try again shortly.', retryAfterSeconds: 2 },
  storage_misconfigured: { detail: 'Authentication is not available now.' },
  unavailable: { detail: 'Authentication is not available now.', retryAfterSeconds: 5 },
};

const TITLES: Readonly<Record<AuthError['status'], string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** RFC 6749 section 3.3: what a scope may consist of inside the quotes of a challenge. */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** RFC 9470 section 3: a whole number of seconds. */
const MAX_AGE = /^\d{1,15}$/;

/**
 * Returns the HTTP answer for any caught value.
 *
 * Anything but an {@link AuthError} is a failure of the server and becomes 503, so that no failure
 * lets a request in. The answer consists of constant texts; it repeats neither the error's message
 * nor any part of the request.
 */
export function problemFor(error: unknown): Problem {
  const known = isAuthError(error) ? error : undefined;
  // An error of a newer copy of the package may have a code that this copy does not know.
  const code = known !== undefined && Object.hasOwn(ROWS, known.code) ? known.code : 'unavailable';
  const row = ROWS[code];
  const status = HTTP_STATUS[code];
  const body = { type: 'about:blank', title: TITLES[status], status, code, detail: row.detail } as const;
  return { status, headers: problemHeaders(row, known), body };
}

function problemHeaders(row: Row, error: AuthError | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  };
  const challenge = bearerChallenge(row, error);
  if (challenge !== undefined) headers['www-authenticate'] = challenge;
  if (row.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(error?.retryAfterSeconds ?? row.retryAfterSeconds);
  }
  return headers;
}

/** RFC 6750 section 3: a request without any credential gets no error code. */
function bearerChallenge(row: Row, error: AuthError | undefined): string | undefined {
  if (row.challenge === undefined) return undefined;
  if (row.challenge === 'none') return 'Bearer realm="api"';
  const challenge = `Bearer realm="api", error="${row.challenge}", error_description="${row.detail}"`;
  const { scope, maxAgeSeconds } = error ?? {};
  if (maxAgeSeconds !== undefined && MAX_AGE.test(`${maxAgeSeconds}`)) {
    return `${challenge}, max_age="${maxAgeSeconds}"`;
  }
  return scope !== undefined && SCOPE_TOKEN.test(scope) ? `${challenge}, scope="${scope}"` : challenge;
}
