import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientSignal } from './client-signal.ts';
import { discardRest } from './discard-request.ts';
import { writeWebResponse } from './node-response.ts';

/**
 * Writes what `answer` gives as the answer to one Node request. Nothing is written to a client that
 * is gone, nor over an answer that the host has begun. What the client still sends of its body is
 * discarded.
 *
 * @param answer gets a signal that fires when the client disconnects
 * @throws whatever `answer` throws; nothing has been written then, unless its body failed midway
 */
export async function serveNodeRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (client: AbortSignal) => Promise<Response>,
): Promise<void> {
  const response = await answer(clientSignal(outgoing));
  if (outgoing.destroyed || outgoing.headersSent) return;
  await writeWebResponse(response, outgoing);
  discardRest(incoming);
}
