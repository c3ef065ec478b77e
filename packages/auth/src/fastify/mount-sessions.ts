import { type FastifyPlugin, fastifyPlugin } from '../../../toolkit/src/mounts/fastify-plugin.ts';
import { toWebRequest } from '../../../toolkit/src/node-web/node-request.ts';
import { serveBounded } from '../http/bounded-exchange.ts';
import { type Mountable, mounted } from '../http/fetch-handler.ts';

/**
 * Serves the endpoints of `createSessions`, or another fetch handler, from Fastify 5.
 *
 * ```ts
 * app.register(mountSessions(sessions));
 * ```
 *
 * The plugin has routes for `<cookiePath>/auth` and what lies below, in a context of its own: the
 * content type parsers of the app do not apply, its hooks do. Of a body at most 64 KiB are read. A
 * `prefix` has to be the beginning of that path; a handler that names no `basePath` answers for the
 * prefix it is registered under.
 *
 * What Fastify refuses before it knows a route does not reach the plugin: a path that cannot be
 * decoded (`%zz`), and a method that the app does not support (`PROPFIND`). Those are answered in
 * Fastify's own format, by its option `frameworkErrors` and its not-found handler.
 *
 * @throws TypeError while the app starts, when the prefix and the path do not fit
 */
export function mountSessions(sessions: Mountable): FastifyPlugin {
  const { handler, basePath } = mounted(sessions);
  return fastifyPlugin('mountSessions', basePath, ({ raw, ip }, extras) =>
    serveBounded(handler, { ip }, () => toWebRequest(raw, extras)),
  );
}
