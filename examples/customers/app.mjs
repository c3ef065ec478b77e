import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createWebhooks, defineEvents, memoryStorage } from '@acme/webhooks';
import { createAdminApi, createAdminPanel } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/express';
import { createPortal, createPortalApi } from '@acme/webhooks/portal';
import express from 'express';
import session from 'express-session';

const { ADMIN_PASSWORD: password, AUTH_SIGNING_KEY: secret, PORT: port = '3000' } = process.env;
if (!password || !secret) throw new Error('Set ADMIN_PASSWORD and AUTH_SIGNING_KEY');
// The users of the application: two customers, and the operator. In yours, a table, with hashes.
const users = new Map([
  ['ada', { uid: '1', company: 'acme', isAdmin: false }],
  ['grace', { uid: '2', company: 'globex', isAdmin: false }],
  ['admin', { uid: '3', company: null, isAdmin: true }],
]);

const egress = { dangerouslyAllowedTenantAddresses: ['127.0.0.1/32'] }; // in production: leave it out
const events = defineEvents({
  'order.paid': { label: 'Order paid', audience: 'tenant' },
  'stock.low': { label: 'Stock is low' }, // without an audience it stays inside
});
const webhooks = createWebhooks({ storage: memoryStorage(), events, tenants: 'required', egress });
await webhooks.start();

const portalApi = createPortalApi(webhooks, {
  authorize(_, { session: { user } }) {
    if (!user) return null; // 401
    if (!user.company) throw Object.assign(new Error('Not a customer'), { status: 403 });
    return { uid: user.uid, tenant: user.company, scopes: ['webhooks'] };
  },
});
const portal = createPortal({
  apiPath: portalApi.basePath, // the pages are at /webhooks
  loginUrl: '/login', // yours: it goes back to return_to
  product: 'Example shop',
  supportUrl: 'mailto:help@example.com',
  title: 'Example shop',
  theme: { light: { accent: '#f5c400' }, font: 'Georgia, serif', radius: 10 },
  language: (_, request) => request.acceptsLanguages('en', 'de', 'es', 'fr') || 'en',
});
const adminApi = createAdminApi(webhooks, {
  authorize: (_, { session: { user } }) =>
    user && { uid: user.uid, scopes: user.isAdmin ? ['admin:webhooks'] : [] },
});
const panel = createAdminPanel({ apiPath: adminApi.basePath, loginEndpoint: '/api/login' });

const app = express();
const cookie = { sameSite: 'strict', secure: false }; // true, once you have HTTPS
app.use(session({ secret, resave: false, saveUninitialized: false, cookie }));
app.use(mount(portalApi), mount(portal), mount(adminApi), mount(panel));
for (const [path, file] of [
  ['/login', 'login.html'],
  ['/login.mjs', 'login.mjs'],
]) {
  const location = fileURLToPath(new URL(file, import.meta.url));
  app.get(path, (_, response) => response.sendFile(location));
}
app.use('/api', express.json());
app.post('/api/login', (request, response) => {
  const user = users.get(request.body?.login);
  if (!user || request.body.password !== password) return response.sendStatus(401);
  request.session.regenerate(() => {
    request.session.user = user;
    response.sendStatus(204);
  });
});
app.post('/api/orders', async ({ session: { user } }, response) => {
  if (!user?.company) return response.sendStatus(403);
  await webhooks.dispatch('order.paid', { id: 7 }, { tenant: user.company });
  response.sendStatus(201);
});

const server = createServer(app).listen(port, '127.0.0.1', () => console.log('Listening on', port));
process.once('SIGTERM', () => server.close(() => webhooks.close()));
process.once('SIGTERM', () => setTimeout(() => server.closeAllConnections(), 4_000).unref());
