import { type Browser, currentBrowser, type LockOptions } from './browser.ts';

/** Longer than a request may take: a tab that still holds the lock then was frozen with it. */
export const MAX_WAIT_MS = 20_000;

/** The name of the lock and of the channel. It changes with the layout of the messages. */
export const sharedName = (url: string): string => `@acme/auth/status/1:${url}`;

/**
 * Sends a log-in or a log-out while no tab of the browser polls. The answer of a poll that was
 * under way would otherwise arrive after it, and bring the cookies of the session before back.
 *
 * It waits for such a poll, at most 20 s; in browsers without Web Locks it does not wait. Do not
 * await a poll within `run`.
 *
 * @param url the status endpoint, as in {@link startStatusPoll}
 * @throws TypeError if `url` is not a URL, or there is no page; what `run` throws
 */
export async function betweenPolls<Result>(url: string, run: () => Promise<Result>): Promise<Result> {
  const browser = currentBrowser('betweenPolls');
  return await withTabLock(browser, statusUrl(browser, url), {}, run);
}

/**
 * Runs a function while no other tab does. After 20 s of waiting it takes the lock away. Without
 * Web Locks, it runs at once; with `ifAvailable`, too, and gets `null` if another tab has the lock.
 */
export async function withTabLock<Result>(
  { navigator, setTimeout, clearTimeout }: Browser,
  url: string,
  wait: LockOptions,
  run: (lock?: unknown) => Promise<Result>,
): Promise<Result> {
  let running: Promise<Result> | undefined;
  const start = (lock?: unknown): Promise<Result> => {
    running ??= run(lock);
    return running;
  };
  const ask = (how: LockOptions) => navigator.locks?.request(sharedName(url), how, start).catch(() => {});
  const timer = setTimeout(() => void (running ?? ask({ steal: true })), MAX_WAIT_MS);
  await ask(wait);
  clearTimeout(timer);
  // If the lock was denied, it starts here; if it was taken away, it goes on.
  return await start();
}

/** @throws TypeError if it is not the URL of a status endpoint */
export function statusUrl(browser: Browser, url: string): string {
  try {
    const { href } = new browser.URL(url, browser.document.baseURI);
    const [found] = /^https?:\/\/[^@/]+\/[^#]*/.exec(href) ?? [];
    if (found !== undefined && typeof url === 'string') return found;
  } catch {
    // No URL at all.
  }
  throw new TypeError('url must be the http(s) URL of the status endpoint, without user info');
}
