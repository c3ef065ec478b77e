import { PANEL_WORDS } from '../../error-codes.ts';

/** Why a request to the API failed, by the `code` of its answer, and what the panel says of itself. */
export const PROBLEM_TEXTS = {
  unreachable: 'The server cannot be reached. Check your connection, then try again.',
  unexpected: 'The server gave an answer that does not come from the webhook API. Try again shortly.',
  session_ended: 'Your session has ended. Log in again; what you entered is kept.',
  ...PANEL_WORDS,
} as const;

/** Problems without a row of their own in {@link PROBLEM_TEXTS}, and those of one field. */
export const REFUSAL_TEXTS = {
  pageFailed: 'Something went wrong on this page. Load it again.',
  unknownCode: 'The server refused this ({code}).',
  fieldUrlLocalName:
    'This name leads to a machine or network of your own, as localhost does. Webhooks only go to public addresses. In development, enter an IP address that the operator allows, such as 127.0.0.1.',
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
