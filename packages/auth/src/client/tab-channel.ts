import type { Browser } from './browser.ts';
import { MARKER_MS, openPollMarkers } from './poll-markers.ts';
import { type PollOutcome, readPollOutcome } from './poll-outcome.ts';

/** Tells the other tabs of the browser how a poll ended, and hears from them. */
export interface TabChannel {
  /** Posts an outcome, before the tab releases the polling lock. */
  post(outcome: PollOutcome): void;
  /**
   * Waits, in the tab that holds the polling lock, for the outcomes that other tabs have posted
   * since this channel was opened. It waits at most a second for one: the system may have frozen
   * the tab that was sending it.
   */
  caughtUp(): Promise<void>;
  close(): void;
  /**
   * Closes the channel in a page that is being left, so that nothing keeps the page out of the
   * back-forward cache.
   */
  leave(): void;
}

/**
 * Opens the channel of one status endpoint.
 *
 * If the browser has no channels, or refuses them to a sandboxed page, the tab polls for itself.
 */
export function openTabChannel(
  browser: Browser,
  name: string,
  heard: (outcome: PollOutcome) => void,
): TabChannel {
  /** The newest poll whose outcome is known here, or will not come. */
  let known = 0;
  const waiting = new Map<() => void, number>();
  function learn(poll: number): void {
    known = Math.max(known, poll);
    for (const [done, awaited] of [...waiting]) if (awaited <= known) done();
  }
  function arrival(poll: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        waiting.delete(done);
        browser.clearTimeout(timer);
        resolve();
      };
      const timer = browser.setTimeout(done, MARKER_MS);
      waiting.set(done, poll);
    });
  }
  try {
    const channel = new browser.BroadcastChannel(name);
    const markers = openPollMarkers(browser, name);
    // Outcomes that were posted before this channel was opened will not come.
    const opened = markers.newest().then(learn);
    channel.addEventListener('message', (event) => {
      const message = 'data' in event ? event.data : undefined;
      const outcome = readPollOutcome(message);
      if (outcome === undefined) return;
      heard(outcome);
      learn(readPollNumber(message));
    });
    const close = () => {
      channel.close();
      learn(Number.POSITIVE_INFINITY);
    };
    return {
      post(outcome) {
        // A poll's number is above all known ones, even if the clock stands still or was set back.
        const poll = Math.max(Date.now(), known + 1);
        learn(poll);
        channel.postMessage({ ...outcome, turn: poll });
        markers.hold(poll);
      },
      async caughtUp() {
        await opened;
        const poll = await markers.newest();
        if (poll > known) await arrival(poll);
        learn(poll);
      },
      close,
      leave() {
        close();
        markers.drop();
      },
    };
  } catch {
    return { post() {}, caughtUp: async () => {}, close() {}, leave() {} };
  }
}

/** Reads the number of the poll from its message; 0 if it has none. */
function readPollNumber(message: unknown): number {
  const poll = typeof message === 'object' && message !== null && 'turn' in message ? message.turn : 0;
  return typeof poll === 'number' && Number.isSafeInteger(poll) ? poll : 0;
}
