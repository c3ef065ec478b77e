import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { readableRequest } from '../../../toolkit/src/mounts/hono-request.ts';
import { answersFor } from '../../../toolkit/src/node-web/base-path.ts';
import { isPlainPath } from '../../../toolkit/src/node-web/plain-path.ts';
import { serveBounded } from '../http/bounded-exchange.ts';
import { type Mountable, mounted } from '../http/fetch-handler.ts';
import { refuseUnknownOptions } from '../refuse-unknown-options.ts';

export interface MountOptions {
  /**
   * Tells the client's address, by which failed log-ins are counted. Behind a proxy read it from
   * what that sets, which a client must not be able to set. Default: the socket's, under
   * `@hono/node-server`; elsewhere none.
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
 * The path that counts is the one that the client asked for, whatever `basePath` or `route` it is
 * put below: every path outside `<cookiePath>/auth` goes on to the next handler. A body that a
 * middleware has read through `c.req` (`c.req.json()`, a validator) is still there; of any body at
 * most 64 KiB are read.
 *
 * @throws TypeError when `sessions` is no handler, or an option is unknown
 */
export function mountSessions(sessions: Mountable, options: MountOptions = {}): MiddlewareHandler {
  refuseUnknownOptions('mountSessions', options, OPTION_NAMES);
  const { clientIp = socketAddress } = options;
  const { handler, basePath } = mounted(sessions);
  return async (c, next) => {
    const { pathname } = new URL(c.req.url);
    if (!isPlainPath(c.req.url, pathname) || !answersFor(basePath, pathname)) {
      await next();
      return;
    }
    const response = await serveBounded(handler, { ip: clientIp(c) }, () => readableRequest(c.req));
    return c.newResponse(response.body, response);
  };
}

/** Where `@hono/node-server` keeps what Node knows of the connection. */
function socketAddress(c: Context): string | undefined {
  const bindings: { readonly incoming?: IncomingMessage } | undefined = c.env;
  return bindings?.incoming?.socket?.remoteAddress;
}
