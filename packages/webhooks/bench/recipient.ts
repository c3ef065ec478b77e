import { createServer } from 'node:http';

/**
 * A recipient in a process of its own, so that its work is not in our figures: tells its parent its
 * port, answers 200 but where it hangs or fails, after a while where it is slow.
 */
const HANGING = '/hangs';
const FAILING = '/fails';
const SLOW = '/slow';
const SLOW_MS = 100;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url === HANGING) return;
    const answer = () =>
      response.writeHead(request.url === FAILING ? 500 : 200, { 'content-type': 'text/plain' }).end('ok');
    if (request.url === SLOW) setTimeout(answer, SLOW_MS);
    else answer();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(address.port);
});
process.on('disconnect', () => process.exit());
