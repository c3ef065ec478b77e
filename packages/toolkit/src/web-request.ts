/**
 * Refuses what is no `Request` of the Web, such as that of a framework which got a handler without
 * its mount. A handler calls it before its first `await`: frameworks answer for what is thrown at
 * once, while Express 4 hears of no rejection and waits for ever.
 *
 * @param mounts what puts a handler into a framework
 * @throws TypeError naming `mounts`
 */
export function assertWebRequest(request: unknown, mounts: string): void {
  const { url, headers } = (request ?? {}) as { readonly url?: unknown; readonly headers?: unknown };
  const isWeb = typeof headers === 'object' && headers !== null && 'get' in headers;
  if (isWeb && typeof url === 'string') return;
  throw new TypeError(`the handler takes a Request of the Web: use ${mounts} to put it into a framework`);
}
