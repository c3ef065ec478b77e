import { API_CODES, ERROR_CODES, PROBLEM_WORDS, type ProblemCode } from '../error-codes.ts';
import { type FieldError, isWebhookError, type WebhookError } from '../errors.ts';

/**
 * Every `code` that the admin API answers, with its HTTP status. An
 * error whose code is not listed is unexpected here and becomes `internal_error`.
 *
 * Programs branch on the code: the `type` is `about:blank`, because a library has no address where
 * pages about problems would stay.
 */
export const PROBLEMS = Object.fromEntries(
  Object.entries({ ...API_CODES, ...ERROR_CODES })
    .filter(([code]) => isProblemCode(code))
    .sort(([, a], [, b]) => a.status - b.status),
) as Readonly<Record<ProblemCode, { readonly status: ProblemStatus }>>;

type ProblemStatus = (typeof API_CODES & typeof ERROR_CODES)[ProblemCode]['status'];

/**
 * The reason phrases of RFC 9110 section 15, which RFC 9457 section 4.2.1 requires with
 * `about:blank`.
 */
export const TITLES: Readonly<Record<ProblemStatus, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** How long a client should wait after a 503. */
const RETRY_AFTER_SECONDS = '5';

/** The members of a problem besides its code. */
export interface ProblemOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** How many deliveries a recovery had scheduled before it failed. */
  readonly reopened?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** The `code` that the client reads instead: the host's authorisation knows the reason better. */
  readonly hostCode?: string | undefined;
}

/**
 * An error to answer the client with. The client sees its detail and errors; only the log sees its
 * cause.
 */
export class AdminProblem extends Error {
  override readonly name = 'AdminProblem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[];
  readonly reopened: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #hostCode: string | undefined;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.detail ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.detail = options.detail;
    this.errors = options.errors ?? [];
    this.reopened = options.reopened ?? 0;
    this.#hostCode = options.hostCode;
    const retry = this.status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
    this.headers = { ...retry, ...options.headers };
  }

  get statusCode(): number {
    return this.status;
  }

  /** RFC 9457. */
  toJSON(): object {
    return {
      type: 'about:blank',
      title: TITLES[PROBLEMS[this.code].status],
      status: this.status,
      code: this.#hostCode ?? this.code,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
      ...(this.errors.length === 0 ? {} : { errors: this.errors }),
      ...(this.reopened === 0 ? {} : { reopened: this.reopened }),
    };
  }
}

/**
 * Converts an error to a problem. Clients see the message of a client error only, never that of a
 * server error.
 */
export function problemOf(error: unknown): AdminProblem {
  if (error instanceof AdminProblem) return error;
  if (!isWebhookError(error) || !isProblemCode(error.code)) {
    return new AdminProblem('internal_error', { cause: error });
  }
  const { code, errors, message, reopened, retryAfterMs } = error;
  if (PROBLEMS[code].status >= 500) {
    const detail = progressOf(error);
    return new AdminProblem(code, { cause: error, reopened, ...(detail === '' ? {} : { detail }) });
  }
  const detail = reopened > 0 ? `${message}. ${progressOf(error)}` : message;
  const headers = retryAfterMs > 0 ? { 'Retry-After': String(Math.ceil(retryAfterMs / 1_000)) } : {};
  return new AdminProblem(code, { detail, errors, reopened, headers });
}

/** Tells the client how many deliveries a recovery reopened before it failed; '' if none. */
function progressOf({ reopened }: WebhookError): string {
  return reopened > 0 ? `It stopped midway: ${reopened} deliveries are scheduled again.` : '';
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEM_WORDS, code);
}
