import { createServer } from 'node:http';

/** A recipient in a process of its own, so that its work is not in our figures: tells its parent its port, answers 200 but where it hangs or fails. */
const HANGING = '/hangs';
const FAILING = '/fails';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url === HANGING) return;
    response.writeHead(request.url === FAILING ? 500 : 200, { 'content-type': 'text/plain' }).end('ok');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(address.port);
});
process.on('disconnect', () => process.exit());
