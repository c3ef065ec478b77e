import type { ServerResponse } from 'node:http';
import { serveBounded } from './bounded-exchange.ts';
import { clientSignal } from './client-signal.ts';
import type { FetchHandler } from './fetch-handler.ts';
import { type NodeRequest, toWebRequest } from './node-request.ts';
import { discardRest, writeWebResponse } from './node-response.ts';

/**
 * Serves one Node request with a Web handler. A client that disconnects aborts the handler's `request.signal`, and
 * nothing is written any more. A request that no `Request` can carry is answered 400 without the handler.
 *
 * @throws whatever the handler throws; nothing has been written then, unless its body failed midway
 */
export async function serveNodeRequest(
  handler: FetchHandler,
  incoming: NodeRequest,
  outgoing: ServerResponse,
): Promise<void> {
  const client = { ip: incoming.ip ?? incoming.socket.remoteAddress };
  const signal = clientSignal(outgoing);
  const response = await serveBounded(handler, client, () => toWebRequest(incoming, signal));
  if (outgoing.destroyed || outgoing.headersSent) return;
  await writeWebResponse(response, outgoing);
  discardRest(incoming);
}
