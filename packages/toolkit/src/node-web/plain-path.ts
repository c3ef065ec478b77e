/**
 * The scheme and authority of an absolute-form target (RFC 9112 section 3.2.2), where every parser
 * ends it alike.
 */
const PLAIN_ORIGIN = /^https?:\/\/(?:[A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?(?=[/?]|$)/i;

/**
 * Tells whether a request target spells its path as URL parsing leaves it: without dot segments,
 * backslashes, fragments and what else is rewritten.
 *
 * Routers of frameworks compare the target as it is. A path that only we read as the handler's has
 * gone past every guard that the host put before that path, so an adapter serves no other spelling.
 *
 * @param pathname the path of the same target, as the URL parser gives it
 */
export function isPlainPath(target: string, pathname: string): boolean {
  const [path = ''] = target.replace(PLAIN_ORIGIN, '').split('?', 1);
  return (path === '' ? '/' : path) === pathname;
}
