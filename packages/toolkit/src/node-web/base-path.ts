/**
 * Returns true if a path is the handler's base path or lies below it. The comparison is byte-wise
 * and ends at a segment's boundary: `/hooks` answers for `/hooks` and `/hooks/1`, but not for
 * `/hooks2` or `/Hooks`.
 *
 * @param basePath as clients see it, without a trailing slash; undefined answers for every path
 * @param pathname undefined for a path that the host's routing has read differently, which belongs
 *   to no handler
 * @param serves default: the handler answers for every path below its own
 */
export function answersFor(
  basePath: string | undefined,
  pathname: string | undefined,
  serves: Serves = () => true,
): boolean {
  if (pathname === undefined) return false;
  const isBelow = basePath === undefined || pathname === basePath || pathname.startsWith(`${basePath}/`);
  return isBelow && serves(pathname);
}

/** Tells whether a handler has an answer of its own for a path below its base path. */
export type Serves = (pathname: string) => boolean;
