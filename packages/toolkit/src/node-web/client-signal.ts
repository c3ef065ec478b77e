import type { ServerResponse } from 'node:http';

/** A signal that fires when the client is gone before its answer was written in full. */
export function clientSignal(outgoing: ServerResponse): AbortSignal {
  const client = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) client.abort();
  });
  return client.signal;
}
