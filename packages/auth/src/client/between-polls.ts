import { currentBrowser } from './browser.ts';
import { resolveUrl } from './start-status-poll.ts';
import { lockName, withTabLock } from './tab-lock.ts';

/**
 * Sends a log-in or a log-out while no tab of the browser polls. The answer of a poll that was
 * under way would otherwise arrive after it, and bring the cookies of the session before back.
 *
 * ```ts
 * const response = await betweenPolls('/api/admin/auth/status', () =>
 *   fetch('/api/admin/auth/login', { method: 'POST', body: JSON.stringify({ login, password }) }),
 * );
 * ```
 *
 * It waits for a poll that is under way: at most 20 s, for one in a tab that the system has frozen.
 * In browsers without Web Locks it does not wait. Do not await a poll within `run`.
 *
 * @param url the status endpoint, as in {@link startStatusPoll}
 * @returns what `run` returns
 * @throws TypeError if `url` is not a URL, or there is no page; what `run` throws
 */
export async function betweenPolls<Result>(url: string, run: () => Promise<Result>): Promise<Result> {
  const browser = currentBrowser('betweenPolls');
  const name = lockName(resolveUrl(browser, url));
  return await withTabLock(browser, name, new browser.AbortController().signal, run);
}
