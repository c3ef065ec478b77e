/**
 * An HTTP application in the terms of the Web: a Request in, a Response out.
 *
 * One that names its `basePath` answers for that path and what lies below it; an adapter passes every other path
 * on to the framework. One that names none is asked for every path.
 */
export interface FetchHandler {
  (request: Request): Promise<Response>;
  /** The path as clients see it, such as `/api/admin/webhooks`: no trailing slash, no query. */
  readonly basePath?: string;
}

/**
 * Tells whether a handler answers for a path. The comparison is byte-wise and on a segment's boundary:
 * `/hooks` answers for `/hooks` and `/hooks/1`, and neither for `/hooks2` nor for `/Hooks`. No handler answers for an
 * undefined path: one that the host's routing has read differently.
 */
export function answersFor(handler: FetchHandler, pathname: string | undefined): boolean {
  if (pathname === undefined) return false;
  const { basePath } = handler;
  return basePath === undefined || pathname === basePath || pathname.startsWith(`${basePath}/`);
}
