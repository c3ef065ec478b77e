import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What another port may still allow: this one is taken, or is for privileged users. */
const TRIED_ON = ['EADDRINUSE', 'EACCES'];

/**
 * Listens on the first free port.
 *
 * @returns the port, or the code of the error if none can be opened
 */
export async function openPort(
  server: Server,
  host: string,
  ports: readonly number[],
): Promise<{ readonly port: number } | { readonly failure: string }> {
  let failure = '';
  for (const port of ports) {
    try {
      // `once` rejects with the server's error, and removes both of its listeners.
      await once(server.listen(port, host), 'listening');
      return { port: (server.address() as AddressInfo).port };
    } catch (error) {
      failure = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      if (!TRIED_ON.includes(failure)) return { failure };
    }
  }
  return { failure };
}
