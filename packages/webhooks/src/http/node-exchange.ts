import type { ServerResponse } from 'node:http';
import { discardRest } from './discard-request.ts';
import type { FetchHandler } from './fetch-handler.ts';
import { type NodeRequest, toWebRequest } from './node-request.ts';
import { writeWebResponse } from './node-response.ts';
import { unusableResponse } from './unusable-request.ts';

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
  const response = await answerNodeRequest(handler, incoming, outgoing);
  if (outgoing.destroyed || outgoing.headersSent) return;
  await writeWebResponse(response, outgoing);
  discardRest(incoming);
}

/**
 * What a Web handler answers to one Node request, for a framework that writes a `Response` itself.
 *
 * @param payload what a framework put in the place of the request's own stream, such as a decompressed one
 * @throws whatever the handler throws
 */
export async function answerNodeRequest(
  handler: FetchHandler,
  incoming: NodeRequest,
  outgoing: ServerResponse,
  payload?: AsyncIterable<Uint8Array>,
): Promise<Response> {
  const client = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) client.abort();
  });
  let request: Request;
  try {
    request = toWebRequest(incoming, client.signal, payload);
  } catch (error) {
    return unusableResponse(error);
  }
  return handler(request);
}
