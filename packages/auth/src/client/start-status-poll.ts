import { type Browser, currentBrowser } from './browser.ts';
import type { PollFailure, SessionStatus } from './status-answer.ts';
import { type PollerSettings, type PollResult, StatusPoller } from './status-poller.ts';

const DEFAULT_INTERVAL_MS = 60_000;
const MIN_INTERVAL_MS = 100;
const MAX_INTERVAL_MS = 3_600_000;

/** Options of {@link startStatusPoll}. An unknown one is refused. */
export interface StatusPollOptions {
  /**
   * The status endpoint, `<cookiePath>/auth/status`, absolute or relative to the page. One on
   * another origin of the same site has this page's origin in `trustedOrigins`, and allows it by
   * CORS with credentials.
   */
  readonly url: string;
  /** Time between two polls of a visible page, 100–3,600,000 ms. Default 60,000. */
  readonly intervalMs?: number | undefined;
  /**
   * Called in every tab after each poll that found the session alive. After a log-in in another
   * tab `uid` may be another than before.
   */
  readonly onRefreshed?: ((session: SessionStatus) => void) | undefined;
  /**
   * Called once in every tab when the server answers 401: logged out here or elsewhere, revoked,
   * expired, disabled, or never logged in. The poll has then stopped; after a new log-in, start
   * another.
   */
  readonly onRevoked?: (() => void) | undefined;
  /** Called in every tab when a poll told nothing: any answer but 200 and 401, or none in 15 s. */
  readonly onFailed?: ((failure: PollFailure) => void) | undefined;
  /**
   * What a hidden tab does when no visible one polls: `keep-alive` (default) polls once in the life
   * of an access token, shortly before it expires; `pause` does not poll until it is shown.
   */
  readonly whileHidden?: 'keep-alive' | 'pause' | undefined;
}

/** A running poll. */
export interface StatusPoll {
  /** Ends the poll in this tab: no request, no callback after this. Idempotent. */
  stop(): void;

  /**
   * Polls at once and tells how it ended; every tab's callbacks are called as ever. Never rejects.
   *
   * The request is sent after this call: after a log-out it ends the session in every tab. Calls
   * that come while one is under way share one more. It does not poll within a pause that the
   * server asked for (`failed`), nor after the poll has ended (`revoked`, `stopped`).
   */
  pollNow(): Promise<PollResult>;
}

/**
 * Keeps the session of a page alive, and tells when it is over: polls the status endpoint, which
 * renews the access token cookie.
 *
 * ```ts
 * const poll = startStatusPoll({
 *   url: '/api/admin/auth/status',
 *   onRefreshed: ({ uid, scopes }) => show(uid, scopes),
 *   onRevoked: () => location.assign('/login'),
 * });
 * ```
 *
 * - Polls at the start, then after 90–100 % of `intervalMs`, at once when the tab is shown again or
 *   comes online, and before the access token expires, by the server's clock. Never while offline.
 * - The tabs of a browser that poll the same URL share one rhythm: one polls, all get the
 *   callbacks. When it is closed, crashes or is frozen, another goes on within 15 % of the
 *   interval. Never two requests at once: in a secure context in the whole browser, elsewhere
 *   (plain HTTP has no Web Locks) in a tab. Rarely, a second tab polls right after the first.
 * - A 401 ends it, in every tab. After other failures it polls after a twelfth of the interval,
 *   then twice that and so on up to five intervals, and no earlier than `Retry-After` of a 429 or
 *   503 says, up to an hour.
 * - Two polls of a tab are at least 1 s apart (a quarter of a shorter interval), starts and calls
 *   of `pollNow` excepted.
 *
 * It stores nothing and sees no token: the cookies are HttpOnly. An error that a callback throws is
 * reported as an uncaught one and does not end the poll.
 *
 * @throws TypeError naming the first option that is unknown or out of bounds, or if there is no
 *   page
 */
export function startStatusPoll(options: StatusPollOptions): StatusPoll {
  const browser = currentBrowser('startStatusPoll');
  const poller = new StatusPoller(browser, resolveOptions(browser, options));
  return Object.freeze({ stop: () => poller.stop(), pollNow: () => poller.pollNow() });
}

function resolveOptions(browser: Browser, options: StatusPollOptions): PollerSettings {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('startStatusPoll needs an options object');
  }
  const { url, intervalMs = DEFAULT_INTERVAL_MS, ...choices } = options;
  const { whileHidden = 'keep-alive', ...callbacks } = choices;
  const { onRefreshed = ignore, onRevoked = ignore, onFailed = ignore, ...unknown } = callbacks;
  for (const name of Object.keys(unknown)) {
    throw new TypeError(`startStatusPoll has no option ${JSON.stringify(name)}`);
  }
  requireInterval(intervalMs);
  if (whileHidden !== 'keep-alive' && whileHidden !== 'pause') {
    throw new TypeError('whileHidden must be "keep-alive" or "pause"');
  }
  for (const [name, value] of Object.entries({ onRefreshed, onRevoked, onFailed })) {
    if (typeof value !== 'function') throw new TypeError(`${name} must be a function`);
  }
  const resolved = resolveUrl(browser, url);
  return { url: resolved, intervalMs, whileHidden, onRefreshed, onRevoked, onFailed };
}

function ignore(): void {}

/** @throws TypeError when it is no URL of a status endpoint */
export function resolveUrl(browser: Browser, url: unknown): string {
  const address = typeof url === 'string' ? parseUrl(browser, url) : undefined;
  const isHttp = address?.protocol === 'https:' || address?.protocol === 'http:';
  if (address === undefined || !isHttp || address.username !== '' || address.password !== '') {
    throw new TypeError('url must be the http(s) URL of the status endpoint, without user info');
  }
  address.hash = '';
  return address.href;
}

function parseUrl(browser: Browser, url: string): InstanceType<Browser['URL']> | undefined {
  try {
    return new browser.URL(url, browser.document.baseURI);
  } catch {
    return undefined;
  }
}

function requireInterval(value: unknown): void {
  if (typeof value === 'number' && value >= MIN_INTERVAL_MS && value <= MAX_INTERVAL_MS) return;
  throw new TypeError(
    `intervalMs must be a number from ${MIN_INTERVAL_MS} to ${MAX_INTERVAL_MS}, got ${String(value)}`,
  );
}
