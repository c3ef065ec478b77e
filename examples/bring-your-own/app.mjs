import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createWebhooks, defineEvents } from '@acme/webhooks';
import { verify } from '@acme/webhooks/signing';
import Database from 'libsql';
import { sqliteStorage } from './sqlite-storage.mjs';
import { tableQueue } from './table-queue.mjs';

const { DATABASE_FILE: file = 'app.db', PORT: port = '3000' } = process.env;
const db = new Database(file); // yours: the connection that you have
const webhooks = createWebhooks({
  storage: sqliteStorage(db),
  queue: tableQueue(db),
  events: defineEvents({ 'order.created': { label: 'Order placed' } }),
  builtInEvents: false, // this app sends none of them
  egress: { allowedAddresses: ['127.0.0.1/32'] }, // [] in production: only public addresses
  onError: (error, { source }) => console.error('webhooks', source, error.code),
});
const MAX_BODY_BYTES = 524_288;
const url = `http://127.0.0.1:${port}/recipient`;
// The file outlives the process, and the secret that the recipient knows does not.
const [known] = (await webhooks.list({ search: url })).webhooks;
const { secret } = known
  ? await webhooks.rotateSecret(known.id)
  : await webhooks.create({ url, events: ['order.*'] });

const routes = {
  async 'POST /orders'() {
    await webhooks.dispatch('order.created', { id: 7 });
    return 201;
  },
  /** What your customers write; here, in the same process. */
  async 'POST /recipient'(request) {
    const { headers } = request;
    if (!(headers['content-length'] <= MAX_BODY_BYTES)) return 413;
    const event = await verify({ secret, headers, body: await text(request) });
    console.log(`Verified ${event.type} ${JSON.stringify(event.data)}`);
    return 204;
  },
};
const server = createServer(async (request, response) => {
  const answer = routes[`${request.method} ${request.url}`]?.(request) ?? Promise.resolve(404);
  response.writeHead(await answer.catch(() => 401)).end();
});
await webhooks.start();
server.listen(Number(port), '127.0.0.1', async () => {
  console.log(`Listening on ${port}`);
  await webhooks.dispatch('order.created', { id: 1 });
});
process.once('SIGTERM', () => {
  server.close(() => webhooks.close().then(() => db.close()));
  setTimeout(() => server.closeAllConnections(), 4_000).unref(); // those that never end
});
