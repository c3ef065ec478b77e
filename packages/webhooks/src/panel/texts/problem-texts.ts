import type { ProblemCode } from '../../error-codes.ts';

/** Codes that only requests which the panel never sends are answered with. */
type UnmetCode =
  | 'malformed_json'
  | 'body_unreadable'
  | 'malformed_if_match'
  | 'unauthenticated'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type';

/** What the panel says of itself. */
type PanelCode = 'unreachable' | 'unexpected' | 'session_ended';

/** Why a request to the API failed, by the `code` of its answer. */
export const PROBLEM_TEXTS = {
  unreachable: 'The server cannot be reached. Check your connection, then try again.',
  unexpected: 'The server gave an answer that does not come from the webhook API. Try again shortly.',
  session_ended: 'Your session has ended. Log in again; what you entered is kept.',
  insufficient_scope: 'Your account may not manage webhooks: it lacks the scope admin:webhooks.',
  forbidden: 'Your account may not do this.',
  read_only: 'Nothing can be changed here at present: the administration is read-only.',
  cross_site:
    'The server refused this request because it seems to come from another site. Open this page at its usual address.',
  other_user: 'Another user has logged in meanwhile. Nothing was changed: load this page again.',
  webhook_not_found: 'This webhook no longer exists.',
  delivery_not_found: 'This delivery no longer exists.',
  event_not_found: 'This application does not know the event.',
  not_found: 'This no longer exists.',
  webhook_inactive: 'The webhook is paused. Activate it first.',
  no_previous_secret: 'No earlier signing secret is in use any more.',
  rate_limited: 'Too many tests and redeliveries within a minute. Wait a moment, then try again.',
  too_many_webhooks: 'There are as many webhooks as there may be. Remove one that is no longer needed first.',
  delivery_pending: 'This delivery is still pending. Wait until it has ended.',
  precondition_failed:
    'Somebody else has changed this webhook in the meantime. The page shows its current state: check it, then try again.',
  url_not_public: 'Webhooks only go to public addresses, and this is not one.',
  invalid_payload: 'The payload does not fit the schema of its event.',
  payload_too_large: 'The schema of its event makes the payload larger than 256 KiB.',
  validation_failed: 'Some of what you entered is not valid.',
  storage_unavailable: 'The database does not answer at present. Try again shortly.',
  authorization_unavailable: 'Your identity cannot be verified at present. Try again shortly.',
  overloaded: 'The service is very busy. Try again shortly.',
  closed: 'The service is restarting. Try again shortly.',
  internal_error:
    'Something went wrong on the server. Try again; the operator can find the reason in its log.',
} as const satisfies Readonly<Record<Exclude<ProblemCode, UnmetCode> | PanelCode, string>>;

/** Problems without a row of their own in {@link PROBLEM_TEXTS}, and those of one field. */
export const REFUSAL_TEXTS = {
  pageFailed: 'Something went wrong on this page. Load it again.',
  unknownCode: 'The server refused this ({code}).',
  fieldUrlLocalName:
    'This name leads to a machine or network of your own, as localhost does. Webhooks only go to public addresses. In development, enter an IP address that the operator allows, such as 127.0.0.1, in place of the name.',
  fieldUrlNotPublic:
    'Webhooks only go to public addresses. Enter an http or https URL that is reachable from the internet.',
  fieldUrlInvalid: 'This is not a complete http or https URL.',
  fieldUrlHttps: 'The URL must begin with https://.',
  fieldUrlUserInfo: 'The URL must not carry a user name or password.',
  fieldUrlPort: 'This port is not allowed: use 80, 443 or a port above 1023.',
  fieldUrlMasked: 'A part of this URL is hidden: enter it whole, without ***.',
  fieldMaxPerMinute: 'Enter a whole number from 1 to 60,000, or nothing.',
  fieldRequired: 'This is required.',
  fieldPattern: 'A pattern is *, the beginning of a name with .* after it, or an exact event name.',
  fieldTooMany: 'These are too many: at most {max}.',
  fieldTooLong: 'This is too long: at most {max} characters.',
  fieldUnknownEvent: 'This application does not know the event.',
} as const;
