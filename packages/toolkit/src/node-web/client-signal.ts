import type { ServerResponse } from 'node:http';

/** Returns a signal that fires if the client disconnects before its answer is written in full. */
export function clientSignal(outgoing: ServerResponse): AbortSignal {
  const client = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) client.abort();
  });
  return client.signal;
}
