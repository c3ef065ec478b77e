import { type FastifyPlugin, fastifyPlugin } from '../../../toolkit/src/mounts/fastify-plugin.ts';
import { toWebRequest } from '../../../toolkit/src/node-web/node-request.ts';
import { answerRequest, type FetchHandler } from '../answer-request.ts';

/**
 * Serves a fetch handler, such as the admin API, from Fastify 5.
 *
 * ```ts
 * app.register(mount(createAdminApi(webhooks, { authorize })));
 * ```
 *
 * The plugin registers routes for the handler's `basePath` and everything below it, in a context of
 * its own. The app's hooks apply, and `authorize` receives Fastify's request as its second
 * argument. Its content type parsers and its body limit do not: the handler reads the body, and
 * limits it. A `prefix` must be the start of `basePath`; a handler without a `basePath` serves the
 * prefix that it is registered under. An error of the handler goes to the app's error handler.
 *
 * @throws TypeError if the handler is not a function; while the app starts, if the prefix does not
 *   fit `basePath`
 */
export function mount(handler: FetchHandler): FastifyPlugin {
  if (typeof handler !== 'function') throw new TypeError('mount: handler must be a function');
  return fastifyPlugin('mount', handler.basePath, (request, extras) =>
    answerRequest(handler, () => toWebRequest(request.raw, extras), request),
  );
}
