import { type FieldError, isWebhookError } from '../errors.ts';

/**
 * Every `code` that the admin API answers, and its HTTP status: the one table of this package. An error whose code
 * is not here is unforeseen at this boundary and becomes `internal_error`.
 */
const STATUS = {
  malformed_json: 400,
  body_unreadable: 400,
  unauthenticated: 401,
  forbidden: 403,
  insufficient_scope: 403,
  cross_site: 403,
  not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  method_not_allowed: 405,
  webhook_inactive: 409,
  delivery_pending: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  url_not_public: 422,
  internal_error: 500,
  authorization_unavailable: 503,
  storage_unavailable: 503,
  overloaded: 503,
  closed: 503,
} as const;

/** The `code` member of the admin API's problem details. */
export type ProblemCode = keyof typeof STATUS;

/** The reason phrases of RFC 9110 section 15, which RFC 9457 section 4.2.1 asks for beside `about:blank`. */
const TITLES: Readonly<Record<(typeof STATUS)[ProblemCode], string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** When a client that met 503 may try again. */
const RETRY_AFTER_SECONDS = '5';

/** What a refusal says beside its code. */
export interface ProblemOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** What the client reads as `code` instead: the host's authorisation knows more exactly why. */
  readonly hostCode?: string | undefined;
}

/** A refusal on its way to the client. Its detail and errors are shown; its cause is for the log alone. */
export class AdminProblem extends Error {
  override readonly name = 'AdminProblem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly #hostCode: string | undefined;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.detail ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = STATUS[code];
    this.detail = options.detail;
    this.errors = options.errors ?? [];
    this.#hostCode = options.hostCode;
    const retry = this.status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
    this.headers = { ...retry, ...options.headers };
  }

  /** RFC 9457. */
  toJSON(): object {
    return {
      type: 'about:blank',
      title: TITLES[STATUS[this.code]],
      status: this.status,
      code: this.#hostCode ?? this.code,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
      ...(this.errors.length === 0 ? {} : { errors: this.errors }),
    };
  }
}

/**
 * The refusal that an error stands for. Only a client error's message is shown; what failed on this side stays here.
 */
export function problemOf(error: unknown): AdminProblem {
  if (error instanceof AdminProblem) return error;
  if (!isWebhookError(error) || !isProblemCode(error.code)) {
    return new AdminProblem('internal_error', { cause: error });
  }
  if (STATUS[error.code] >= 500) return new AdminProblem(error.code, { cause: error });
  return new AdminProblem(error.code, { detail: error.message, errors: error.errors });
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(STATUS, code);
}
