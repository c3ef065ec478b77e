import { printWithout } from '../../toolkit/src/print-without.ts';
import { ERROR_CODES, type WebhookErrorCode } from './error-codes.ts';

/**
 * One refused field of an input.
 *
 * `field` is a path such as `events[2]`, '' for the input itself. `code` is one of `required`,
 * `invalid_type`, `too_small`, `too_big`, `invalid_value`, `unknown_field`, `invalid_pattern`,
 * `invalid_cursor`, `invalid_url`, `url_not_public`, `local_name`, `https_required`, `user_info`,
 * `port_not_allowed`, `masked_url`; `message` is for people and may change. `max` is the bound of
 * what is `too_big`.
 */
export interface FieldError {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  readonly max?: number;
}

/** What a `WebhookError` carries beside its code and message. */
export interface WebhookErrorOptions {
  readonly cause?: unknown;
  /**
   * The refused fields, at least one if the code is `validation_failed` or `url_not_public`; of
   * a payload, if it does not fit the schema of its event.
   */
  readonly errors?: readonly FieldError[];
  readonly reopened?: number;
  readonly retryAfterMs?: number;
}

const brand: unique symbol = Symbol.for('@acme/webhooks/error');

/**
 * The one error class of this package: a stable `code` for programs, a message for people.
 *
 * Messages name fields and bounds; they never carry a secret, a payload or a resolved address.
 * Recognise it with {@link isWebhookError}, which also works across two installed copies of the
 * package.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;
  readonly errors: readonly FieldError[];
  /**
   * How many deliveries a `recover` that failed midway had reopened: they are on their way. 0 of
   * all other errors.
   */
  readonly reopened: number;

  /** When the call may succeed, in milliseconds from now: of `rate_limited`, else 0. */
  readonly retryAfterMs: number;

  constructor(code: WebhookErrorCode, message: string, options: WebhookErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? [];
    this.reopened = options.reopened ?? 0;
    this.retryAfterMs = options.retryAfterMs ?? 0;
    if (this.reopened === 0) printWithout<WebhookError>(this, ['reopened']);
    if (this.retryAfterMs === 0) printWithout<WebhookError>(this, ['retryAfterMs']);
  }

  /**
   * The HTTP status to answer the error with. A mistake of the application itself, such as the name
   * of an event, is 500.
   */
  get status(): (typeof ERROR_CODES)[WebhookErrorCode]['status'] {
    return ERROR_CODES[this.code].status;
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

/** Tells whether `error` is a {@link WebhookError}, of the given code if one is named. */
export function isWebhookError(error: unknown, code?: WebhookErrorCode): error is WebhookError {
  try {
    if (typeof error !== 'object' || error === null || !(brand in error)) return false;
    return code === undefined || ('code' in error && error.code === code);
  } catch {
    // A proxy whose traps throw is not our error.
    return false;
  }
}
