import { printWithout } from '../../toolkit/src/print-without.ts';

/**
 * Every way in which `@acme/webhooks` refuses an input or reports a failure. The codes are part of
 * the public interface: they appear in `WebhookError.code` and as `code` in the admin API's problem
 * details.
 *
 * - `invalid_event`: an event name is not in `entity.verb` form.
 * - `invalid_payload`: a payload is no JSON object, or does not fit the schema of its event;
 *   `errors` then says where.
 * - `schema_failed`: a payload schema threw (`cause` holds its error) or did not answer within 10
 *   s.
 * - `invalid_options`: a dispatch was given options that it or its storage does not know.
 * - `payload_too_large`: a payload's JSON text exceeds 256 KiB.
 * - `invalid_idempotency_key`: an idempotency key is empty or longer than 255 characters.
 * - `validation_failed`: a field has a wrong type, size or shape; `errors` says which.
 * - `url_not_public`: a webhook's URL does not lead to a public address.
 * - `webhook_not_found`, `delivery_not_found`: no such record (any more).
 * - `event_not_found`: no catalog knows the event.
 * - `precondition_failed`: the webhook has been changed since the `updatedAt` that was expected.
 * - `webhook_inactive`: the webhook receives nothing until it is activated.
 * - `no_previous_secret`: there is no secret before the last rotation that still signs.
 * - `delivery_pending`: the delivery has not ended, so it can't be sent again yet.
 * - `storage_unavailable`: the storage did not answer, or refused; `cause` says what its error
 *   said, without values.
 * - `storage_misconfigured`: the storage can't be used as it is; the message says what to run or to
 *   set.
 * - `queue_unavailable`: the job queue did not take a job, or did not start; `cause` says why,
 *   without values.
 * - `overloaded`: more dispatches are waiting for the storage than may wait.
 * - `closed`: the engine was closed.
 * - `not_started`: the engine was not started, and only one that was can be drained.
 * - `drain_timeout`: deliveries were still due or under way when the time for draining was over.
 * - `internal_error`: something unforeseen; `cause` says what, without values.
 * - `signature_missing`, `signature_malformed`, `signature_stale`, `signature_mismatch`,
 *   `body_malformed`: why a recipient's `verify` refuses a callback.
 */
export type WebhookErrorCode =
  | 'invalid_event'
  | 'invalid_payload'
  | 'schema_failed'
  | 'invalid_options'
  | 'payload_too_large'
  | 'invalid_idempotency_key'
  | 'validation_failed'
  | 'url_not_public'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'event_not_found'
  | 'precondition_failed'
  | 'webhook_inactive'
  | 'no_previous_secret'
  | 'delivery_pending'
  | 'storage_unavailable'
  | 'storage_misconfigured'
  | 'queue_unavailable'
  | 'overloaded'
  | 'closed'
  | 'not_started'
  | 'drain_timeout'
  | 'internal_error'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_stale'
  | 'signature_mismatch'
  | 'body_malformed';

/** The HTTP status of each code, wherever the error ends up in an answer. */
export const HTTP_STATUS = Object.freeze({
  invalid_event: 500,
  invalid_payload: 422,
  schema_failed: 500,
  invalid_options: 500,
  payload_too_large: 422,
  invalid_idempotency_key: 500,
  validation_failed: 422,
  url_not_public: 422,
  webhook_not_found: 404,
  delivery_not_found: 404,
  event_not_found: 404,
  precondition_failed: 412,
  webhook_inactive: 409,
  no_previous_secret: 409,
  delivery_pending: 409,
  storage_unavailable: 503,
  storage_misconfigured: 503,
  queue_unavailable: 503,
  overloaded: 503,
  closed: 503,
  not_started: 503,
  drain_timeout: 503,
  internal_error: 500,
  signature_missing: 401,
  signature_malformed: 401,
  signature_stale: 401,
  signature_mismatch: 401,
  body_malformed: 400,
} as const satisfies Record<WebhookErrorCode, number>);

/**
 * One refused field of an input.
 *
 * `field` is a path such as `events[2]`, '' for the input itself. `code` is one of `required`,
 * `invalid_type`, `too_small`, `too_big`, `invalid_value`, `unknown_field`, `invalid_pattern`,
 * `invalid_cursor`, `invalid_url`, `url_not_public`, `local_name`, `https_required`, `user_info`,
 * `port_not_allowed`; `message` is for people and may change. `max` is the bound of what is
 * `too_big`.
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
   * The refused fields, at least one where the code is `validation_failed` or `url_not_public`; of
   * a payload, where it does not fit the schema of its event.
   */
  readonly errors?: readonly FieldError[];
  readonly reopened?: number;
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

  constructor(code: WebhookErrorCode, message: string, options: WebhookErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? [];
    this.reopened = options.reopened ?? 0;
    if (this.reopened === 0) printWithout<WebhookError>(this, ['reopened']);
  }

  /**
   * The HTTP status to answer the error with. A mistake of the application itself, such as the name
   * of an event, is 500.
   */
  get status(): (typeof HTTP_STATUS)[WebhookErrorCode] {
    return HTTP_STATUS[this.code];
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

/** Tells whether `error` is a {@link WebhookError}, of the given code where one is named. */
export function isWebhookError(error: unknown, code?: WebhookErrorCode): error is WebhookError {
  try {
    if (typeof error !== 'object' || error === null || !(brand in error)) return false;
    return code === undefined || ('code' in error && error.code === code);
  } catch {
    // A proxy whose traps throw is none of ours.
    return false;
  }
}
