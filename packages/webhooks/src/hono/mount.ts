import type { Context, MiddlewareHandler } from 'hono';
import { answersFor, type FetchHandler } from '../http/fetch-handler.ts';
import { isPlainPath } from '../http/plain-path.ts';
import { UnusableRequestError, unusableResponse } from '../http/unusable-request.ts';

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
    if (!isPlainPath(c.req.url, pathname) || !answersFor(handler, pathname)) {
      await next();
      return;
    }
    let request: Request;
    try {
      request = await readableRequest(c);
    } catch (error) {
      return unusableResponse(error);
    }
    const response = await handler(request);
    // Through the context, so that the response includes the headers of an earlier middleware.
    return c.newResponse(response.body, response);
  };
}

/**
 * Returns a request with an unread body. If a middleware has read it, the body is restored from
 * Hono's copy.
 *
 * @throws UnusableRequestError if it cannot be restored, for example because it is nested too
 *   deeply
 */
async function readableRequest(c: Context): Promise<Request> {
  const { raw } = c.req;
  if (!raw.bodyUsed) return raw;
  const headers = new Headers(raw.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  try {
    const body = await c.req.arrayBuffer();
    return new Request(raw.url, { method: raw.method, headers, signal: raw.signal, body });
  } catch (cause) {
    throw new UnusableRequestError('The body cannot be read.', { cause });
  }
}
