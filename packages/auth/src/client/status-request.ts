import { readRetryAfter } from '../../../toolkit/src/retry-after.ts';
import type { Abort, Browser, HttpResponse } from './browser.ts';
import { type PollOutcome, readSessionStatus } from './poll-outcome.ts';

/** From sending the first request to the last byte of the answer. */
export const REQUEST_TIMEOUT_MS = 15_000;
/** A server that asks for longer is asked again after an hour. */
const MAX_RETRY_AFTER_MS = 3_600_000;

export interface StatusRequest {
  readonly url: string;
  readonly credentials: 'same-origin' | 'include';
  /** Ends the request from outside: the page goes away, the poll was stopped. */
  readonly abort: Abort;
  /** How many polls in a row failed before this one. */
  readonly failures: number;
}

/**
 * Asks the status endpoint.
 *
 * Only a 401 says that the session is over, and only once it has come twice: the first may have set
 * the cookie to ask with (`refresh_again`), or a log-in in another tab has overtaken it. Every
 * other answer, a 403 or a redirect to a log-in page included, and none at all, says nothing about
 * it and is a failure to be repeated. Never rejects.
 */
export async function requestStatus(browser: Browser, request: StatusRequest): Promise<PollOutcome> {
  const { url, credentials, abort, failures } = request;
  let sentAt = Date.now();
  const timer = browser.setTimeout(() => abort.abort(), REQUEST_TIMEOUT_MS);
  let status = 0;
  let retryAfterMs = 0;
  const ask = () =>
    browser.fetch(url, {
      method: 'POST',
      credentials,
      cache: 'no-store',
      redirect: 'error',
      headers: { accept: 'application/json' },
      signal: abort.signal,
    });
  try {
    let response = await ask();
    if (response.status === 401) {
      sentAt = Date.now();
      response = await ask();
    }
    if (response.status === 401) return { kind: 'revoked', sentAt };
    if (response.ok) {
      const session = readSessionStatus(await response.json());
      if (session !== undefined) return { kind: 'refreshed', sentAt, session };
    } else {
      ({ status } = response);
      retryAfterMs = readPause(response);
    }
  } catch {
    // No network, no answer in time, no JSON: nothing that the browser tells us more about.
  } finally {
    browser.clearTimeout(timer);
  }
  return { kind: 'failed', sentAt, failure: { status, failures: failures + 1 }, retryAfterMs };
}

/**
 * The statuses with which a server may ask for a pause: RFC 6585 section 4, RFC 9110 section
 * 15.6.4.
 */
function readPause({ status, headers }: HttpResponse): number {
  if (status !== 429 && status !== 503) return 0;
  return readRetryAfter(headers.get('retry-after'), headers.get('date'), Date.now(), MAX_RETRY_AFTER_MS) ?? 0;
}
