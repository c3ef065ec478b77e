import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { honoMiddleware } from '../../../toolkit/src/mounts/hono-middleware.ts';
import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { type Mountable, mounted } from '../http/fetch-handler.ts';
import { serveBounded } from '../http/serve-bounded.ts';

export interface MountOptions {
  /**
   * Returns the client's address, by which failed log-ins are counted. Behind a proxy, read it from
   * a header that the proxy sets and a client cannot set. Default: the socket's address under
   * `@hono/node-server`; elsewhere no address is known.
   */
  readonly clientIp?: ((c: Context) => string | undefined) | undefined;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof MountOptions>(['clientIp']);

/**
 * Serves the endpoints of `createSessions`, or another fetch handler, from Hono 4.
 *
 * ```ts
 * app.use(mountSessions(sessions));
 * ```
 *
 * The path that the client asked for counts, whatever `basePath` or `route` the middleware is
 * mounted below. Every path without an endpoint of the sessions goes to the next handler. A body
 * that a middleware has read through `c.req` (`c.req.json()`, a validator) is still available. At
 * most 64 KiB of any body are read.
 *
 * @throws TypeError when `sessions` is not a handler, or an option is unknown
 */
export function mountSessions(sessions: Mountable, options: MountOptions = {}): MiddlewareHandler {
  refuseUnknownOptions('mountSessions', options, OPTION_NAMES);
  const { clientIp = socketAddress } = options;
  const { handler, basePath, serves } = mounted(sessions);
  const answer = (c: Context, makeRequest: () => Promise<Request>) =>
    serveBounded(
      handler,
      { ip: clientIp(c), hasBegun: () => bindingsOf(c).outgoing?.headersSent === true },
      makeRequest,
    );
  return honoMiddleware(basePath, answer, serves);
}

function socketAddress(c: Context): string | undefined {
  return bindingsOf(c).incoming?.socket?.remoteAddress;
}

/** What `@hono/node-server` keeps in the bindings. */
function bindingsOf({ env }: Context): {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
} {
  return env ?? {};
}
