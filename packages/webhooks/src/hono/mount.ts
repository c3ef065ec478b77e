import type { Context, MiddlewareHandler } from 'hono';
import { answersFor, type FetchHandler } from '../http/fetch-handler.ts';
import { isPlainPath } from '../http/plain-path.ts';
import { UnusableRequestError, unusableResponse } from '../http/unusable-request.ts';

/**
 * Serves a fetch handler, such as the admin API, from Hono 4, on any runtime that has what the handler needs.
 *
 * ```ts
 * app.use(mount(createAdminApi(webhooks, { authorize })));
 * ```
 *
 * The path that counts is the one the client asked for, whatever `basePath` or `route` it is put below: the handler's
 * `basePath` is always the full path. Every path outside it goes on to `next()`. A body that a middleware has read
 * through `c.req` (`c.req.json()`, a validator) is still there. A handler that throws goes to `app.onError`.
 *
 * @throws TypeError when the handler is no function
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
    // Through the context, so that the headers of a middleware that ran before are there too.
    return c.newResponse(response.body, response);
  };
}

/**
 * The request, with its body written again from what Hono has kept of it where that has been read.
 *
 * @throws UnusableRequestError when it cannot be written again (nested too deeply, for one)
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
