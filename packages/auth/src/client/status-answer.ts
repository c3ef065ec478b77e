import { readRetryAfter } from '../../../toolkit/src/retry-after.ts';
import type { Abort, Browser } from './browser.ts';

/** From sending the first request to the last byte of the answer. */
const REQUEST_TIMEOUT_MS = 15_000;
/** However long a token lives, and whatever a server asks for. */
export const MAX_DELAY_MS = 3_600_000;

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

/** How one poll ended. */
export interface PollOutcome {
  readonly kind: 'refreshed' | 'revoked' | 'failed';
  /** In ms of the machine's clock, which all its tabs share. */
  readonly sentAt: number;
  /** For how long the server asked to be left alone. */
  readonly pauseMs: number;
  readonly session?: SessionStatus;
  readonly failure?: PollFailure;
}

/**
 * Asks the status endpoint, after so many failures in a row. Never rejects.
 *
 * Only a 401 says that the session is over, and only once it has come twice: the first may have set
 * the cookie to ask with (`refresh_again`), or a log-in in another tab has overtaken it.
 */
export async function askStatus(
  browser: Browser,
  url: string,
  abort: Abort,
  failures: number,
): Promise<PollOutcome> {
  const timer = browser.setTimeout(() => abort.abort(), REQUEST_TIMEOUT_MS);
  const { signal } = abort;
  const request = { method: 'POST', credentials: 'include', cache: 'no-store', redirect: 'error', signal };
  const sent = { sentAt: Date.now(), pauseMs: 0 };
  const failed = (status: number, pauseMs = 0): PollOutcome => {
    return { kind: 'failed', ...sent, pauseMs, failure: { status, failures: failures + 1 } };
  };
  try {
    let response = await browser.fetch(url, request);
    if (response.status === 401) response = await browser.fetch(url, request);
    const { status, headers } = response;
    if (status === 401) return { kind: 'revoked', ...sent };
    if (status === 200) return { kind: 'refreshed', ...sent, session: readSession(await response.json()) };
    // RFC 6585 section 4 and RFC 9110 section 15.6.4: the statuses that may ask for a pause.
    const retryAfter = status === 429 || status === 503 ? headers.get('retry-after') : null;
    return failed(status, readRetryAfter(retryAfter, headers.get('date'), Date.now(), MAX_DELAY_MS));
  } catch {
    // No network, no answer in time, another body: nothing that the browser tells us more about.
    return failed(0);
  } finally {
    browser.clearTimeout(timer);
  }
}

/** @throws Error if the body is not that of the status endpoint */
function readSession(body: unknown): SessionStatus {
  const { uid, scopes, expires_at: expiresAt, server_time: serverTime } = body as Record<string, unknown>;
  const isKnown = typeof uid === 'string' && Array.isArray(scopes);
  if (isKnown && typeof expiresAt === 'number' && typeof serverTime === 'number') {
    return { uid, scopes, expiresAt, serverTime };
  }
  throw new Error('not an answer of the status endpoint');
}
