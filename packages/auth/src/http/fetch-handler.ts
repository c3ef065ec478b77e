/** What an adapter knows of a request beyond the request itself. */
export interface ConnectionInfo {
  /** The address of the client: the other end of the connection, or what a trusted proxy says. */
  readonly ip?: string | undefined;
  /** Tells whether somebody else has begun the response: no cookie reaches the client any more. */
  hasBegun?(): boolean;
}

/** An HTTP application in the terms of the Web: a Request in, a Response out. */
export type FetchHandler = (request: Request, connection: ConnectionInfo) => Promise<Response>;

/** What `mountSessions` takes: the object that `createSessions` made, or any fetch handler. */
export type Mountable = (MountedPart & { readonly handler: FetchHandler }) | (FetchHandler & MountedPart);

interface MountedPart {
  readonly basePath?: string | undefined;
  /** Tells whether the handler has an endpoint at a path below its own. Default: it has. */
  serves?(pathname: string): boolean;
}

/** A fetch handler and the part of the site it answers for. */
export interface Mounted {
  readonly handler: FetchHandler;
  /**
   * As clients see it, such as `/api/admin/auth`, without a trailing slash; undefined: it is asked
   * for every path.
   */
  readonly basePath: string | undefined;
  readonly serves: ((pathname: string) => boolean) | undefined;
}

/**
 * @throws TypeError when a host passes something else: at construction, not at the first request
 */
export function mounted(mountable: Mountable): Mounted {
  const handler = typeof mountable === 'function' ? mountable : mountable?.handler;
  if (typeof handler !== 'function') {
    throw new TypeError(
      'mountSessions needs what createSessions made, or a function from Request to Response',
    );
  }
  const { basePath } = mountable;
  if (basePath !== undefined && !/^\/.*[^/]$/.test(basePath)) {
    throw new TypeError(
      `basePath must start with a slash and end without one, got ${JSON.stringify(basePath)}`,
    );
  }
  return { handler, basePath, serves: mountable.serves?.bind(mountable) };
}
