import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP connection to a server that can be cut and mended, while the server itself goes on serving others. */
export interface SeverableLink {
  /** The server's URL, by way of the link. */
  readonly url: string;
  /** Connections end at once, and new ones are refused. */
  cut(): Promise<void>;
  /** Connections are possible again, at the same address. */
  mend(): Promise<void>;
}

/** Opens a link on a free loopback port to the server that the URL names. */
export async function openLink(target: string, defaultPort: number): Promise<SeverableLink> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let server = await listen(0);
  const address = server.address() as AddressInfo;

  async function listen(ownPort: number): Promise<Server> {
    const opened = createServer((near) => {
      const far = connect(Number(port) || defaultPort, hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        // A socket that was cut says so; the other end is cut as well.
        from.on('error', () => {});
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
    opened.listen(ownPort, '127.0.0.1');
    await once(opened, 'listening');
    return opened;
  }

  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    async cut() {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
    async mend() {
      server = await listen(address.port);
    },
  };
}
