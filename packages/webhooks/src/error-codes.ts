/**
 * Every code of `WebhookError`, each in one row: when it is met, and the HTTP status wherever the
 * error ends up in an answer. A test compares `docs/errors.md` to it.
 */
export const ERROR_CODES = Object.freeze({
  /** An event name is not in `entity.verb` form. */
  invalid_event: { status: 500 },
  /**
   * A payload is no JSON object, or does not fit the schema of its event; `errors` then names the
   * fields.
   */
  invalid_payload: { status: 422 },
  /** A payload schema threw (`cause` holds its error) or did not answer within 10 s. */
  schema_failed: { status: 500 },
  /** A dispatch was given options that it or its storage does not know. */
  invalid_options: { status: 500 },
  /** A payload's JSON text exceeds 256 KiB. */
  payload_too_large: { status: 422 },
  /** An idempotency key is empty or longer than 255 characters. */
  invalid_idempotency_key: { status: 500 },
  /** A field has a wrong type, size or shape; `errors` says which. */
  validation_failed: { status: 422 },
  /** A webhook's URL does not lead to a public address. */
  url_not_public: { status: 422 },
  /** There is no such webhook (any more). */
  webhook_not_found: { status: 404 },
  /** There is no such delivery (any more). */
  delivery_not_found: { status: 404 },
  /** No catalog knows the event. */
  event_not_found: { status: 404 },
  /** The webhook has been changed since the `updatedAt` that was expected. */
  precondition_failed: { status: 412 },
  /** The webhook receives nothing until it is activated. */
  webhook_inactive: { status: 409 },
  /** There is no secret before the last rotation that still signs. */
  no_previous_secret: { status: 409 },
  /** The tenant has as many webhooks as it may; the message says how many. */
  too_many_webhooks: { status: 422 },
  /**
   * A tenant has sent as many tests and redeliveries as it may, has removed too many webhooks, or
   * was removed a moment ago; see `retryAfterMs`.
   */
  rate_limited: { status: 429 },
  /** The delivery has not ended yet, and cannot be sent again before. */
  delivery_pending: { status: 409 },
  /** The storage did not answer, or refused; `cause` says what its error said, without values. */
  storage_unavailable: { status: 503 },
  /** The storage can't be used as it is; the message says what to run or to set. */
  storage_misconfigured: { status: 503 },
  /** The job queue did not take a job, or did not start; `cause` says why, without values. */
  queue_unavailable: { status: 503 },
  /** More dispatches are waiting for the storage than may wait. */
  overloaded: { status: 503 },
  /** The engine was closed. */
  closed: { status: 503 },
  /** The engine was not started, and only one that was can be drained. */
  not_started: { status: 503 },
  /** Deliveries were still due or under way when the time for draining was over. */
  drain_timeout: { status: 503 },
  /** Something unforeseen; `cause` says what, without values. */
  internal_error: { status: 500 },
  /** A callback lacks a header that its signature takes. */
  signature_missing: { status: 401 },
  /** A callback's header is malformed, or there twice. */
  signature_malformed: { status: 401 },
  /** The signature is genuine, but further from the clock than the tolerance. */
  signature_stale: { status: 401 },
  /** No signature fits the body, the headers and the secret. */
  signature_mismatch: { status: 401 },
  /** The signature is genuine, but the body is no event. */
  body_malformed: { status: 400 },
} as const satisfies Readonly<Record<string, { readonly status: number }>>);

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
  malformed_json: { status: 400 },
  body_unreadable: { status: 400 },
  malformed_if_match: { status: 400 },
  unauthenticated: { status: 401 },
  forbidden: { status: 403 },
  insufficient_scope: { status: 403 },
  cross_site: { status: 403 },
  read_only: { status: 403 },
  other_user: { status: 409 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  body_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  authorization_unavailable: { status: 503 },
} as const satisfies Readonly<Record<string, { readonly status: number }>>;

/** What each code that the API answers means to a client. An error with another code is `internal_error` there. */
export const PROBLEM_WORDS = {
  invalid_payload: 'The payload of a test does not fit the schema of its event; `errors` says where.',
  payload_too_large: 'The schema of its event makes the payload of a test larger than 256 KiB of JSON.',
  validation_failed: '`errors` names the fields or parameters that are refused.',
  url_not_public: 'The URL does not lead to a public address; `errors` says why.',
  webhook_not_found: 'There is no such webhook (any more).',
  delivery_not_found: 'The webhook has no such delivery (any more).',
  event_not_found: 'This installation knows no such event.',
  precondition_failed: 'The webhook has changed since the state that `If-Match` names: read it again.',
  webhook_inactive: 'The webhook is inactive: activate it first.',
  no_previous_secret: 'No previous secret signs any more.',
  too_many_webhooks: 'There are as many webhooks as there may be.',
  rate_limited: 'Too many calls: wait as `Retry-After` says.',
  delivery_pending: 'The delivery has not ended yet.',
  storage_unavailable: 'The storage does not answer, or refuses the request.',
  overloaded: 'Too many requests are waiting for the storage.',
  closed: 'This process is shutting down.',
  internal_error: 'An unexpected error, which is in the log.',
  malformed_json: 'The body is absent, or is not JSON.',
  body_unreadable: 'The body broke off.',
  malformed_if_match: '`If-Match` is neither `*` nor a list of entity tags in quotation marks.',
  unauthenticated: 'The request carries no credential, or none that is known.',
  forbidden: 'The application does not allow the user to make the request.',
  insufficient_scope: 'The user lacks the scope that the operation needs.',
  cross_site: 'A page of another site sent the request.',
  read_only: 'This installation allows no changes through this API.',
  other_user: 'The request is that of another user than `Webhooks-User` names: the browser has a new log-in.',
  not_found: 'There is no such path, or an id in it is malformed.',
  method_not_allowed: 'The path exists, but not with this method: see `Allow`.',
  body_too_large: 'The body has more than 65,536 bytes.',
  unsupported_media_type: 'The body is not `application/json` in UTF-8, or is compressed.',
  authorization_unavailable: 'The application cannot identify the user at present.',
} as const satisfies { readonly [Code in WebhookErrorCode | keyof typeof API_CODES]?: string };

/** The `code` member of the admin API's problem details. */
export type ProblemCode = keyof typeof PROBLEM_WORDS;

/** What the panel says. The others are answers to requests which it never sends. */
export const PANEL_WORDS = {
  invalid_payload: 'The payload does not fit the schema of its event.',
  payload_too_large: 'The schema of its event makes the payload larger than 256 KiB.',
  validation_failed: 'Some of what you entered is not valid.',
  url_not_public: 'Webhooks only go to public addresses, and this is not one.',
  webhook_not_found: 'This webhook no longer exists.',
  delivery_not_found: 'This delivery no longer exists.',
  event_not_found: 'This application does not know the event.',
  precondition_failed:
    'Somebody else has changed this webhook. The page shows its current state: check it, then try again.',
  webhook_inactive: 'The webhook is paused. Activate it first.',
  no_previous_secret: 'No earlier signing secret is in use any more.',
  too_many_webhooks: 'There are as many webhooks as there may be. Remove one first.',
  rate_limited: 'Too many tests and redeliveries within a minute. Try again shortly.',
  delivery_pending: 'This delivery is still pending. Wait for its end.',
  storage_unavailable: 'The database does not answer at present. Try again shortly.',
  overloaded: 'The service is very busy. Try again shortly.',
  closed: 'The service is restarting. Try again shortly.',
  internal_error: 'Something went wrong on the server. Try again; its log has the reason.',
  forbidden: 'Your account may not do this.',
  insufficient_scope: 'Your account may not manage webhooks: it lacks the scope admin:webhooks.',
  cross_site: 'The request seems to come from another site. Open this page at its usual address.',
  read_only: 'Nothing can be changed here at present: the administration is read-only.',
  other_user: 'Another user has logged in meanwhile. Nothing was changed: load this page again.',
  not_found: 'This no longer exists.',
  authorization_unavailable: 'Your identity cannot be verified at present. Try again shortly.',
} as const satisfies { readonly [Code in ProblemCode]?: string };
