import type { ServerResponse } from 'node:http';
import { answersFor, type Serves } from '../node-web/base-path.ts';
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
 * of `answer` to `next(error)`. A response that is begun then, by a middleware, is broken off; so is
 * one whose body failed midway, of which the app hears nothing.
 */
export function expressHandler(
  basePath: string | undefined,
  answer: (request: NodeRequest, extras: RequestExtras, outgoing: ServerResponse) => Promise<Response>,
  serves?: Serves,
): ExpressHandler {
  return (request, response, next) => {
    if (!answersFor(basePath, pathOf(targetOf(request)), serves)) {
      next();
      return;
    }
    let isOurs = false;
    const serve = async (signal: AbortSignal) => {
      const answered = await answer(request, { signal }, response);
      isOurs = !response.headersSent;
      return answered;
    };
    serveNodeRequest(request, response, serve).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      if (isOurs && response.headersSent) return;
      // Express takes `next(undefined)` for no error, and goes on to the next route.
      next(error ?? new Error('The handler rejected with nothing'));
    });
  };
}
