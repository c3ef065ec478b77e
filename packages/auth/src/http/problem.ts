import { type AuthErrorCode, ERROR_CODES, type ErrorAnswer } from '../error-codes.ts';
import { type AuthError, isAuthError } from '../errors.ts';

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

const TITLES: Readonly<Record<AuthError['status'], string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
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
  const code = known !== undefined && Object.hasOwn(ERROR_CODES, known.code) ? known.code : 'unavailable';
  const { status, detail } = ERROR_CODES[code];
  const body = { type: 'about:blank', title: TITLES[status], status, code, detail } as const;
  return { status, headers: problemHeaders(ERROR_CODES[code], known), body };
}

function problemHeaders(answer: ErrorAnswer, error: AuthError | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  };
  const challenge = bearerChallenge(answer, error);
  if (challenge !== undefined) headers['www-authenticate'] = challenge;
  if (answer.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(error?.retryAfterSeconds ?? answer.retryAfterSeconds);
  }
  return headers;
}

/** RFC 6750 section 3: a request without any credential gets no error code. */
function bearerChallenge(answer: ErrorAnswer, error: AuthError | undefined): string | undefined {
  if (answer.challenge === undefined) return undefined;
  if (answer.challenge === 'none') return 'Bearer realm="api"';
  const challenge = `Bearer realm="api", error="${answer.challenge}", error_description="${answer.detail}"`;
  const { scope, maxAgeSeconds } = error ?? {};
  if (maxAgeSeconds !== undefined && MAX_AGE.test(`${maxAgeSeconds}`)) {
    return `${challenge}, max_age="${maxAgeSeconds}"`;
  }
  return scope !== undefined && SCOPE_TOKEN.test(scope) ? `${challenge}, scope="${scope}"` : challenge;
}
