import type { Abort, Browser, Signal } from './browser.ts';

/**
 * Longer than a request may take. A tab that still holds the lock then has been frozen by the
 * system.
 */
const MAX_WAIT_MS = 20_000;

/** The name that the tabs of one status endpoint share. Another layout of messages gets another. */
export function tabsName(url: string): string {
  return `@acme/auth/status/1:${url}`;
}

/**
 * Runs a function while no other tab of the browser runs it.
 *
 * A tab holds the lock only for the run, never while it waits for the next one. A page that holds a
 * lock is kept out of the back-forward cache, and one that is frozen with it would keep all others
 * from polling. A holder that does not end in 20 s loses the lock. Without Web Locks (plain HTTP,
 * old browsers) all tabs run at once.
 *
 * @param signal - Ends the waiting, and runs at once; a run that has started ends by itself
 */
export async function withTabLock<Result>(
  browser: Browser,
  name: string,
  signal: Signal,
  run: () => Promise<Result>,
): Promise<Result> {
  const { locks } = browser.navigator;
  let running: Promise<Result> | undefined;
  function granted(): Promise<Result> {
    running ??= run();
    return running;
  }
  if (locks !== undefined) {
    const patience = new browser.AbortController();
    const request = locks.request(name, { signal: patience.signal }, granted);
    await settled(browser, request, patience, signal);
    // Neither granted nor called off: the holder is frozen, or the page is denied locks.
    if (running === undefined && !signal.aborted) {
      await locks.request(name, { steal: true }, granted).catch(() => undefined);
    }
  }
  // A lock that another tab has taken away ends the request for it, not the run.
  return await granted();
}

/** Waits for the request for a lock to end, for at most {@link MAX_WAIT_MS} until it is granted. */
async function settled(
  browser: Browser,
  request: Promise<unknown>,
  patience: Abort,
  signal: Signal,
): Promise<void> {
  const giveUp = () => patience.abort();
  const timer = browser.setTimeout(giveUp, MAX_WAIT_MS);
  signal.addEventListener('abort', giveUp);
  // Once granted, a lock's request no longer listens to its signal.
  await request.catch(() => undefined);
  signal.removeEventListener('abort', giveUp);
  browser.clearTimeout(timer);
}
