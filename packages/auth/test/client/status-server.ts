import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What the status endpoint answers; `drop` ends the connection without a word. */
export type Answer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'drop';

/**
 * A host on loopback: one page with the client in it, and a status endpoint that answers as it is
 * told.
 */
export interface StatusServer {
  readonly origin: string;
  /** The headers of each poll that arrived. */
  readonly polls: IncomingHttpHeaders[];
  /** The most polls that were ever under way at the same time. */
  readonly mostAtOnce: number;
  /** Called for every poll. Default: {@link alive}. */
  answer: () => Answer | Promise<Answer>;
  /** Forgets the polls, and answers as at the start. */
  reset(): void;
  close(): Promise<void>;
}

/** The server's clock, in Unix seconds: years from what the pages' clocks show. */
const SERVER_TIME = 2_000_000_000;

/** A live session, whose access token lives for so long. */
export function alive(ttlSeconds = 300, uid = '7'): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'set-cookie': 'access_token=renewed; HttpOnly; Path=/' },
    body: JSON.stringify(sessionBody(ttlSeconds, uid)),
  };
}

function sessionBody(ttlSeconds: number, uid: string): object {
  return { uid, scopes: ['admin'], expires_at: SERVER_TIME + ttlSeconds, server_time: SERVER_TIME };
}

/** What the tests call in a page: their own code has no DOM. */
const PAGE_SCRIPT = `
import { betweenPolls, startStatusPoll } from '/client.js';
const log = [];
let visibility = 'visible';
Object.defineProperty(document, 'visibilityState', { get: () => visibility });
const see = (state) => { visibility = state; document.dispatchEvent(new Event('visibilitychange')); };
const shared = '@acme/auth/status/1:' + new URL('/auth/status', location.origin).href;
Object.assign(window, {
  log,
  startStatusPoll,
  betweenPolls,
  start(options = {}) {
    window.poll = startStatusPoll({
      url: '/auth/status',
      onRefreshed: (session) => log.push(['refreshed', session]),
      onRevoked: () => log.push(['revoked']),
      onFailed: (failure) => log.push(['failed', failure]),
      ...options,
    });
  },
  hide: () => see('hidden'),
  show: () => see('visible'),
  // Turns are given in the order in which they were asked for: all earlier ones are over once this
  // one comes.
  settled: () => (navigator.locks ? navigator.locks.request(shared, () => {}) : fetch('/login').then(() => {})),
  // Takes the turn and never gives it back.
  hog: () => new Promise((held) => navigator.locks.request(shared, () => (held(), new Promise(() => {})))
    .catch(() => log.push(['lock lost']))),
  heard: (kind) => log.filter(([found]) => found === kind).length,
  tell: (outcome) => new BroadcastChannel(shared).postMessage(outcome),
});
`;

export async function startStatusServer(): Promise<StatusServer> {
  const files = await pageFiles();
  const state = { polls: [] as IncomingHttpHeaders[], underWay: 0, mostAtOnce: 0 };
  const server = createServer((request, response) => {
    if (`${request.method} ${request.url}` === 'POST /auth/status') void poll(request.headers, response);
    else serveFile(files, request.url, response);
  });

  async function poll(headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> {
    state.polls.push(headers);
    state.underWay += 1;
    state.mostAtOnce = Math.max(state.mostAtOnce, state.underWay);
    response.once('close', () => {
      state.underWay -= 1;
    });
    const answer = await self.answer();
    if (answer === 'drop') response.destroy();
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const self: StatusServer = {
    origin: `http://127.0.0.1:${address.port}`,
    polls: state.polls,
    get mostAtOnce() {
      return state.mostAtOnce;
    },
    answer: () => alive(),
    reset() {
      state.polls.length = 0;
      state.mostAtOnce = 0;
      self.answer = () => alive();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return self;
}

/** The files of a host's page, by path: content type and text. */
export type PageFiles = ReadonlyMap<string, readonly [type: string, text: string]>;

/**
 * A page with the client in it, a log-in page without, and the client itself, as a host's bundler
 * makes it.
 */
export async function pageFiles(): Promise<PageFiles> {
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="module">${PAGE_SCRIPT}</script>`;
  return new Map([
    ['/', ['text/html', page]],
    ['/login', ['text/html', 'Log in']],
    ['/elsewhere', ['application/json', JSON.stringify(sessionBody(300, '8'))]],
    ['/client.js', ['text/javascript', await bundleClient()]],
  ]);
}

export function serveFile(files: PageFiles, path: string | undefined, response: ServerResponse): void {
  const [type, text] = files.get(path ?? '') ?? [];
  if (type === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': type }).end(text);
}

async function bundleClient(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/client/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
