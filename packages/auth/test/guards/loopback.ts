import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on loopback for one test. */
export interface Loopback {
  readonly origin: string;
  readonly port: number;
}

/** Serves until the test is over. */
export async function listen(listener: RequestListener): Promise<Loopback> {
  return await listenOn(createServer(listener));
}

export async function listenOn(server: Server): Promise<Loopback> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port };
}

/**
 * Sends bytes as they are, and gives everything that is answered until the server closes the
 * connection, for which they have to ask. The socket stays open: a server of Node's drops the
 * answer to a client that has ended its side.
 */
export async function exchangeRaw(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request, 'latin1');
  let answered = '';
  for await (const chunk of socket) answered += String(chunk);
  return answered;
}
