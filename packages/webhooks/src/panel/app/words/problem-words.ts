import { ApiError, type FieldProblem } from '../api/api-error.ts';

const WORDS: Readonly<Record<string, string>> = {
  unreachable: 'The server cannot be reached. Check your connection, then try again.',
  unexpected: 'The server gave an answer that does not come from the webhook API. Try again in a moment.',
  session_ended: 'Your session has ended. Log in again; what you entered is kept.',
  insufficient_scope: 'Your account may not manage webhooks: it lacks the scope admin:webhooks.',
  forbidden: 'Your account may not do this.',
  read_only: 'Nothing can be changed here at the moment: the administration is read-only.',
  cross_site:
    'The server refused this request as coming from another site. Open this page by its usual address.',
  webhook_not_found: 'This webhook does not exist any more.',
  delivery_not_found: 'This delivery does not exist any more.',
  not_found: 'This does not exist any more.',
  webhook_inactive: 'The webhook is paused. Activate it first.',
  delivery_pending: 'This delivery is still under way. Wait until it has ended.',
  precondition_failed:
    'Somebody else has changed this webhook meanwhile. It is shown as it is now: look at it, then try again.',
  url_not_public: 'Webhooks only go to public addresses, and this is not one.',
  validation_failed: 'Something in what you entered is not right.',
  storage_unavailable:
    'The database does not answer at the moment. Nothing was changed. Try again in a moment.',
  authorization_unavailable: 'It cannot be checked right now who you are. Try again in a moment.',
  overloaded: 'The service is very busy. Try again in a moment.',
  closed: 'The service is restarting. Try again in a moment.',
  internal_error: 'Something went wrong on the server. Try again; the operator finds the reason in its log.',
};

/** Says why something did not work. */
export function problemWords(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Load it again.';
  const words = Object.hasOwn(WORDS, error.code) ? WORDS[error.code] : undefined;
  return words ?? (error.message || `The server refused this (${error.code}).`);
}

/** The refused fields that belong to one field of a form, `events[2]` to `events`, in one sentence. */
export function fieldWords(error: unknown, field: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const own = error.fields.filter((problem) => problem.field.replace(/\[.*$/, '') === field);
  return own.length === 0 ? null : [...new Set(own.map(fieldSentence))].join(' ');
}

function fieldSentence({ code, message }: FieldProblem): string {
  if (code === 'url_not_public' && message.includes('public address')) {
    return 'Webhooks only go to public addresses. Enter an http or https URL that is reachable from the internet.';
  }
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}
