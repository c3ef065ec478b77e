import type { ServerResponse } from 'node:http';
import { addHeaders, dropForeignHeaders } from './add-headers.ts';

/**
 * Writes a Web `Response` to a Node one: status, headers, each cookie as a separate header, and the
 * body as fast as the client reads it. Resolves when the last byte is passed to the socket, or the
 * client has disconnected.
 */
export async function writeWebResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  dropForeignHeaders(outgoing);
  addHeaders(response.headers, {
    set: (name, value) => outgoing.setHeader(name, value),
    append: (name, value) => outgoing.appendHeader(name, value),
  });
  outgoing.writeHead(response.status);
  if (response.body !== null) await writeBody(response.body, outgoing);
  outgoing.end();
}

async function writeBody(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  outgoing.once('close', stop);
  try {
    // This lasts as long as the handler's body, which only the handler can limit.
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) return;
      if (!outgoing.write(value)) await writable(outgoing);
    }
  } finally {
    outgoing.off('close', stop);
  }
}

/** Resolves when the client has taken the written bytes, or has disconnected. */
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
