import type { MiddlewareHandler } from 'hono';
import { readableRequest } from '../../../toolkit/src/mounts/hono-request.ts';
import { answersFor } from '../../../toolkit/src/node-web/base-path.ts';
import { isPlainPath } from '../../../toolkit/src/node-web/plain-path.ts';
import { answerRequest } from '../http/answer-request.ts';
import type { FetchHandler } from '../http/fetch-handler.ts';

/**
 * Serves a fetch handler, such as the admin API, from Hono 4, on any runtime that supports the
 * handler.
 *
 * ```ts
 * app.use(mount(createAdminApi(webhooks, { authorize })));
 * ```
 *
 * The path that the client requested counts, also below a `basePath` or `route` of the app: the
 * handler's `basePath` is always the full path. Every path outside it goes to `next()`. A body that
 * a middleware has read through `c.req` (`c.req.json()`, a validator) is still available. An error
 * of the handler goes to `app.onError`.
 *
 * @throws TypeError if the handler is not a function
 */
export function mount(handler: FetchHandler): MiddlewareHandler {
  if (typeof handler !== 'function') throw new TypeError('mount: handler must be a function');
  return async (c, next) => {
    const { pathname } = new URL(c.req.url);
    if (!isPlainPath(c.req.url, pathname) || !answersFor(handler.basePath, pathname)) {
      await next();
      return;
    }
    const response = await answerRequest(handler, () => readableRequest(c.req));
    // Through the context, so that the response includes the headers of an earlier middleware.
    return c.newResponse(response.body, response);
  };
}
