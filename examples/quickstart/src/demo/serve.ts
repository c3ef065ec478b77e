import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The log-ins of this demo are public knowledge: only this machine may reach it. */
const HOST = '127.0.0.1';
const LOCAL_NAMES = /^(127\.0\.0\.1|localhost)(:\d+)?$/;
const DEFAULT_PORTS = { PORT: 3000, RECIPIENT_PORT: 3001 };

/**
 * Listens on 127.0.0.1, reports the address to the parent process, and closes when asked to end. 0
 * in the environment variable takes any free port.
 */
export async function serve(
  app: RequestListener,
  portVariable: keyof typeof DEFAULT_PORTS,
  close: () => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    // A name of another site that resolves to this machine would share the origin with its pages.
    if (LOCAL_NAMES.test(request.headers.host ?? '')) app(request, response);
    else response.writeHead(421).end(`The demo answers to ${HOST} alone.\n`);
  });
  const wanted = process.env[portVariable] || DEFAULT_PORTS[portVariable];
  try {
    await once(server.listen(Number(wanted), HOST), 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`${portVariable} ${wanted}: ${reason}\nChoose another one: ${portVariable}=0 npm run demo`);
    await close();
    return void process.exit(1);
  }
  endWithParent(async () => {
    server.close();
    await close();
  });
  process.send?.({ url: `http://${HOST}:${(server.address() as AddressInfo).port}` });
}

/** Ends in order: by Ctrl-C, by SIGTERM, or because the parent process is gone. */
export function endWithParent(close: () => Promise<void>): void {
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    await close();
    if (process.connected) process.disconnect();
  };
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => void end());
}
