import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a client may go on sending a body after it was answered. */
const MAX_DISCARD_MS = 500;

/**
 * Writes a Web `Response` to a Node one: status, headers, each cookie on a line of its own behind those that a
 * middleware has set, and the body at the client's pace. Resolves when the last byte is handed over, or the client
 * is gone.
 */
export async function writeWebResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value);
  }
  for (const cookie of response.headers.getSetCookie()) outgoing.appendHeader('set-cookie', cookie);
  outgoing.writeHead(response.status);
  if (response.body !== null) await writeBody(response.body, outgoing);
  outgoing.end();
}

/**
 * Lets a client finish a request that was answered before its body was read, for half a second, then closes the
 * connection. Closing at once would reset it, and a client still sending would lose the answer; never closing would
 * let it send for as long as the server's `requestTimeout`.
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

async function writeBody(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  outgoing.once('close', stop);
  try {
    // As long as the handler's body is: its end is the handler's to bound.
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) return;
      if (!outgoing.write(value)) await writable(outgoing);
    }
  } finally {
    outgoing.off('close', stop);
  }
}

/** Resolves when the client has taken what was written, or is gone. */
function writable(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle).off('close', settle);
      resolve();
    };
    if (outgoing.destroyed) resolve();
    else outgoing.once('drain', settle).once('close', settle);
  });
}
