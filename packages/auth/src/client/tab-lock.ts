import type { Abort, Browser } from './browser.ts';

/** Longer than a request may take. A tab that still holds the lock then was frozen. */
const MAX_WAIT_MS = 20_000;

/**
 * The lock that the tabs of one status endpoint share. It keeps its name, or the polls of tabs that
 * still run an older script would overlap with those of new tabs, and with a log-in.
 */
export function lockName(url: string): string {
  return `@acme/auth/status/1:${url}`;
}

/**
 * Runs a function while no other tab of the browser runs one.
 *
 * A tab holds the lock only for the run: a page that holds a lock is kept out of the back-forward
 * cache, and one that is frozen with it keeps the others waiting. After 20 s, they take it away.
 * Without Web Locks (plain HTTP, old browsers) all tabs run at once.
 *
 * @param signal - Ends the waiting, and runs at once; a run that has started ends by itself
 * @param runAfterWait - Runs instead if another tab had to end first
 */
export async function withTabLock<Result>(
  browser: Browser,
  name: string,
  signal: Abort['signal'],
  run: () => Promise<Result>,
  runAfterWait: () => Promise<Result> = run,
): Promise<Result> {
  const { locks } = browser.navigator;
  let running: Promise<Result> | undefined;
  const start = (chosen: () => Promise<Result>): Promise<Result> => {
    running ??= chosen();
    return running;
  };
  if (locks !== undefined) {
    const isDone = () => running !== undefined || signal.aborted;
    const patience = new browser.AbortController();
    const giveUp = () => patience.abort();
    const timer = browser.setTimeout(giveUp, MAX_WAIT_MS);
    signal.addEventListener('abort', giveUp);
    const attempts = [
      () => locks.request(name, { ifAvailable: true }, async (lock) => lock && (await start(run))),
      () => locks.request(name, { signal: patience.signal }, () => start(runAfterWait)),
      () => locks.request(name, { steal: true }, () => start(run)),
    ];
    // The browser may deny a page its locks. One that was taken away ends its request, not the run.
    for (const attempt of attempts) if (!isDone()) await attempt().catch(() => undefined);
    signal.removeEventListener('abort', giveUp);
    browser.clearTimeout(timer);
  }
  return await start(run);
}
