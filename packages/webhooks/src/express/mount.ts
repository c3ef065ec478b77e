import { type ExpressHandler, expressHandler } from '../../../toolkit/src/mounts/express-handler.ts';
import { toWebRequest } from '../../../toolkit/src/node-web/node-request.ts';
import { answerRequest, type FetchHandler } from '../answer-request.ts';

/**
 * Serves a fetch handler, such as the admin API, from Express 4 or 5.
 *
 * ```ts
 * app.use(mount(createAdminApi(webhooks, { authorize })));
 * ```
 *
 * The path that the client requested (`originalUrl`) counts, and the handler's `basePath` is always
 * the full path: `app.use('/api/admin/webhooks', mount(api))` does the same. Every path outside it
 * goes to `next()`. Every other spelling of a path inside it (`/x/../api/…`) goes there, because
 * Express does not apply the middleware that guards the path to it. `authorize` receives Express's
 * request as its second argument. Mount it before `express.json()`, which otherwise refuses some
 * requests first. An error of the handler goes to `next(error)`.
 */
export function mount(handler: FetchHandler): ExpressHandler {
  if (typeof handler !== 'function') throw new TypeError('mount: handler must be a function');
  return expressHandler(handler.basePath, (request, extras) =>
    answerRequest(handler, () => toWebRequest(request, extras), request),
  );
}
