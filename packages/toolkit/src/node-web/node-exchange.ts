import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientSignal, refuseBegun } from './client-signal.ts';
import { discardRest } from './discard-request.ts';
import { writeWebResponse } from './node-response.ts';

/**
 * Writes the result of `answer` as the answer to one Node request. It writes nothing to a client
 * that has disconnected, nor over a response that the host has ended. It discards the rest of the
 * body that the client still sends.
 *
 * @param answer gets a signal that fires when the client disconnects
 * @throws any error of `answer`; nothing has been written then, unless its body failed midway. An
 *   Error, and nothing is asked, if a middleware has begun the response: no header can follow
 */
export async function serveNodeRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (client: AbortSignal) => Promise<Response>,
): Promise<void> {
  if (outgoing.writableEnded) return;
  const response = await answer(clientSignal(outgoing));
  if (outgoing.destroyed || outgoing.writableEnded) return;
  refuseBegun(outgoing);
  await writeWebResponse(response, outgoing);
  discardRest(incoming);
}
