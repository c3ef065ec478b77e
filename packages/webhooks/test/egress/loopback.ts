import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { type OpenSocket, openTcpSocket } from '../../src/egress/connector.ts';
import {
  createEgressWith,
  type EgressOptions,
  type GuardedEgress,
  type SendRequest,
} from '../../src/egress/egress.ts';
import type { Resolve } from '../../src/egress/resolve.ts';
import type { SendResult } from '../../src/egress/send-result.ts';

/** An egress under test and the addresses that it opened sockets to. */
export interface TestEgress extends Omit<GuardedEgress, 'send'> {
  /** For the host's own webhooks unless a tenant is given. */
  send(request: Omit<SendRequest, 'tenant'> & { readonly tenant?: string }): Promise<SendResult>;
  readonly opened: string[];
}

/** The dependencies that a test egress replaces. */
export interface TestDependencies {
  readonly openSocket?: OpenSocket;
  readonly trust?: SecureContextOptions;
}

/** Resolves every name to the given addresses. */
export const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/**
 * An egress that cannot leave this machine, were the policy broken: it records every address that a
 * socket is opened to and refuses any but loopback. Closed when the test ends.
 */
export function testEgress(options: EgressOptions = {}, dependencies: TestDependencies = {}): TestEgress {
  const opened: string[] = [];
  const openSocket: OpenSocket = (address, port) => {
    opened.push(address);
    if (dependencies.openSocket !== undefined) return dependencies.openSocket(address, port);
    if (!/^127\.|^::1$/.test(address)) throw new Error('only loopback is connected to in tests');
    return openTcpSocket(address, port);
  };
  const egress = createEgressWith(
    { ...dependencies, openSocket },
    { timeoutMs: 5000, resolve: resolvesTo('127.0.0.1'), ...options },
  );
  onTestFinished(() => egress.close());
  return { ...egress, send: (request) => egress.send({ tenant: '', ...request }), opened };
}

/** A server on loopback: its port, and the connections it has seen. Closed when the test ends. */
export interface Recipient {
  readonly port: number;
  readonly connections: Socket[];
  readonly url: string;
}

/** Starts an HTTP server on loopback. */
export function httpRecipient(listener: RequestListener): Promise<Recipient> {
  return listen(createHttpServer(listener));
}

/** Starts a server on loopback that speaks whatever `onConnection` writes. */
export function rawRecipient(onConnection: (socket: Socket) => void): Promise<Recipient> {
  return listen(createTcpServer(onConnection));
}

/** Starts a server that answers the first bytes of every connection with `reply`. */
export function replyingRecipient(reply: string | Buffer): Promise<Recipient> {
  return rawRecipient((socket) => socket.once('data', () => socket.write(reply)));
}

/** Starts `server` on a free port of loopback. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<Recipient> {
  const connections: Socket[] = [];
  server.on('connection', (socket) => {
    connections.push(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, connections, url: `http://127.0.0.1:${port}/hook` };
}

/** A port of loopback that nobody listens on. */
export async function unusedPort(): Promise<number> {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
