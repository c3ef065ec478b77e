import { authenticateApiKey, Claims } from '@acme/auth';
import { authErrorHandler, requireApiKey, requireScope } from '@acme/auth/hono';
import { createAdminApi } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/hono';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { apiKeys, clients, close, webhooks } from './parts.mjs';

const app = new Hono();
app.onError(authErrorHandler());
const authorize = (request) => authenticateApiKey(request, apiKeys.validator);
app.use(mount(createAdminApi(webhooks, { authorize })));
app.post(
  '/api/orders',
  requireApiKey(apiKeys.validator),
  requireScope('orders:write'),
  async (context) => {
    await webhooks.dispatch('order.created', { id: 7, by: context.var.claims.uid });
    return context.body(null, 201);
  },
);

// Elsewhere a page or a script of yours makes keys, and each client has its own.
const owner = new Claims({ uid: 'shop', scopes: clients.get('shop').scopes });
const { key } = await apiKeys.create(owner, {
  name: 'This start',
  scopes: owner.scopes,
  expiresAt: Math.floor(Date.now() / 1000) + 86_400,
});

await webhooks.start();
const port = Number(process.env.PORT ?? 3000);
const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => {
  console.log(`API key of this start: ${key}`);
  console.log(`Listening on ${port}`);
});
process.once('SIGTERM', () => {
  server.close(() => void close());
  setTimeout(() => server.closeAllConnections(), 4_000).unref(); // those that never end
});
