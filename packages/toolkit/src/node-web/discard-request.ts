import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/** How long a client may go on sending a body after it was answered. */
const MAX_DISCARD_MS = 500;

/**
 * Lets a client finish a request that was answered before its body was read, for half a second,
 * then closes the connection. Closing at once would reset it, and a client still sending would lose
 * the answer; never closing would let it send for as long as the server's `requestTimeout`.
 */
export function discardRest(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  const timer = setTimeout(() => {
    // A request that came in whole has left the connection to the next one.
    if (!incoming.complete) incoming.destroy();
  }, MAX_DISCARD_MS);
  timer.unref();
  const settle = () => clearTimeout(timer);
  incoming.once('close', settle).once('end', settle);
  // A reader that stopped midway still holds the stream; without it, what comes flows away.
  incoming.removeAllListeners('readable').resume();
}

/** Discards the rest of a request once another party has written its answer. */
export function discardRestOnceWritten(
  incoming: IncomingMessage,
  outgoing: ServerResponse & { readonly stream?: Writable },
): void {
  // In HTTP/2 the response finishes when its stream closes, which waits for the body of the
  // request. The stream itself finishes when the answer is written.
  (outgoing.stream ?? outgoing).once('finish', () => discardRest(incoming));
}
