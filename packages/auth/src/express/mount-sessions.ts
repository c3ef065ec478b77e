import { type ExpressHandler, expressHandler } from '../../../toolkit/src/mounts/express-handler.ts';
import { toWebRequest } from '../../../toolkit/src/node-web/node-request.ts';
import { serveBounded } from '../http/bounded-exchange.ts';
import { type Mountable, mounted } from '../http/fetch-handler.ts';

/**
 * Serves the endpoints of `createSessions`, or another fetch handler, from Express 4 or 5.
 *
 * ```ts
 * app.use(mountSessions(sessions));
 * ```
 *
 * The path that counts is the one that the client asked for (`originalUrl`), below any prefix of
 * routers: every path outside `<cookiePath>/auth` goes to `next()`, and so does every other
 * spelling of one inside it (`/x/../api/…`): Express has led that past whatever guards the path.
 * Mount it before `express.json()`: after it, Express answers malformed JSON itself, and may print
 * the body. Of a body at most 64 KiB are read. A handler that throws goes to `next(error)`.
 */
export function mountSessions(sessions: Mountable): ExpressHandler {
  const { handler, basePath } = mounted(sessions);
  return expressHandler(basePath, (request, extras) => {
    const connection = { ip: request.ip ?? request.socket.remoteAddress };
    return serveBounded(handler, connection, () => toWebRequest(request, extras));
  });
}
