import type { ServerResponse } from 'node:http';
import { discardRest } from './discard-request.ts';
import type { FetchHandler } from './fetch-handler.ts';
import { type NodeRequest, toWebRequest } from './node-request.ts';
import { writeWebResponse } from './node-response.ts';
import { UnusableRequestError } from './unusable-request.ts';

/**
 * Serves one Node request with a Web handler. A client that disconnects aborts the handler's `request.signal`,
 * and nothing is written any more. A request that no `Request` can carry is answered 400 without the handler.
 *
 * @throws whatever the handler throws; nothing has been written then, unless its body failed midway
 */
export async function serveNodeRequest(
  handler: FetchHandler,
  incoming: NodeRequest,
  outgoing: ServerResponse,
): Promise<void> {
  const client = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) client.abort();
  });
  const response = await answer(handler, incoming, client.signal);
  if (outgoing.destroyed || outgoing.headersSent) return;
  await writeWebResponse(response, outgoing);
  discardRest(incoming);
}

async function answer(handler: FetchHandler, incoming: NodeRequest, signal: AbortSignal): Promise<Response> {
  let request: Request;
  try {
    request = toWebRequest(incoming, signal);
  } catch (error) {
    if (error instanceof UnusableRequestError) return badRequest(error.message);
    throw error;
  }
  return handler(request);
}

/** RFC 9457. */
function badRequest(detail: string): Response {
  const problem = { type: 'about:blank', title: 'Bad Request', status: 400, code: 'bad_request', detail };
  return new Response(JSON.stringify(problem), {
    status: 400,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
