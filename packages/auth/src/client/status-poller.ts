import type { Abort, Browser, Channel, PageEvents } from './browser.ts';
import { minGapMs, nextPollAfter } from './poll-schedule.ts';
import {
  type PollFailure,
  type PollOutcome,
  readOutcome,
  requestStatus,
  type SessionStatus,
  type StatusAnswer,
} from './status-answer.ts';
import { lockName, withTabLock } from './tab-lock.ts';

/** A sleeping computer stops timers. The poller reads the clock this often, to be little late. */
const MAX_SLEEP_MS = 15_000;

/**
 * How a poll ended: `failed` if the answer is unknown, or the server has asked for a pause;
 * `stopped` after `stop()`, and if the page was left meanwhile.
 */
export type PollResult = 'refreshed' | 'revoked' | 'failed' | 'stopped';

export interface PollerSettings {
  /** Absolute. */
  readonly url: string;
  readonly intervalMs: number;
  readonly whileHidden: 'keep-alive' | 'pause';
  readonly onRefreshed: (session: SessionStatus) => void;
  readonly onRevoked: () => void;
  readonly onFailed: (failure: PollFailure) => void;
}

/**
 * One tab's part of the poll.
 *
 * Every tab keeps a timer from the latest outcome that it knows, its own or another tab's, and
 * never has more than one request under way. The tab that polled last is due first, so one tab
 * polls for all. There is no election that a closed, crashed or frozen tab could block.
 */
export class StatusPoller {
  readonly #browser: Browser;
  readonly #settings: PollerSettings;
  readonly #startedAt = Date.now();
  readonly #listeners: readonly (readonly [PageEvents, string, (event: object) => void])[];
  #channel: Channel | undefined;
  #latest: PollOutcome | undefined;
  #leads = true;
  #spread = Math.random();
  #timer: number | undefined;
  #flight: { readonly result: Promise<PollResult>; readonly abort: Abort } | undefined;
  #queued: Promise<PollResult> | undefined;
  #isFrozen = false;
  #ended: 'revoked' | 'stopped' | undefined;

  constructor(browser: Browser, settings: PollerSettings) {
    this.#browser = browser;
    this.#settings = settings;
    this.#openChannel();
    const { document } = browser;
    // No `unload` and no `beforeunload`: they fire too rarely on phones, and each keeps a page out
    // of the back-forward cache.
    this.#listeners = [
      [document, 'visibilitychange', () => (this.#isVisible() ? this.#wake() : this.#arm())],
      [document, 'freeze', () => this.#freeze()],
      [document, 'resume', () => this.#resume()],
      [browser, 'pagehide', () => this.#freeze()],
      [browser, 'pageshow', (event) => 'persisted' in event && event.persisted && this.#resume()],
      // Every tab gets the event at the same time, and the others hear the outcome of the first.
      [browser, 'online', () => this.#wake(this.#leads ? 0 : (1 + this.#spread) / 2)],
      [browser, 'offline', () => this.#arm()],
    ];
    for (const [target, type, run] of this.#listeners) target.addEventListener(type, run);
    // What another tab knows may be of the session before this log-in: a start asks for itself.
    void this.#fly(true);
  }

  pollNow(): Promise<PollResult> {
    if (this.#ended || this.#isFrozen) return Promise.resolve(this.#ended ?? 'stopped');
    if (Date.now() < this.#quietUntil()) return Promise.resolve('failed');
    if (this.#flight === undefined) return this.#fly(true);
    // What is under way may have been sent before that which the caller wants to see the effect of.
    this.#queued ??= this.#flight.result.then(() => {
      this.#queued = undefined;
      return this.pollNow();
    });
    return this.#queued;
  }

  stop(): void {
    this.#end('stopped');
  }

  #isVisible(): boolean {
    return this.#browser.document.visibilityState !== 'hidden';
  }

  /** Polls at once, but neither within the least gap nor in a pause that the server asked for. */
  #wake(stagger = 0): void {
    const gap = minGapMs(this.#settings.intervalMs);
    const sentAt = this.#latest?.sentAt ?? Number.NEGATIVE_INFINITY;
    this.#arm(Math.max(Date.now() + stagger * gap, sentAt + gap, this.#quietUntil()));
  }

  #quietUntil(): number {
    const latest = this.#latest;
    return latest?.kind === 'failed' ? latest.sentAt + latest.retryAfterMs : Number.NEGATIVE_INFINITY;
  }

  /** When this tab is due, by what it knows, in ms of the machine's clock. */
  #due(): number {
    if (this.#latest === undefined) return Date.now();
    const { intervalMs } = this.#settings;
    const input = { intervalMs, isVisible: this.#isVisible(), leads: this.#leads, spread: this.#spread };
    return this.#latest.sentAt + nextPollAfter(this.#latest, input);
  }

  /**
   * Sets the one timer. It is off while a request is under way, which sets it again, and while the
   * tab should not poll.
   */
  #arm(due: number = this.#due()): void {
    this.#browser.clearTimeout(this.#timer);
    const isPaused = this.#settings.whileHidden === 'pause' && !this.#isVisible();
    // A browser that does not report being offline counts as online.
    const isOffline = this.#browser.navigator.onLine === false;
    if (this.#ended || this.#isFrozen || this.#flight || isPaused || isOffline) return;
    const now = Date.now();
    if (due <= now) {
      void this.#fly(false);
      return;
    }
    // Once the clock was set back, the due time is no longer known.
    const wokenUp = () => this.#arm(Date.now() < now ? Date.now() : due);
    this.#timer = this.#browser.setTimeout(wokenUp, Math.min(due - now, MAX_SLEEP_MS));
  }

  /** Sets the timer, leaving time for what other tabs have sent to come in. */
  #armLater(): void {
    this.#arm(Math.max(this.#due(), Date.now() + minGapMs(this.#settings.intervalMs)));
  }

  /** Polls once this tab has the lock. If it is not forced, a poll of another tab will do. */
  #fly(isForced: boolean): Promise<PollResult> {
    this.#browser.clearTimeout(this.#timer);
    const abort = new this.#browser.AbortController();
    const result = this.#poll(abort, isForced);
    this.#flight = { result, abort };
    return result;
  }

  async #poll(abort: Abort, isForced: boolean): Promise<PollResult> {
    const { url } = this.#settings;
    const isCalledOff = () => this.#flight?.abort !== abort;
    const ask = async (): Promise<StatusAnswer | undefined> => {
      const answer = await requestStatus(this.#browser, url, abort);
      if (isCalledOff()) return undefined;
      this.#channel?.postMessage(answer);
      return answer;
    };
    // Another tab has just polled, and its message may come later than the lock.
    const afterOther = isForced ? ask : async () => undefined;
    const answer = await withTabLock(this.#browser, lockName(url), abort.signal, ask, afterOther);
    if (isCalledOff()) return this.#ended ?? 'stopped';
    this.#flight = undefined;
    const outcome = this.#take(answer, true);
    if (outcome === undefined) this.#armLater();
    return outcome?.kind ?? 'failed';
  }

  #callOff(): void {
    this.#flight?.abort.abort();
    this.#flight = undefined;
  }

  /**
   * Opens the channel that the tabs share. Another layout of messages gets another number: tabs
   * that still run an older script then hear their own kind alone, and each kind polls for itself.
   */
  #openChannel(): void {
    try {
      this.#channel = new this.#browser.BroadcastChannel(`@acme/auth/status/2:${this.#settings.url}`);
      this.#channel.addEventListener('message', (event) => {
        this.#take('data' in event ? event.data : undefined, false);
      });
    } catch {
      // The browser has no channels, or refuses them to a sandboxed page: the tab polls for itself.
    }
  }

  /** Acts on an answer. That of another tab from before this start may be of an older session. */
  #take(answer: unknown, isOwn: boolean): PollOutcome | undefined {
    const failures = this.#latest?.kind === 'failed' ? this.#latest.failure.failures : 0;
    const outcome = readOutcome(answer, failures);
    if (this.#ended || outcome === undefined) return undefined;
    if (!isOwn && outcome.sentAt < this.#startedAt) return undefined;
    this.#latest = outcome;
    this.#leads = isOwn;
    this.#spread = Math.random();
    if (outcome.kind === 'revoked') this.#end('revoked');
    else this.#arm();
    this.#tell(outcome);
    return outcome;
  }

  /** Reports an error of the host's callback as an uncaught error. It does not end the poll. */
  #tell(outcome: PollOutcome): void {
    const { onRefreshed, onRevoked, onFailed } = this.#settings;
    try {
      if (outcome.kind === 'refreshed') onRefreshed(outcome.session);
      else if (outcome.kind === 'revoked') onRevoked();
      else onFailed(outcome.failure);
    } catch (error) {
      this.#browser.queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** In the background, or the page is being left: an open channel keeps it out of the cache. */
  #freeze(): void {
    this.#isFrozen = true;
    this.#callOff();
    this.#arm();
    this.#channel?.close();
  }

  #resume(): void {
    if (this.#ended !== undefined || !this.#isFrozen) return;
    this.#isFrozen = false;
    this.#openChannel();
    if (this.#isVisible()) this.#wake();
    else this.#armLater();
  }

  #end(reason: 'revoked' | 'stopped'): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#callOff();
    this.#arm();
    for (const [target, type, run] of this.#listeners) target.removeEventListener(type, run);
    this.#channel?.close();
  }
}
