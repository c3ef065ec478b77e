/**
 * The scheme and authority of an absolute-form target (RFC 9112 section 3.2.2), if every parser
 * finds the same end of them.
 */
const PLAIN_ORIGIN = /^https?:\/\/(?:[A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?(?=[/?]|$)/i;

/**
 * Returns true if URL parsing leaves the path of a request target unchanged: it has no dot
 * segments, backslashes, fragments or anything else that parsing rewrites.
 *
 * The routers of frameworks compare the target as it is. If only we read a path as the handler's,
 * it has passed none of the guards that the host put before that path. An adapter therefore serves
 * no other spelling.
 *
 * @param pathname the path of the same target, as the URL parser returns it
 */
export function isPlainPath(target: string, pathname: string): boolean {
  const [path = ''] = target.replace(PLAIN_ORIGIN, '').split('?', 1);
  return (path === '' ? '/' : path) === pathname;
}
