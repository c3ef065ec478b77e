import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A network between a driver and its database that loses answers. */
export interface SwallowingProxy {
  /** The database's URL by way of this network. */
  url(url: string): string;
  /**
   * Loses the answers to the next statements that the pattern finds, one of each connection, and
   * whatever follows on that connection. Neither side learns of it.
   */
  swallow(statement: RegExp, times?: number): void;
  /** Loses the answer to one such statement, and closes the connection when it comes. */
  cut(statement: RegExp): void;
  /** The statements of which the answer was lost. */
  readonly swallowed: number;
  /** Connections that are open. */
  readonly open: number;
  close(): Promise<void>;
}

/** Listens on a port of the loopback interface, in front of the server of a URL. */
export async function swallowingProxy(url: string): Promise<SwallowingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const wanted: { readonly statement: RegExp; readonly closes: boolean }[] = [];
  let swallowed = 0;

  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    let lost: (typeof wanted)[number] | undefined;
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
    sockets.add(client).add(database);
    client.on('close', () => sockets.delete(client));
    database.on('close', () => sockets.delete(database));
    client.on('data', (bytes: Buffer) => {
      if (lost === undefined && wanted[0]?.statement.test(bytes.toString('latin1')) === true) {
        lost = wanted.shift();
        swallowed += 1;
      }
      database.write(bytes);
    });
    database.on('data', (bytes: Buffer) => {
      if (lost === undefined) client.write(bytes);
      else if (lost.closes) client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    url(given) {
      const own = new URL(given);
      own.hostname = '127.0.0.1';
      own.port = String(ownPort);
      return own.href;
    },
    swallow(statement, times = 1) {
      for (let time = 0; time < times; time += 1) wanted.push({ statement, closes: false });
    },
    cut: (statement) => void wanted.push({ statement, closes: true }),
    get swallowed() {
      return swallowed;
    },
    get open() {
      return sockets.size / 2;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
