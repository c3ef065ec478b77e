import { isLocalPath } from '../../../toolkit/src/local-path.ts';
import { currentBrowser } from './browser.ts';

declare const URLSearchParams: new (query: string) => { get(name: string): string | null };

/**
 * Sends the browser to the log-in page, with the present path, query and fragment as `return_to`,
 * unless {@link readReturnTo} would refuse them. Call it when a 401 says `login_required`, or the
 * session is over.
 *
 * @param loginPath of this origin, such as `/login` or `/login?from=app`
 * @throws TypeError when `loginPath` is no path of this origin, or if there is no page
 */
export function goToLogin(loginPath: string): void {
  const browser = currentBrowser('goToLogin');
  const { location } = browser;
  requirePath('loginPath', loginPath);
  const here = location.pathname + location.search + location.hash;
  const url = new browser.URL(loginPath, location.href);
  if (isLocalPath(here)) url.searchParams.set('return_to', here);
  location.assign(url.href);
}

/**
 * Returns where the log-in page sends the browser after the log-in: `return_to` of its address, if
 * that is a path of this origin, and `byDefault` otherwise.
 *
 * Anybody can write a link to the log-in page: `return_to` is hostile. It is refused if it begins
 * with anything but one slash, has an empty segment within its path, a backslash or a control
 * character anywhere, or more than 2,048 characters, also after decoding it up to four times. What
 * is returned is of this origin however a browser resolves it.
 *
 * @param byDefault a path of this origin
 * @param search the query of the log-in page; a server passes `url.search`. Default
 *   `location.search`
 * @throws TypeError when `byDefault` is no path of this origin, or without a page and `search`
 */
export function readReturnTo(byDefault: string, search?: string): string {
  requirePath('byDefault', byDefault);
  const query = search ?? currentBrowser('readReturnTo').location.search;
  const wanted = new URLSearchParams(query).get('return_to');
  return isLocalPath(wanted) ? wanted : byDefault;
}

function requirePath(name: string, path: string): void {
  if (!isLocalPath(path)) throw new TypeError(`${name} must be a path of this origin`);
}
