import type { ServerResponse } from 'node:http';

/**
 * Returns a signal that fires if the client disconnects before its answer is written in full.
 *
 * @throws Error as {@link refuseBegun} does
 */
export function clientSignal(outgoing: ServerResponse): AbortSignal {
  refuseBegun(outgoing);
  const client = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) client.abort();
  });
  return client.signal;
}

/** A response of Node's that may have begun. */
export type BegunResponse = Pick<ServerResponse, 'headersSent' | 'destroy'>;

/**
 * Breaks a response off whose headers are on their way: ours, cookies included, would be lost, and
 * nobody would end it.
 *
 * @throws Error if the response has begun
 */
export function refuseBegun(outgoing: BegunResponse): void {
  if (!outgoing.headersSent) return;
  outgoing.destroy();
  throw new Error('The response was begun before the mounted handler could answer');
}
