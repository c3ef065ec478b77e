import { readRetryAfter } from '../../../toolkit/src/retry-after.ts';
import type { Abort, Browser, HttpResponse } from './browser.ts';

/** From sending the first request to the last byte of the answer. */
const REQUEST_TIMEOUT_MS = 15_000;
/** A server that asks for longer is asked again after an hour. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** The answer of the status endpoint for a live session. */
export interface SessionStatus {
  /** Whose session it is. After a log-in in another tab it may be another user than before. */
  readonly uid: string;
  /** What the user may do now: scopes are read again at every poll. */
  readonly scopes: readonly string[];
  /** When the new access token expires, in Unix seconds of the server's clock. */
  readonly expiresAt: number;
  /** What the server's clock showed: the difference to `expiresAt` is right on any machine. */
  readonly serverTime: number;
}

/** The reason why the state of the session is unknown for now. The poll continues by itself. */
export interface PollFailure {
  /** The HTTP status, or 0 without an answer that could be understood: no network, no JSON. */
  readonly status: number;
  /** How many polls in a row failed, this one included. */
  readonly failures: number;
}

/** What a request brought. A tab sends it to the other tabs as it is. */
export interface StatusAnswer {
  /** When it was sent, in milliseconds of this machine's clock, which all its tabs share. */
  readonly sentAt: number;
  /** 0 if there was no answer. */
  readonly status: number;
  /** The parsed body of a 200. */
  readonly body: unknown;
  /** The pause that the server asked for, in ms; 0 for none. */
  readonly retryAfterMs: number;
}

/** How one poll ended. */
export type PollOutcome = { readonly sentAt: number } & (
  | { readonly kind: 'refreshed'; readonly session: SessionStatus }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'failed'; readonly failure: PollFailure; readonly retryAfterMs: number }
);

/**
 * Asks the status endpoint. Never rejects.
 *
 * A 401 counts only once it has come twice: the first may have set the cookie to ask with
 * (`refresh_again`), or a log-in in another tab has overtaken it.
 */
export async function requestStatus(browser: Browser, url: string, abort: Abort): Promise<StatusAnswer> {
  const timer = browser.setTimeout(() => abort.abort(), REQUEST_TIMEOUT_MS);
  const headers = { accept: 'application/json' };
  const { signal } = abort;
  const ask = () =>
    browser.fetch(url, {
      method: 'POST',
      credentials: 'include',
      cache: 'no-store',
      redirect: 'error',
      headers,
      signal,
    });
  let sentAt = Date.now();
  try {
    let response = await ask();
    if (response.status === 401) {
      sentAt = Date.now();
      response = await ask();
    }
    const { status } = response;
    const body = status === 200 ? await response.json() : undefined;
    return { sentAt, status, body, retryAfterMs: readPause(response) };
  } catch {
    // No network, no answer in time, no JSON: nothing that the browser tells us more about.
    return { sentAt, status: 0, body: undefined, retryAfterMs: 0 };
  } finally {
    browser.clearTimeout(timer);
  }
}

/**
 * Reads an answer, or a message that another tab or any script of the origin has sent. Returns
 * `undefined` for a message of another shape.
 *
 * Only a 401 says that the session is over. Every other answer, a 403 or a redirect to a log-in
 * page included, and none at all, is a failure to be repeated.
 *
 * @param failures how many polls in a row failed before this one
 */
export function readOutcome(answer: unknown, failures: number): PollOutcome | undefined {
  const { sentAt, status, body, retryAfterMs } = membersOf(answer);
  if (!isNumber(sentAt) || !isNumber(status) || !isNumber(retryAfterMs)) return undefined;
  if (status === 401) return { kind: 'revoked', sentAt };
  const session = status === 200 ? readSession(body) : undefined;
  if (session !== undefined) return { kind: 'refreshed', sentAt, session };
  const failure = { status: status === 200 ? 0 : status, failures: failures + 1 };
  return { kind: 'failed', sentAt, failure, retryAfterMs };
}

function readSession(body: unknown): SessionStatus | undefined {
  const { uid, scopes, expires_at: expiresAt, server_time: serverTime } = membersOf(body);
  if (typeof uid !== 'string' || !isTextList(scopes)) return undefined;
  if (!isNumber(expiresAt) || !isNumber(serverTime)) return undefined;
  return Object.freeze({ uid, scopes: Object.freeze([...scopes]), expiresAt, serverTime });
}

/** RFC 6585 section 4 and RFC 9110 section 15.6.4: the statuses that may ask for a pause. */
function readPause({ status, headers }: HttpResponse): number {
  if (status !== 429 && status !== 503) return 0;
  return readRetryAfter(headers.get('retry-after'), headers.get('date'), Date.now(), MAX_RETRY_AFTER_MS) ?? 0;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
