import { createAuth, createSessions, hashPassword, passwordCredentials } from '@acme/auth';
import { authErrorHandler, mountSessions, requireAuth } from '@acme/auth/fastify';
import { kyselySessionStore } from '@acme/auth/kysely';
import { createAdminApi, createAdminPanel } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/fastify';
import fastify from 'fastify';
import { db } from './database.mjs';
import { close, webhooks } from './webhooks.mjs';

const { AUTH_SIGNING_KEY: signingKey, ADMIN_PASSWORD: password, PORT: port = '3000' } = process.env;
const iterations = 600_000; // of the password's hash
const admin = { uid: '1', passwordHash: await hashPassword(password, { iterations }) };
const auth = createAuth({ signingKey, secureCookies: false }); // true once you have HTTPS
const sessions = createSessions({
  auth,
  store: kyselySessionStore(db),
  verifyCredentials: passwordCredentials({
    findUser: async (login) => (login === 'admin' ? admin : undefined),
    iterations,
  }),
  loadUser: async (uid) => (uid === admin.uid ? { scopes: ['admin:webhooks'] } : undefined),
});
await sessions.start();

const app = fastify();
app.setErrorHandler(authErrorHandler());
app.register(mountSessions(sessions));
app.register(
  mount(createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) })),
);
app.register(
  mount(
    createAdminPanel({
      apiPath: '/api/admin/webhooks',
      statusUrl: '/api/admin/auth/status',
      loginEndpoint: '/api/admin/auth/login',
    }),
  ),
);

const schema = {
  body: {
    type: 'object',
    required: ['item'],
    properties: { item: { type: 'string', minLength: 1, maxLength: 100 } },
  },
};
app.post('/api/admin/orders', { onRequest: requireAuth(auth), schema }, async (request, reply) => {
  const order = await db.transaction().execute(async (transaction) => {
    const { item } = request.body;
    const placed = await transaction
      .insertInto('orders')
      .values({ item })
      .returning(['id', 'item'])
      .executeTakeFirstOrThrow();
    await webhooks.dispatch('order.created', placed, { transaction });
    // What fails here takes the event back with the order.
    if (item === 'sold out')
      throw Object.assign(new Error('This item is sold out'), { statusCode: 409 });
    return placed;
  });
  return reply.code(201).send(order);
});
app.addHook('onClose', async () => {
  await sessions.idle();
  await close();
});

await app.listen({ port: Number(port), host: '127.0.0.1' });
console.log(`Listening on ${port}`);
process.once('SIGTERM', () => {
  void app.close();
  setTimeout(() => app.server.closeAllConnections(), 4_000).unref(); // those that never end
});
