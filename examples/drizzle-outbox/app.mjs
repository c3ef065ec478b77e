import { createServer } from 'node:http';
import { createAuth, createSessions, hashPassword, passwordCredentials } from '@acme/auth';
import { authErrorHandler, mountSessions, requireAuth } from '@acme/auth/express';
import { kyselySessionStore } from '@acme/auth/kysely';
import { createWebhooks, defineEvents } from '@acme/webhooks';
import { createAdminApi, createAdminPanel } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/express';
import { kyselyStorage } from '@acme/webhooks/kysely';
import { fromDrizzle } from '@acme/webhooks/transactions';
import express from 'express';
import { db, kysely, migrate, orders } from './database.mjs';

await migrate();

const { AUTH_SIGNING_KEY: signingKey, ADMIN_PASSWORD: password, PORT: port = '3000' } = process.env;
const iterations = 600_000; // of the password's hash
const admin = { uid: '1', passwordHash: await hashPassword(password, { iterations }) };
const auth = createAuth({ signingKey, secureCookies: false }); // true once you have HTTPS
const sessions = createSessions({
  auth,
  store: kyselySessionStore(kysely),
  verifyCredentials: passwordCredentials({
    findUser: async (login) => (login === 'admin' ? admin : undefined),
    iterations,
  }),
  loadUser: async (uid) => (uid === admin.uid ? { scopes: ['admin:webhooks'] } : undefined),
});
const webhooks = createWebhooks({
  storage: kyselyStorage(kysely),
  events: defineEvents({ 'order.created': { label: 'Order placed' } }),
  builtInEvents: false, // this app sends none of them
  egress: { allowedAddresses: ['127.0.0.1/32'] }, // [] in production: only public addresses
  onError: (error, { source }) => console.error('webhooks', source, error.code),
});
await sessions.start();
await webhooks.start();

const statusUrl = '/api/admin/auth/status';
const loginEndpoint = '/api/admin/auth/login';
const app = express();
app.use(mountSessions(sessions));
app.use(mount(createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) })));
app.use(mount(createAdminPanel({ apiPath: '/api/admin/webhooks', statusUrl, loginEndpoint })));

app.post('/api/admin/orders', requireAuth(auth), express.json(), async (request, response) => {
  const item = request.body?.item;
  if (typeof item !== 'string' || item === '' || item.length > 100) return response.sendStatus(400);
  const order = await db
    .transaction(async (tx) => {
      const [placed] = await tx.insert(orders).values({ item }).returning();
      await webhooks.dispatch('order.created', placed, { transaction: fromDrizzle(tx) });
      if (item === 'sold out') throw new SoldOut(); // takes the event back with the order
      return placed;
    })
    .catch((error) => {
      if (error instanceof SoldOut) return undefined;
      throw error;
    });
  return order === undefined ? response.sendStatus(409) : response.status(201).json(order);
});
app.use(authErrorHandler());

class SoldOut extends Error {}

const server = createServer(app).listen(port, '127.0.0.1', () => console.log('Listening on', port));
process.once('SIGTERM', () => {
  server.close(async () => {
    await webhooks.close();
    await sessions.idle();
    await kysely.destroy(); // ends the pool
  });
  setTimeout(() => server.closeAllConnections(), 4_000).unref(); // those that never end
});
