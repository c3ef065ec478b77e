import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on a free port of loopback. */
export interface Loopback {
  readonly server: Server;
  readonly port: number;
  readonly origin: string;
}

/** Serves until the test has finished. */
export async function listen(listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, origin: `http://127.0.0.1:${port}` };
}

/**
 * Sends bytes as they are, and returns everything that comes back until the server closes the
 * connection, which the bytes have to ask for. The client's side stays open: Node's server drops
 * the answer to a client that has ended its side.
 */
export async function exchangeRaw(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request, 'latin1');
  let answered = '';
  for await (const chunk of socket.setEncoding('latin1')) answered += chunk;
  return answered;
}
