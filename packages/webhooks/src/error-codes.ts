/** What is known of a code besides when it is met. */
interface ErrorEntry {
  readonly status: number;
  /** The meaning to a client of the admin API. Null: the API answers `internal_error` instead. */
  readonly problem: string | null;
}

/**
 * Every code of `WebhookError`, each in one entry: when it is met, the HTTP status wherever the
 * error ends up in an answer, and what it means to a client of the admin API. Types, answers and
 * the OpenAPI document come from here. Tests compare `docs/errors.md` to it.
 */
export const ERROR_CODES = Object.freeze({
  /** An event name is not in `entity.verb` form. */
  invalid_event: { status: 500, problem: null },
  /**
   * A payload is no JSON object, or does not fit the schema of its event; `errors` then names the
   * fields.
   */
  invalid_payload: {
    status: 422,
    problem: 'The payload of a test does not fit the schema of its event; `errors` says where.',
  },
  /** A payload schema threw (`cause` holds its error) or did not answer within 10 s. */
  schema_failed: { status: 500, problem: null },
  /** A dispatch was given options that it or its storage does not know. */
  invalid_options: { status: 500, problem: null },
  /** A payload's JSON text exceeds 256 KiB. */
  payload_too_large: {
    status: 422,
    problem: 'The schema of its event makes the payload of a test larger than 256 KiB of JSON.',
  },
  /** An idempotency key is empty or longer than 255 characters. */
  invalid_idempotency_key: { status: 500, problem: null },
  /** A field has a wrong type, size or shape; `errors` says which. */
  validation_failed: { status: 422, problem: '`errors` names the fields or parameters that are refused.' },
  /** A webhook's URL does not lead to a public address. */
  url_not_public: { status: 422, problem: 'The URL does not lead to a public address; `errors` says why.' },
  /** There is no such webhook (any more). */
  webhook_not_found: { status: 404, problem: 'There is no such webhook (any more).' },
  /** There is no such delivery (any more). */
  delivery_not_found: { status: 404, problem: 'The webhook has no such delivery (any more).' },
  /** No catalog knows the event. */
  event_not_found: { status: 404, problem: 'This installation knows no such event.' },
  /** The webhook has been changed since the `updatedAt` that was expected. */
  precondition_failed: {
    status: 412,
    problem: 'The webhook has changed since the state that `If-Match` names: read it again.',
  },
  /** The webhook receives nothing until it is activated. */
  webhook_inactive: { status: 409, problem: 'The webhook is inactive: activate it first.' },
  /** There is no secret before the last rotation that still signs. */
  no_previous_secret: { status: 409, problem: 'No previous secret signs any more.' },
  /** The tenant has as many webhooks as it may; the message says how many. */
  too_many_webhooks: { status: 422, problem: 'There are as many webhooks as there may be.' },
  /**
   * A tenant has sent as many tests and redeliveries as it may, has removed too many webhooks, or
   * was removed a moment ago; see `retryAfterMs`.
   */
  rate_limited: { status: 429, problem: 'Too many calls: wait as `Retry-After` says.' },
  /** The delivery has not ended yet, and cannot be sent again before. */
  delivery_pending: { status: 409, problem: 'The delivery has not ended yet.' },
  /** The storage did not answer, or refused; `cause` says what its error said, without values. */
  storage_unavailable: { status: 503, problem: 'The storage does not answer, or refuses the request.' },
  /** The storage can't be used as it is; the message says what to run or to set. */
  storage_misconfigured: { status: 503, problem: null },
  /** The job queue did not take a job, or did not start; `cause` says why, without values. */
  queue_unavailable: { status: 503, problem: null },
  /** More dispatches are waiting for the storage than may wait. */
  overloaded: { status: 503, problem: 'Too many requests are waiting for the storage.' },
  /** The engine was closed. */
  closed: { status: 503, problem: 'This process is shutting down.' },
  /** The engine was not started, and only one that was can be drained. */
  not_started: { status: 503, problem: null },
  /** Deliveries were still due or under way when the time for draining was over. */
  drain_timeout: { status: 503, problem: null },
  /** Something unforeseen; `cause` says what, without values. */
  internal_error: { status: 500, problem: 'An unexpected error, which is in the log.' },
  /** A callback lacks a header that its signature takes. */
  signature_missing: { status: 401, problem: null },
  /** A callback's header is malformed, or there twice. */
  signature_malformed: { status: 401, problem: null },
  /** The signature is genuine, but further from the clock than the tolerance. */
  signature_stale: { status: 401, problem: null },
  /** No signature fits the body, the headers and the secret. */
  signature_mismatch: { status: 401, problem: null },
  /** The signature is genuine, but the body is no event. */
  body_malformed: { status: 400, problem: null },
} as const satisfies Readonly<Record<string, ErrorEntry>>);

/**
 * Every way in which `@acme/webhooks` refuses an input or reports a failure. The codes are part of
 * the public interface: they appear in `WebhookError.code`, and those that the admin API answers
 * as `code` in its problem details. `docs/errors.md` says where each is met, and what to do.
 */
export type WebhookErrorCode = keyof typeof ERROR_CODES;

/**
 * The codes that the admin API alone answers. `not_found` is no such path and `webhook_not_found`
 * no such record, so that a client can tell a wrong base path from a deleted webhook.
 */
// Not frozen: bundlers keep a call, and a recipient has no use for these.
export const API_CODES = {
  malformed_json: { status: 400, problem: 'The body is absent, or is not JSON.' },
  body_unreadable: { status: 400, problem: 'The body broke off.' },
  malformed_if_match: {
    status: 400,
    problem: '`If-Match` is neither `*` nor a list of entity tags in quotation marks.',
  },
  unauthenticated: { status: 401, problem: 'The request carries no credential, or none that is known.' },
  forbidden: { status: 403, problem: 'The application does not allow the user to make the request.' },
  insufficient_scope: { status: 403, problem: 'The user lacks the scope that the operation needs.' },
  cross_site: { status: 403, problem: 'A page of another site sent the request.' },
  read_only: { status: 403, problem: 'This installation allows no changes through this API.' },
  other_user: {
    status: 409,
    problem: 'The request is that of another user than `Webhooks-User` names: the browser has a new log-in.',
  },
  not_found: { status: 404, problem: 'There is no such path, or an id in it is malformed.' },
  method_not_allowed: { status: 405, problem: 'The path exists, but not with this method: see `Allow`.' },
  body_too_large: { status: 413, problem: 'The body has more than 65,536 bytes.' },
  unsupported_media_type: {
    status: 415,
    problem: 'The body is not `application/json` in UTF-8, or is compressed.',
  },
  authorization_unavailable: { status: 503, problem: 'The application cannot identify the user at present.' },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

/** The `code` member of the admin API's problem details. */
export type ProblemCode =
  | keyof typeof API_CODES
  | {
      [Code in WebhookErrorCode]: (typeof ERROR_CODES)[Code] extends { problem: string } ? Code : never;
    }[WebhookErrorCode];
