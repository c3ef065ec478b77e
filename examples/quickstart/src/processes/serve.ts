import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './start-error.ts';

/**
 * A server process: its handler, the work that starts once it listens, and its resources to close.
 */
export interface Service {
  readonly app: RequestListener;
  readonly port: number;
  /** The environment variable that chooses the port. */
  readonly portVariable: string;
  /** Called with the address of the server. */
  readonly start?: (url: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The log-ins of this demo are public knowledge, so only this machine may reach it. */
const HOST = '127.0.0.1';
const LOCAL_NAMES = [HOST, 'localhost'];

/**
 * Listens on 127.0.0.1, reports its address to the parent process, and closes when asked to end: by
 * Ctrl-C, by `SIGTERM`, or because the parent is gone.
 *
 * @throws StartError when the port is in use
 */
export async function serve({ app, port, portVariable, start, close }: Service): Promise<void> {
  const server = createServer((request, response) => {
    // A page of another name that resolves to this machine would be of the same origin as the app.
    if (LOCAL_NAMES.includes(hostnameOf(request.headers.host))) return app(request, response);
    response.writeHead(421, { 'content-type': 'text/plain' }).end(`The demo answers to ${HOST} alone.\n`);
  });
  try {
    await listen(server, port, portVariable);
    await start?.(urlOf(server));
  } catch (error) {
    server.close();
    await close();
    throw error;
  }

  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    server.close();
    close()
      .then(() => process.connected && process.disconnect())
      .catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
  };
  process.on('SIGINT', end).on('SIGTERM', end).on('disconnect', end);
  process.send?.({ url: urlOf(server) });
}

function listen(server: Server, port: number, portVariable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port, portVariable)));
    server.listen(port, HOST, resolve);
  });
}

function explain(error: NodeJS.ErrnoException, port: number, portVariable: string): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const problem = error.code === 'EADDRINUSE' ? 'is in use' : 'may not be used by this account';
  return new StartError(
    `Port ${port} on ${HOST} ${problem}. Choose another one, or 0 for any free one:\n  ${portVariable}=0 npm run demo`,
  );
}

function urlOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://${HOST}:${port}`;
}

function hostnameOf(host = ''): string {
  return host.replace(/:\d+$/, '');
}
