import type { ServerResponse } from 'node:http';
import { type Mountable, mounted } from '../http/fetch-handler.ts';
import { serveNodeRequest } from '../http/node-exchange.ts';
import { type NodeRequest, pathOf } from '../http/node-request.ts';

/** What Express 4 and 5 (and Connect) call with each request; fits `express.RequestHandler`. */
export type ExpressHandler = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Serves the endpoints of `createSessions`, or another fetch handler, from Express 4 or 5.
 *
 * ```ts
 * app.use(mountSessions(sessions));
 * ```
 *
 * The path that counts is the one that the client asked for (`originalUrl`), below any prefix of routers: every path
 * outside `<cookiePath>/auth` goes to `next()`. Mount it before `express.json()`: after it, Express answers
 * malformed JSON itself, and may print the body. Of a body at most 64 KiB are read. A handler that throws goes to `next(error)`.
 */
export function mountSessions(sessions: Mountable): ExpressHandler {
  const { handler, answersFor } = mounted(sessions);
  return (request, response, next) => {
    if (!answersFor(pathOf(request))) {
      next();
      return;
    }
    serveNodeRequest(handler, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else next(error ?? new Error('The handler rejected with nothing'));
    });
  };
}
