import { serveNodeRequest } from '../../src/node-web/node-exchange.ts';
import { type NodeRequest, type RequestExtras, toWebRequest } from '../../src/node-web/node-request.ts';
import { UnusableRequestError } from '../../src/node-web/unusable-request.ts';
import { listen } from '../loopback.ts';

export type FetchHandler = (request: Request) => Promise<Response>;

interface Serving {
  readonly onError?: (error: unknown) => void;
}

/**
 * Serves a handler from a bare Node server until the test has finished. A failure of the exchange
 * fails the test that waits for it.
 */
export function serve(handler: FetchHandler, { onError }: Serving = {}) {
  return listen((incoming, outgoing) => {
    serveNodeRequest(incoming, outgoing, (signal) => answer(handler, incoming, { signal })).catch((error) => {
      onError?.(error);
      outgoing.destroy();
    });
  });
}

/** 400 to a request that no `Request` can carry. */
async function answer(
  handler: FetchHandler,
  incoming: NodeRequest,
  extras: RequestExtras,
): Promise<Response> {
  let request: Request;
  try {
    request = toWebRequest(incoming, extras);
  } catch (error) {
    if (error instanceof UnusableRequestError) return new Response(error.message, { status: 400 });
    throw error;
  }
  return await handler(request);
}

/** Answers with what arrived, as JSON. */
export const echo: FetchHandler = async (request) =>
  Response.json({
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  });
