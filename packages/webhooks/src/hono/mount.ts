import type { MiddlewareHandler } from 'hono';
import { honoMiddleware } from '../../../toolkit/src/mounts/hono-middleware.ts';
import { answerRequest, type FetchHandler } from '../answer-request.ts';

/**
 * Serves a fetch handler, such as the admin API, from Hono 4, on any runtime that supports the
 * handler.
 *
 * ```ts
 * app.use(mount(createAdminApi(webhooks, { authorize })));
 * ```
 *
 * The path that the client requested counts, also below a `basePath` or `route` of the app: the
 * handler's `basePath` is always the full path, and `authorize` receives Hono's context as its
 * second argument. Every path outside it goes to `next()`. A body that a middleware has read
 * through `c.req` (`c.req.json()`, a validator) is still available. An error of the handler goes to
 * `app.onError`.
 *
 * @throws TypeError if the handler is not a function
 */
export function mount(handler: FetchHandler): MiddlewareHandler {
  if (typeof handler !== 'function') throw new TypeError('mount: handler must be a function');
  return honoMiddleware(handler.basePath, (c, makeRequest) => answerRequest(handler, makeRequest, c));
}
