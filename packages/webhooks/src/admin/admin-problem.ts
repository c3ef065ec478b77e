import { type FieldError, HTTP_STATUS, isWebhookError, type WebhookError } from '../errors.ts';

/**
 * Every `code` that the admin API answers, with its HTTP status and its meaning to a client. An
 * error whose code is not listed is unexpected here and becomes `internal_error`.
 *
 * Programs branch on the code: the `type` is `about:blank`, because a library has no address where
 * pages about problems would stay. `not_found` is no such path and `webhook_not_found` no such
 * record, so that a client can tell a wrong base path from a deleted webhook.
 */
export const PROBLEMS = {
  malformed_json: { status: 400, meaning: 'The body is absent, or is not JSON.' },
  body_unreadable: { status: 400, meaning: 'The body broke off.' },
  malformed_if_match: {
    status: 400,
    meaning: '`If-Match` is neither `*` nor a list of entity tags in quotation marks.',
  },
  unauthenticated: { status: 401, meaning: 'The request carries no credential, or none that is known.' },
  forbidden: { status: 403, meaning: 'The application does not allow the user to make the request.' },
  insufficient_scope: { status: 403, meaning: 'The user lacks the scope `admin:webhooks`.' },
  cross_site: { status: 403, meaning: 'A page of another site sent the request.' },
  read_only: { status: 403, meaning: 'This installation allows no changes through this API.' },
  not_found: { status: 404, meaning: 'There is no such path, or an id in it is malformed.' },
  webhook_not_found: {
    status: HTTP_STATUS.webhook_not_found,
    meaning: 'There is no such webhook (any more).',
  },
  delivery_not_found: {
    status: HTTP_STATUS.delivery_not_found,
    meaning: 'The webhook has no such delivery (any more).',
  },
  event_not_found: { status: HTTP_STATUS.event_not_found, meaning: 'This installation knows no such event.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method: see `Allow`.',
  },
  webhook_inactive: {
    status: HTTP_STATUS.webhook_inactive,
    meaning: 'The webhook is inactive: activate it first.',
  },
  delivery_pending: { status: HTTP_STATUS.delivery_pending, meaning: 'The delivery has not ended yet.' },
  no_previous_secret: {
    status: HTTP_STATUS.no_previous_secret,
    meaning: 'No previous secret signs any more.',
  },
  precondition_failed: {
    status: HTTP_STATUS.precondition_failed,
    meaning: 'The webhook has changed since the state that `If-Match` names: read it again.',
  },
  body_too_large: { status: 413, meaning: 'The body has more than 65,536 bytes.' },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json` in UTF-8, or is compressed.',
  },
  validation_failed: {
    status: HTTP_STATUS.validation_failed,
    meaning: '`errors` names the fields or parameters that are refused.',
  },
  invalid_payload: {
    status: HTTP_STATUS.invalid_payload,
    meaning: 'The payload of a test does not fit the schema of its event; `errors` says where.',
  },
  payload_too_large: {
    status: HTTP_STATUS.payload_too_large,
    meaning: 'The schema of its event makes the payload of a test larger than 256 KiB of JSON.',
  },
  url_not_public: {
    status: HTTP_STATUS.url_not_public,
    meaning: 'The URL does not lead to a public address; `errors` says why.',
  },
  internal_error: {
    status: HTTP_STATUS.internal_error,
    meaning: 'An unexpected error, which is in the log.',
  },
  authorization_unavailable: { status: 503, meaning: 'The application cannot identify the user at present.' },
  storage_unavailable: {
    status: HTTP_STATUS.storage_unavailable,
    meaning: 'The storage does not answer, or refuses the request.',
  },
  overloaded: { status: HTTP_STATUS.overloaded, meaning: 'Too many requests are waiting for the storage.' },
  closed: { status: HTTP_STATUS.closed, meaning: 'This process is shutting down.' },
} as const;

/** The `code` member of the admin API's problem details. */
export type ProblemCode = keyof typeof PROBLEMS;

type ProblemStatus = (typeof PROBLEMS)[ProblemCode]['status'];

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
  const { code, errors, message, reopened } = error;
  if (PROBLEMS[code].status >= 500) {
    const detail = progressOf(error);
    return new AdminProblem(code, { cause: error, reopened, ...(detail === '' ? {} : { detail }) });
  }
  const detail = reopened > 0 ? `${message}. ${progressOf(error)}` : message;
  return new AdminProblem(code, { detail, errors, reopened });
}

/** Tells the client how many deliveries a recovery reopened before it failed; '' if none. */
function progressOf({ reopened }: WebhookError): string {
  return reopened > 0 ? `It stopped midway: ${reopened} deliveries are scheduled again.` : '';
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
