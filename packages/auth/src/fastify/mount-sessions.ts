import type { ServerResponse } from 'node:http';
import {
  type FastifyPlugin,
  fastifyPlugin,
  type PluginRequest,
} from '../../../toolkit/src/mounts/fastify-plugin.ts';
import { type RequestExtras, toWebRequest } from '../../../toolkit/src/node-web/node-request.ts';
import { type Mountable, mounted } from '../http/fetch-handler.ts';
import { serveBounded } from '../http/serve-bounded.ts';

/**
 * Serves the endpoints of `createSessions`, or another fetch handler, from Fastify 5.
 *
 * ```ts
 * app.register(mountSessions(sessions));
 * ```
 *
 * The plugin has routes for `<cookiePath>/auth` and everything below it, in a context of its own.
 * Routes of yours there come first; any other path is for your not-found handler.
 * The app's hooks apply; its content type parsers do not. At most 64 KiB of a body are read. That
 * path must start with the `prefix`, if there is one. A handler without a `basePath` serves the
 * prefix that it is registered under.
 *
 * Fastify refuses some requests before it knows a route: a path that cannot be decoded (`%zz`), and
 * a method that the app does not support (`PROPFIND`). They do not reach the plugin. Fastify
 * answers them in its own format, through its option `frameworkErrors` and its not-found handler.
 *
 * @throws TypeError while the app starts, if the prefix and the path do not fit
 */
export function mountSessions(sessions: Mountable): FastifyPlugin {
  const { handler, basePath, serves } = mounted(sessions);
  const answer = ({ raw, ip }: PluginRequest, extras: RequestExtras, outgoing: ServerResponse) =>
    serveBounded(handler, { ip, hasBegun: () => outgoing.headersSent }, () => toWebRequest(raw, extras));
  return fastifyPlugin('mountSessions', basePath, answer, serves);
}
