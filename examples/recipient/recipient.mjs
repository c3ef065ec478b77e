import { createServer } from 'node:http';
import { receiveWithSigning } from './with-signing.mjs';
import { receiveWithStandardWebhooks } from './with-standardwebhooks.mjs';

const { WEBHOOK_SECRET: secret, PORT: port = '3001' } = process.env;
if (!secret) {
  console.error(`Register http://127.0.0.1:${port}/signing, and set WEBHOOK_SECRET to its secret.`);
  process.exit(2);
}

const MAX_BODY_BYTES = 524_288;
const MAX_REMEMBERED_IDS = 10_000;
const receivers = {
  '/signing': receiveWithSigning(secret),
  '/standardwebhooks': receiveWithStandardWebhooks(secret),
};
const seen = new Set(); // yours: a table with a unique index, written with what the event changes

const server = createServer(async (request, response) => {
  const receive = receivers[request.url];
  if (receive === undefined || request.method !== 'POST') return response.writeHead(404).end();
  try {
    const body = await readBody(request);
    if (body === undefined) return response.writeHead(413, { connection: 'close' }).end();
    const event = await receive(request.headers, body);
    if (event === undefined) return response.writeHead(401).end();
    if (seen.has(event.id)) console.log(`${request.url} ${event.type} ${event.id} again`);
    else handle(request.url, event);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error); // 500 has the sender try again
    response.writeHead(500).end();
  }
});

/** What the event means to this application. A second call with the same id must not come here. */
function handle(path, event) {
  seen.add(event.id);
  if (seen.size > MAX_REMEMBERED_IDS) seen.delete(seen.values().next().value);
  console.log(`${path} ${event.type} ${event.id} ${JSON.stringify(event.data)}`);
}

/** The body as it was sent: what a JSON parser has read can no longer be verified. */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

server.listen(Number(port), '127.0.0.1', () => console.log(`Listening on ${port}`));
process.once('SIGTERM', () => {
  server.close();
  setTimeout(() => server.closeAllConnections(), 4_000).unref(); // those that never end
});
