import { isLocalPath } from '../../../../../toolkit/src/local-path.ts';

/**
 * Returns where a log-in leads: `return_to` of the page's query if it is a path of this origin, and
 * the list of webhooks otherwise.
 *
 * Anybody can write a link to the log-in page, so `return_to` is hostile. A way back to the log-in
 * page itself would ask twice.
 */
export function returnToOf(search: string, basePath: string): string {
  const wanted = new URLSearchParams(search).get('return_to');
  if (!isLocalPath(wanted)) return basePath;
  // The panel redirects a trailing slash away.
  const path = wanted.split(/[?#]/, 1)[0]?.replace(/\/$/, '');
  const isLogIn = path === `${basePath}/login`;
  return isLogIn ? basePath : wanted;
}
