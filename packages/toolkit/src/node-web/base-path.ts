/**
 * Tells whether a path is a handler's: its base path, or below it. The comparison is byte-wise and
 * on a segment's boundary: `/hooks` answers for `/hooks` and `/hooks/1`, and neither for `/hooks2`
 * nor for `/Hooks`.
 *
 * @param basePath as clients see it, without a trailing slash; undefined answers for every path
 * @param pathname undefined for a path that the host's routing has read differently: it is no
 *   handler's
 */
export function answersFor(basePath: string | undefined, pathname: string | undefined): boolean {
  if (pathname === undefined) return false;
  return basePath === undefined || pathname === basePath || pathname.startsWith(`${basePath}/`);
}
