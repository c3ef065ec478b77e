import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2Stream } from 'node:http2';
import type { Writable } from 'node:stream';

/** A request of HTTP/1, or of HTTP/2 with its stream. */
type Incoming = IncomingMessage & { readonly stream?: Pick<Http2Stream, 'close'> };

/** RFC 9113 section 7. */
const NO_ERROR = 0;

/** How long a client may go on sending a body after it was answered. */
const MAX_DISCARD_MS = 500;

/**
 * Lets a client finish a request that was answered before its body was read, for half a second,
 * then closes the connection. An immediate close would reset the connection, and a client that is
 * still sending would lose the answer. Without a close, the client could send for as long as the
 * server's `requestTimeout`.
 */
export function discardRest(incoming: Incoming): void {
  if (incoming.complete || incoming.destroyed) return;
  const timer = setTimeout(() => {
    // A request that arrived completely has left the connection to the next one.
    if (!incoming.complete) close(incoming);
  }, MAX_DISCARD_MS);
  timer.unref?.();
  const settle = () => clearTimeout(timer);
  incoming.once('close', settle).once('end', settle);
  // A reader that stopped midway still blocks the stream with its `readable` listeners. Without
  // them, the rest is discarded.
  incoming.removeAllListeners('readable').resume();
}

/** In HTTP/2, destroying the request would leave its stream open. */
function close(incoming: Incoming): void {
  if (incoming.stream === undefined) incoming.destroy();
  else incoming.stream.close(NO_ERROR);
}

/** Discards the rest of a request once other code has written its answer. */
export function discardRestOnceWritten(
  incoming: Incoming,
  outgoing: ServerResponse & { readonly stream?: Writable },
): void {
  // In HTTP/2 the response finishes when its stream closes, which waits for the body of the
  // request. The stream itself finishes when the answer is written.
  (outgoing.stream ?? outgoing).once('finish', () => discardRest(incoming));
}
