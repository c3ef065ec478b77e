import type { Browser } from './browser.ts';
import { type PollOutcome, readPollOutcome } from './poll-outcome.ts';
import { MARK_MS, openTurnMarks } from './turn-marks.ts';

/** Tells the other tabs of the browser how a poll ended, and hears from them. */
export interface TabChannel {
  /** Tells it, before the turn passes on. */
  post(outcome: PollOutcome): void;
  /**
   * Waits, for whoever has the turn, until what others posted in theirs since this channel was opened has been heard
   * here. What takes longer than a second is not waited for any more: its tab may have been frozen as it spoke.
   */
  caughtUp(): Promise<void>;
  close(): void;
  /** Closes it in a page that is being left: nothing of it keeps the page out of the back-forward cache. */
  leave(): void;
}

/**
 * Opens the channel of one status endpoint.
 *
 * Where the browser has none, or refuses it to a sandboxed page, the tab is on its own: it polls for itself.
 */
export function openTabChannel(
  browser: Browser,
  name: string,
  heard: (outcome: PollOutcome) => void,
): TabChannel {
  /** The newest turn whose outcome is known here, or will not come. */
  let known = 0;
  const waiting = new Map<() => void, number>();
  function learn(turn: number): void {
    known = Math.max(known, turn);
    for (const [done, awaited] of [...waiting]) if (awaited <= known) done();
  }
  function arrival(turn: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        waiting.delete(done);
        browser.clearTimeout(timer);
        resolve();
      };
      const timer = browser.setTimeout(done, MARK_MS);
      waiting.set(done, turn);
    });
  }
  try {
    const channel = new browser.BroadcastChannel(name);
    const marks = openTurnMarks(browser, name);
    // What was posted before this channel was opened will not come.
    const opened = marks.newest().then(learn);
    channel.addEventListener('message', (event) => {
      const message = 'data' in event ? event.data : undefined;
      const outcome = readPollOutcome(message);
      if (outcome === undefined) return;
      heard(outcome);
      learn(readTurn(message));
    });
    const close = () => {
      channel.close();
      learn(Number.POSITIVE_INFINITY);
    };
    return {
      post(outcome) {
        // A turn's number is later than all that are known, also where a clock stands still or was set back.
        const turn = Math.max(Date.now(), known + 1);
        learn(turn);
        channel.postMessage({ ...outcome, turn });
        marks.hold(turn);
      },
      async caughtUp() {
        await opened;
        const turn = await marks.newest();
        if (turn > known) await arrival(turn);
        learn(turn);
      },
      close,
      leave() {
        close();
        marks.drop();
      },
    };
  } catch {
    return { post() {}, caughtUp: async () => {}, close() {}, leave() {} };
  }
}

/** The number that an outcome's message carries; 0 where it has none. */
function readTurn(message: unknown): number {
  const turn = typeof message === 'object' && message !== null && 'turn' in message ? message.turn : 0;
  return typeof turn === 'number' && Number.isSafeInteger(turn) ? turn : 0;
}
