import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/**
 * A TCP connection to a server that can be cut and restored, while the server itself goes on
 * serving others.
 */
export interface SeverableLink {
  /** The server's URL, by way of the link. */
  readonly url: string;
  /** Connections end at once, and new ones are refused. */
  cut(): Promise<void>;
  /** Connections are possible again, at the same address. */
  repair(): Promise<void>;
  /**
   * Cuts each of the next connections that sends such bytes (as Latin-1), which the server gets all
   * the same: `executed`, when its answer comes; `sent`, at once, so that the server is perhaps
   * still at it when the client asks again.
   */
  loseAnswers(to: RegExp, count: number, when: 'executed' | 'sent'): void;
  /** How many answers are still to be lost. */
  answersToLose(): number;
}

/** Opens a link on a free loopback port to the server that the URL names. */
export async function openLink(target: string, defaultPort: number): Promise<SeverableLink> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const losing = { to: /(?!)/, count: 0, when: 'executed' as 'executed' | 'sent' };
  let server = await listen(0);
  const address = server.address() as AddressInfo;

  function relay(near: Socket): void {
    const far = connect(Number(port) || defaultPort, hostname);
    let isLost = false;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      // A socket that was cut says so; the other end is cut as well.
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        // What was sent to the server before arrives there.
        if (isLost && to === far) far.end();
        else to.destroy();
      });
    }
    const requests = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (losing.count > 0 && losing.to.test(chunk.toString('latin1'))) {
          losing.count -= 1;
          isLost = true;
          far.write(chunk);
          if (losing.when === 'sent') near.destroy();
          return done();
        }
        done(null, chunk);
      },
    });
    const answers = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (isLost) near.destroy();
        done(null, isLost ? undefined : chunk);
      },
    });
    near.pipe(requests).pipe(far);
    far.pipe(answers).pipe(near);
  }

  async function listen(ownPort: number): Promise<Server> {
    const opened = createServer(relay);
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
    async repair() {
      server = await listen(address.port);
    },
    loseAnswers(to, count, when) {
      Object.assign(losing, { to, count, when });
    },
    answersToLose: () => losing.count,
  };
}
