import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

/** A proxy on loopback that keeps whatever passes through it for a while. */
export interface DelayingProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** @param delayMs each way: what a network between two zones of a cloud takes is 0.5–2 ms */
export async function startDelayingProxy(target: number, delayMs: number): Promise<DelayingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = createConnection({ host: '127.0.0.1', port: target, noDelay: true });
    near.setNoDelay(true);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      // Timers of one length fire in the order in which they were set.
      from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), delayMs));
      from.on('close', () => setTimeout(() => to.destroy(), delayMs));
      from.on('error', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
