import { type Browser, currentBrowser } from './browser.ts';
import type { PollFailure, SessionStatus } from './poll-outcome.ts';
import { type PollerSettings, type PollResult, StatusPoller } from './status-poller.ts';

const DEFAULT_INTERVAL_MS = 60_000;
const MIN_INTERVAL_MS = 100;
const MAX_INTERVAL_MS = 3_600_000;

/** Options of {@link startStatusPoll}. An unknown one is refused. */
export interface StatusPollOptions {
  /** The status endpoint, `<cookiePath>/auth/status`, absolute or relative to the page. */
  readonly url: string;
  /**
   * Time between two polls of a visible page, less up to 10 % at random. 100–3,600,000 ms, default
   * 60,000.
   */
  readonly intervalMs?: number | undefined;
  /**
   * Called in every tab after each poll that found the session alive, with who it is and what they
   * may do now.
   *
   * After a log-in in another tab `uid` may be another than before.
   */
  readonly onRefreshed?: ((session: SessionStatus) => void) | undefined;
  /**
   * Called once in every tab when the server answers 401: logged out here or elsewhere, revoked,
   * expired, disabled, or never logged in. The poll has then stopped; after a new log-in, start
   * another.
   */
  readonly onRevoked?: (() => void) | undefined;
  /**
   * Called in every tab when a poll told nothing: no network, no answer in 15 s, any status but 200
   * and 401.
   */
  readonly onFailed?: ((failure: PollFailure) => void) | undefined;
  /**
   * What a hidden tab does when no visible one polls. Default `keep-alive`.
   *
   * - `keep-alive`: polls once in the life of an access token, shortly before it expires, so that
   *   work in the background goes on and the first click after coming back is not refused
   * - `pause`: does not poll until it is looked at again
   */
  readonly whileHidden?: 'keep-alive' | 'pause' | undefined;
  /**
   * Default `same-origin`. `include` is for an endpoint on another origin of the same site: that
   * server has to name this page's origin in `trustedOrigins`, and allow it by CORS with
   * credentials.
   */
  readonly credentials?: 'same-origin' | 'include' | undefined;
}

/** A running poll. */
export interface StatusPoll {
  /**
   * Ends the poll in this tab: no request, no callback after this. Others go on. Idempotent.
   *
   * A request under way is called off; a rotation it may have caused on the server is made good by
   * the next poll.
   */
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

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof StatusPollOptions>([
  'url',
  'intervalMs',
  'onRefreshed',
  'onRevoked',
  'onFailed',
  'whileHidden',
  'credentials',
]);

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
 * - Polls at the start, then about every `intervalMs`, at once when the tab is shown again or comes
 *   online, and in time before the access token expires, by the server's clock. Nothing is sent
 *   while the browser is offline.
 * - The tabs of a browser that poll the same URL share one rhythm: one polls, all get the
 *   callbacks. When it is closed, crashes or is frozen, another goes on within 15 % of the
 *   interval. Never two requests at once: in a secure context in the whole browser, elsewhere
 *   (plain HTTP has no Web Locks) in a tab.
 * - A 401 ends it, in every tab. After other failures it polls after a twelfth of the interval,
 *   then twice that and so on up to five intervals, and no earlier than `Retry-After` of a 429 or
 *   503 says, up to an hour.
 * - Two polls are at least 1 s apart (a quarter of a shorter interval), starts and calls of
 *   `pollNow` excepted.
 *
 * It stores nothing and sees no token: the cookies are HttpOnly. An error that a callback throws is
 * reported as an uncaught one and does not end the poll.
 *
 * @throws TypeError naming the first option that is unknown or out of bounds, or where there is no
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
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.has(name));
  if (unknown !== undefined) throw new TypeError(`startStatusPoll has no option ${JSON.stringify(unknown)}`);
  const credentials = oneOf('credentials', options.credentials, ['same-origin', 'include']);
  return Object.freeze({
    url: resolveUrl(browser, options.url, credentials),
    intervalMs: resolveInterval(options.intervalMs ?? DEFAULT_INTERVAL_MS),
    credentials,
    whileHidden: oneOf('whileHidden', options.whileHidden, ['keep-alive', 'pause']),
    onRefreshed: callback('onRefreshed', options.onRefreshed),
    onRevoked: callback('onRevoked', options.onRevoked),
    onFailed: callback('onFailed', options.onFailed),
  });
}

/** @throws TypeError when it is no URL of a status endpoint, or none that gets a cookie */
export function resolveUrl(browser: Browser, url: unknown, credentials: string): string {
  const address = typeof url === 'string' ? parseUrl(browser, url) : undefined;
  const isHttp = address?.protocol === 'https:' || address?.protocol === 'http:';
  if (address === undefined || !isHttp || address.username !== '' || address.password !== '') {
    throw new TypeError('url must be the http(s) URL of the status endpoint, without user info');
  }
  if (credentials === 'same-origin' && address.origin !== browser.location.origin) {
    throw new TypeError(
      `url must be of the page's origin ${browser.location.origin}, got ${address.origin}: no cookie is sent to another without credentials: 'include'`,
    );
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

function resolveInterval(value: unknown): number {
  if (typeof value === 'number' && value >= MIN_INTERVAL_MS && value <= MAX_INTERVAL_MS) return value;
  throw new TypeError(
    `intervalMs must be a number from ${MIN_INTERVAL_MS} to ${MAX_INTERVAL_MS}, got ${String(value)}`,
  );
}

/** The first of the choices is the default. */
function oneOf<T extends string>(name: string, value: unknown, choices: readonly [T, ...T[]]): T {
  const chosen = value === undefined ? choices[0] : choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new TypeError(`${name} must be ${choices.map((choice) => `"${choice}"`).join(' or ')}`);
}

function callback<A extends readonly unknown[]>(
  name: string,
  value: ((...arguments_: A) => void) | undefined,
): (...arguments_: A) => void {
  if (value === undefined) return () => {};
  if (typeof value === 'function') return value;
  throw new TypeError(`${name} must be a function`);
}
