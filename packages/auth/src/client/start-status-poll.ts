import { MAX_WAIT_MS, sharedName, statusUrl, withTabLock } from './between-polls.ts';
import { type Abort, type Browser, type Channel, currentBrowser } from './browser.ts';
import { nextPollAfter } from './poll-schedule.ts';
import { askStatus, type PollFailure, type PollOutcome, type SessionStatus } from './status-answer.ts';

/** Options of {@link startStatusPoll}. An unknown one is refused. */
export interface StatusPollOptions {
  /** The status endpoint, `<cookiePath>/auth/status`, absolute or relative to the page. */
  readonly url: string;
  /** Time between two polls of a visible page, 100–3,600,000 ms. Default 60,000. */
  readonly intervalMs?: number | undefined;
  /** Called in every tab after each poll that found the session alive. */
  readonly onRefreshed?: ((session: SessionStatus) => void) | undefined;
  /** Called once in every tab after a 401: the session is over. After a log-in, start another poll. */
  readonly onRevoked?: (() => void) | undefined;
  /** Called in every tab when a poll told nothing: any answer but 200 and 401, or none in 15 s. */
  readonly onFailed?: ((failure: PollFailure) => void) | undefined;
}

/** How a poll ended: `failed` if the answer is unknown, or the server has asked for a pause. */
export type PollResult = 'refreshed' | 'revoked' | 'failed' | 'stopped';

/** A running poll. */
export interface StatusPoll {
  /** Ends the poll in this tab: no request, no callback after this. Idempotent. */
  stop(): void;

  /**
   * Polls at once and tells how it ended; every tab's callbacks are called as ever. Never rejects.
   *
   * The request is sent after this call; calls that come while one is under way share one more. It
   * does not poll within a pause that the server asked for, nor after the poll has ended.
   */
  pollNow(): Promise<PollResult>;
}

/**
 * Keeps the session of a page alive, and tells when it is over: polls the status endpoint, which
 * renews the access token cookie. A 401 ends the poll, in every tab; other failures do not.
 *
 * The tabs of a browser that poll the same URL share their polls: one polls, all get the callbacks.
 * Never two requests at once: in a secure context in the whole browser, elsewhere (plain HTTP has
 * no Web Locks) in a tab. Rarely, a second tab polls right after the first.
 *
 * It stores nothing and sees no token: the cookies are HttpOnly. An error that a callback throws is
 * reported as an uncaught one and does not end the poll.
 *
 * @throws TypeError naming the first option that is unknown or out of bounds, or if there is no page
 */
export function startStatusPoll(options: StatusPollOptions): StatusPoll {
  const browser = currentBrowser('startStatusPoll');
  const { url, intervalMs = 60_000, onRefreshed, onRevoked, onFailed, ...unknown } = options;
  const [stray] = Object.keys(unknown);
  if (stray !== undefined) throw new TypeError(`startStatusPoll has no option ${JSON.stringify(stray)}`);
  if (typeof intervalMs !== 'number' || !(intervalMs >= 100 && intervalMs <= 3_600_000)) {
    throw new TypeError(`intervalMs must be a number from 100 to 3600000, got ${String(intervalMs)}`);
  }
  for (const [name, value] of Object.entries({ onRefreshed, onRevoked, onFailed })) {
    if (value !== undefined && typeof value !== 'function') throw new TypeError(`${name} must be a function`);
  }
  return new TabPoll(browser, { ...options, url: statusUrl(browser, url), intervalMs });
}

type Settings = StatusPollOptions & { readonly intervalMs: number };

/**
 * One tab's part of the poll. Every tab has a timer, which runs from the latest outcome that any tab
 * has had. The first that is due takes the lock, polls and broadcasts the outcome.
 */
class TabPoll implements StatusPoll {
  readonly #browser: Browser;
  readonly #settings: Settings;
  readonly #life: Abort;
  readonly #channel: Channel<PollOutcome> | undefined;
  #latest: PollOutcome = { kind: 'failed', sentAt: Date.now(), pauseMs: 0 };
  #timer: number | undefined;
  #request: Abort | undefined;
  #flight: Promise<PollResult> | undefined;
  #queued: Promise<PollResult> | undefined;
  #ended: 'revoked' | 'stopped' | undefined;

  constructor(browser: Browser, settings: Settings) {
    this.#browser = browser;
    this.#settings = settings;
    this.#life = new browser.AbortController();
    const { BroadcastChannel } = browser;
    this.#channel = BroadcastChannel && new BroadcastChannel(sharedName(settings.url));
    // What was sent before this start may be of the session before this log-in.
    this.#channel?.addEventListener('message', ({ data }) => {
      if (data.sentAt >= this.#latest.sentAt) this.#take(data);
    });
    const wake = () => this.#arm(this.#due(Date.now() > this.#latest.sentAt + 1_000));
    browser.document.addEventListener('visibilitychange', wake, this.#life);
    for (const type of ['online', 'pageshow']) browser.addEventListener(type, wake, this.#life);
    void this.#poll(true);
  }

  readonly stop = (): void => this.#end('stopped');

  readonly pollNow = (): Promise<PollResult> => {
    if (this.#ended !== undefined) return Promise.resolve(this.#ended);
    if (Date.now() < this.#latest.sentAt + this.#latest.pauseMs) return Promise.resolve('failed');
    if (this.#flight === undefined) return this.#poll(true);
    // What is under way may have been sent before that which the caller wants to see the effect of.
    this.#queued ??= this.#flight.then(() => this.pollNow());
    return this.#queued;
  };

  /** When this tab is due, by what it knows and a clock that may have been set back. */
  #due(isWoken = false): number {
    const isHidden = this.#browser.document.visibilityState === 'hidden';
    const wait = nextPollAfter(this.#latest, this.#settings.intervalMs, { isHidden, isWoken });
    return Math.min(this.#latest.sentAt, Date.now()) + wait;
  }

  /** Sets the one timer. It is off while a request is under way, which sets it again. */
  #arm(due = this.#due()): void {
    this.#browser.clearTimeout(this.#timer);
    if (this.#ended !== undefined || this.#flight !== undefined) return;
    this.#timer = this.#browser.setTimeout(() => void this.#poll(false), Math.max(due - Date.now(), 0));
  }

  /** Polls once this tab has the lock. If it is not forced, a poll of another tab will do. */
  #poll(isForced: boolean): Promise<PollResult> {
    this.#browser.clearTimeout(this.#timer);
    const { url } = this.#settings;
    const request = new this.#browser.AbortController();
    const ask = async (lock?: unknown): Promise<PollOutcome | undefined> => {
      if (lock === null) return undefined;
      const outcome = await askStatus(this.#browser, url, request, this.#latest.failure?.failures ?? 0);
      if (this.#ended === undefined) this.#channel?.postMessage(outcome);
      return outcome;
    };
    // A tab that has held the lock for so long without an outcome is frozen.
    const waits = isForced || Date.now() > this.#due() + MAX_WAIT_MS;
    const how = waits ? { signal: request.signal } : { ifAvailable: true };
    this.#request = request;
    this.#flight = withTabLock(this.#browser, url, how, ask).then((outcome) => {
      if (this.#ended !== undefined) return this.#ended;
      this.#flight = undefined;
      this.#queued = undefined;
      // Another tab's outcome is about to arrive.
      if (outcome === undefined) this.#arm(Date.now() + 1_000);
      else this.#take(outcome);
      return outcome?.kind ?? 'failed';
    });
    return this.#flight;
  }

  #take(outcome: PollOutcome): void {
    const { kind, session, failure } = outcome;
    const { onRefreshed, onRevoked, onFailed } = this.#settings;
    this.#latest = outcome;
    if (kind === 'revoked') this.#end(kind);
    else this.#arm();
    // Apart: what a callback throws is an uncaught error of the page.
    this.#browser.queueMicrotask(() => {
      if (this.#ended === 'stopped') return;
      if (session !== undefined) onRefreshed?.(session);
      else if (failure !== undefined) onFailed?.(failure);
      else onRevoked?.();
    });
  }

  #end(reason: 'revoked' | 'stopped'): void {
    this.#ended ??= reason;
    this.#browser.clearTimeout(this.#timer);
    this.#life.abort();
    this.#request?.abort();
    this.#channel?.close();
  }
}
