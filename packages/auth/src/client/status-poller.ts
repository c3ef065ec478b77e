import type { Abort, Browser } from './browser.ts';
import { isOnline, isVisible, listenToPage } from './page-lifecycle.ts';
import type { PollFailure, PollOutcome, SessionStatus } from './poll-outcome.ts';
import { minGapMs, nextPollAfter } from './poll-schedule.ts';
import { requestStatus } from './status-request.ts';
import { openTabChannel, type TabChannel } from './tab-channel.ts';
import { tabsName, withTabLock } from './tab-lock.ts';

/**
 * A sleeping computer stops timers. The poller reads the clock this often, so that it is late by no
 * more.
 */
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
  readonly credentials: 'same-origin' | 'include';
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
  readonly #name: string;
  readonly #stopListening: () => void;
  #tabs: TabChannel;
  #latest: PollOutcome | undefined;
  /** Counts outcomes, to tell whether one came in while we waited for our turn. */
  #heard = 0;
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
    this.#name = tabsName(settings.url);
    this.#tabs = this.#openTabs();
    this.#stopListening = listenToPage(browser, {
      shown: () => this.#wake(),
      hidden: () => this.#arm(),
      // Every tab gets the event at the same time, and the others hear the outcome of the first.
      online: () => this.#wake(this.#leads ? 0 : (1 + this.#spread) / 2),
      offline: () => this.#arm(),
      frozen: (isLeaving) => this.#freeze(isLeaving),
      resumed: () => this.#resume(),
    });
    // What another tab knows may be of the session before this log-in: a start asks for itself.
    void this.#fly(() => false);
  }

  pollNow(): Promise<PollResult> {
    if (this.#ended || this.#isFrozen) return Promise.resolve(this.#ended ?? 'stopped');
    if (Date.now() < this.#quietUntil()) return Promise.resolve('failed');
    if (this.#flight === undefined) return this.#fly(() => false);
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

  /**
   * Polls soon: at once, but never within the least gap, nor in a pause that the server asked for.
   */
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
    const [leads, spread] = [this.#leads, this.#spread];
    const input = { intervalMs, isVisible: isVisible(this.#browser), leads, spread };
    return this.#latest.sentAt + nextPollAfter(this.#latest, input);
  }

  /**
   * Sets the one timer. It is off while a request is under way, which sets it again, and while the
   * tab should not poll.
   */
  #arm(due: number = this.#due()): void {
    this.#browser.clearTimeout(this.#timer);
    const isPaused = this.#settings.whileHidden === 'pause' && !isVisible(this.#browser);
    if (this.#ended || this.#isFrozen || this.#flight || isPaused || !isOnline(this.#browser)) return;
    const now = Date.now();
    if (due <= now) {
      const known = this.#heard;
      void this.#fly(() => this.#heard !== known);
      return;
    }
    const wokenUp = () => {
      // The clock was set back, so the due time is no longer known.
      this.#arm(Date.now() < now ? Date.now() : due);
    };
    this.#timer = this.#browser.setTimeout(wokenUp, Math.min(due - now, MAX_SLEEP_MS));
  }

  /** Sets the timer, leaving time for what other tabs have sent to come in. */
  #armLater(): void {
    this.#arm(Math.max(this.#due(), Date.now() + minGapMs(this.#settings.intervalMs)));
  }

  /**
   * Polls once this tab has the lock, unless another tab's outcome has answered by then.
   */
  #fly(isAnswered: () => boolean): Promise<PollResult> {
    this.#browser.clearTimeout(this.#timer);
    const abort = new this.#browser.AbortController();
    const result = this.#poll(abort, isAnswered);
    this.#flight = { result, abort };
    return result;
  }

  async #poll(abort: Abort, isAnswered: () => boolean): Promise<PollResult> {
    const isCalledOff = () => this.#flight?.abort !== abort;
    let outcome: PollOutcome | undefined;
    await withTabLock(this.#browser, this.#name, abort.signal, async () => {
      // The outcomes of earlier polls may still be on their way.
      await this.#tabs.caughtUp();
      if (isAnswered() || isCalledOff()) return;
      const failures = this.#latest?.kind === 'failed' ? this.#latest.failure.failures : 0;
      const { url, credentials } = this.#settings;
      const answer = await requestStatus(this.#browser, { url, credentials, abort, failures });
      if (isCalledOff()) return;
      outcome = answer;
      // Before the lock is released, so that the next tab waits for the outcome.
      this.#tabs.post(answer);
    });
    if (isCalledOff()) return this.#ended ?? 'stopped';
    this.#flight = undefined;
    if (outcome !== undefined) {
      this.#take(outcome, true);
      return outcome.kind;
    }
    this.#armLater();
    return this.#latest?.kind ?? 'failed';
  }

  #callOff(): void {
    this.#flight?.abort.abort();
    this.#flight = undefined;
  }

  #openTabs(): TabChannel {
    return openTabChannel(this.#browser, this.#name, (outcome) => {
      // A request from before this start may have been of a session before this one.
      if (outcome.sentAt >= this.#startedAt) this.#take(outcome, false);
    });
  }

  #take(outcome: PollOutcome, isOwn: boolean): void {
    if (this.#ended !== undefined) return;
    this.#latest = outcome;
    this.#heard += 1;
    this.#leads = isOwn;
    this.#spread = Math.random();
    if (outcome.kind === 'revoked') this.#end('revoked');
    else this.#arm();
    const { onRefreshed, onRevoked, onFailed } = this.#settings;
    if (outcome.kind === 'refreshed') this.#tell(() => onRefreshed(outcome.session));
    else if (outcome.kind === 'revoked') this.#tell(onRevoked);
    else this.#tell(() => onFailed(outcome.failure));
  }

  /**
   * Reports an error of the host's callback as an uncaught error. It does not end the poll.
   */
  #tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#browser.queueMicrotask(() => {
        throw error;
      });
    }
  }

  #freeze(isLeaving: boolean): void {
    this.#isFrozen = true;
    this.#callOff();
    this.#arm();
    // An open channel keeps a page out of the back-forward cache. A frozen tab hears what it missed
    // when it resumes.
    if (isLeaving) this.#tabs.leave();
  }

  #resume(): void {
    if (this.#ended !== undefined || !this.#isFrozen) return;
    this.#isFrozen = false;
    this.#tabs.close();
    this.#tabs = this.#openTabs();
    if (isVisible(this.#browser)) this.#wake();
    else this.#armLater();
  }

  #end(reason: 'revoked' | 'stopped'): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#callOff();
    this.#arm();
    this.#stopListening();
    this.#tabs.close();
  }
}
