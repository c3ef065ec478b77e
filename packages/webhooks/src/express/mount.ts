import type { ServerResponse } from 'node:http';
import { answersFor, type FetchHandler } from '../http/fetch-handler.ts';
import { serveNodeRequest } from '../http/node-exchange.ts';
import { type NodeRequest, pathOf } from '../http/node-request.ts';

/** What Express 4 and 5 (and Connect) call with each request; fits `express.RequestHandler`. */
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
 * The path that counts is the one the client asked for (`originalUrl`), so `app.use('/api/admin/webhooks', mount(api))`
 * does the same; the handler's `basePath` is always the full path. Every path outside it goes to `next()`, and so does
 * every other spelling of one inside it (`/x/../api/…`): Express has led that past whatever guards the path.
 * It is best put before `express.json()`, whose own refusals come first otherwise. A handler that throws goes to `next(error)`.
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
