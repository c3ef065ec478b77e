import type { Browser } from './browser.ts';
import { type PollOutcome, readPollOutcome } from './poll-outcome.ts';

/** A message takes about a millisecond. */
const MAX_CATCH_UP_MS = 1_000;

/** Tells the other tabs of the browser how a poll ended, and hears from them. */
export interface TabChannel {
  post(outcome: PollOutcome): void;
  /** Waits until everything that was posted before, by whichever tab, has been heard here. */
  caughtUp(): Promise<void>;
  close(): void;
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
  const waiting = new Map<unknown, () => void>();
  try {
    const channel = new browser.BroadcastChannel(name);
    // A channel does not hear itself: what this one posts comes back in line with what other tabs have posted.
    const echo = new browser.BroadcastChannel(name);
    channel.addEventListener('message', (event) => {
      const message = 'data' in event ? event.data : undefined;
      const outcome = readPollOutcome(message);
      if (outcome !== undefined) heard(outcome);
      waiting.get(message)?.();
    });
    return {
      post: (outcome) => channel.postMessage(outcome),
      caughtUp: () =>
        new Promise((resolve) => {
          const mark = `${Date.now()} ${Math.random()}`;
          const done = () => {
            waiting.delete(mark);
            browser.clearTimeout(timer);
            resolve();
          };
          const timer = browser.setTimeout(done, MAX_CATCH_UP_MS);
          waiting.set(mark, done);
          echo.postMessage(mark);
        }),
      close() {
        channel.close();
        echo.close();
        for (const done of [...waiting.values()]) done();
      },
    };
  } catch {
    return { post() {}, caughtUp: () => Promise.resolve(), close() {} };
  }
}
