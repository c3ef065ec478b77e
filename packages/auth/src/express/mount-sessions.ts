import type { ServerResponse } from 'node:http';
import { type ExpressHandler, expressHandler } from '../../../toolkit/src/mounts/express-handler.ts';
import {
  type NodeRequest,
  type RequestExtras,
  toWebRequest,
} from '../../../toolkit/src/node-web/node-request.ts';
import { type Mountable, mounted } from '../http/fetch-handler.ts';
import { serveBounded } from '../http/serve-bounded.ts';

/**
 * Serves the endpoints of `createSessions`, or another fetch handler, from Express 4 or 5.
 *
 * ```ts
 * app.use(mountSessions(sessions));
 * ```
 *
 * The path that the client asked for (`originalUrl`) counts, whatever prefix a router has. Every
 * path without an endpoint of the sessions goes to `next()`. Every other spelling of an endpoint's
 * path (`/x/../api/…`) goes there too, because Express has routed it past the guards of that path.
 *
 * Mount it before `express.json()`. Behind it, Express answers malformed JSON itself, and may print
 * the body. At most 64 KiB of a body are read. An error that the handler throws goes to
 * `next(error)`, as does a response that a middleware has begun.
 */
export function mountSessions(sessions: Mountable): ExpressHandler {
  const { handler, basePath, serves } = mounted(sessions);
  const answer = (request: NodeRequest, extras: RequestExtras, outgoing: ServerResponse) => {
    const ip = request.ip ?? request.socket.remoteAddress;
    const connection = { ip, hasBegun: () => outgoing.headersSent };
    return serveBounded(handler, connection, () => toWebRequest(request, extras));
  };
  return expressHandler(basePath, answer, serves);
}
