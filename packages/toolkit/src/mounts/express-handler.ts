import type { ServerResponse } from 'node:http';
import { answersFor } from '../node-web/base-path.ts';
import { serveNodeRequest } from '../node-web/node-exchange.ts';
import { type NodeRequest, pathOf, type RequestExtras, targetOf } from '../node-web/node-request.ts';

/**
 * A request handler for Express 4 and 5, and for Connect. Assignable to `express.RequestHandler`.
 */
export type ExpressHandler = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Serves what lies below a base path with `answer`. Every other path goes to `next()`, and an error
 * of `answer` to `next(error)`.
 */
export function expressHandler(
  basePath: string | undefined,
  answer: (request: NodeRequest, extras: RequestExtras) => Promise<Response>,
): ExpressHandler {
  return (request, response, next) => {
    if (!answersFor(basePath, pathOf(targetOf(request)))) {
      next();
      return;
    }
    serveNodeRequest(request, response, (signal) => answer(request, { signal })).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      // Express takes `next(undefined)` for no error, and goes on to the next route.
      else next(error ?? new Error('The handler rejected with nothing'));
    });
  };
}
