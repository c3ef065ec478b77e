import type { ServerResponse } from 'node:http';
import { answersFor, type FetchHandler } from '../http/fetch-handler.ts';
import { serveNodeRequest } from '../http/node-exchange.ts';
import { type NodeRequest, pathOf } from '../http/node-request.ts';

/**
 * A request handler for Express 4 and 5, and for Connect. Assignable to `express.RequestHandler`.
 */
export type ExpressHandler = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Serves a fetch handler, such as the admin API, from Express 4 or 5.
 *
 * ```ts
 * app.use(mount(createAdminApi(webhooks, { authorize })));
 * ```
 *
 * The path that the client requested (`originalUrl`) counts, so
 * `app.use('/api/admin/webhooks', mount(api))` does the same: the handler's `basePath` is always
 * the full path. Every path outside it goes to `next()`. So does every other spelling of a path
 * inside it (`/x/../api/…`), because Express does not apply the middleware that guards the path to
 * it. Mount it before `express.json()`, which otherwise refuses some requests first. An error of
 * the handler goes to `next(error)`.
 */
export function mount(handler: FetchHandler): ExpressHandler {
  if (typeof handler !== 'function') throw new TypeError('mount: handler must be a function');
  return (request, response, next) => {
    if (!answersFor(handler, pathOf(request))) {
      next();
      return;
    }
    serveNodeRequest(handler, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else next(error);
    });
  };
}
