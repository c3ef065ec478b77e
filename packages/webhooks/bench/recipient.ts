import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * A recipient in a process of its own, so that its work is not in our figures: tells its parent its
 * port. The first segment of the path says how it answers; any other answers 200 at once.
 */
const answers: Readonly<Record<string, (answer: (status?: number) => void, path: Path) => void>> = {
  fails: (answer) => answer(500),
  /** `/hangs/<ms since the epoch>`: from then on, or always. */
  hangs: (answer, { segment }) => void (Date.now() < Number(segment ?? 0) && answer()),
  /** `/takes/<ms>` */
  takes: (answer, { segment }) => setTimeout(answer, Number(segment)),
  busy(answer, { response }) {
    response.setHeader('retry-after', '30');
    answer(429);
  },
  alternates: (answer, { count }) => setTimeout(answer, count % 2 === 0 ? 2_500 : 5),
  'never-reads': (_, { request }) => request.socket.pause(),
  informs: (_, { request, response }) => {
    const timer = setInterval(() => response.writeProcessing(), 1_000);
    request.socket.once('close', () => clearInterval(timer));
  },
};

interface Path {
  readonly segment: string | undefined;
  /** How many requests came before this one. */
  readonly count: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

let count = 0;
const server = createServer((request, response) => {
  const [, kind = '', segment] = request.url?.split('/') ?? [];
  const answer = (status = 200) => response.writeHead(status, { 'content-type': 'text/plain' }).end('ok');
  const path = { segment, count: count++, request, response };
  if (kind === 'never-reads') return void answers[kind]?.(() => answer(), path);
  request.resume();
  request.on('end', () => (answers[kind] ?? ((now) => now()))((status) => answer(status), path));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(address.port);
});
process.on('disconnect', () => process.exit());
