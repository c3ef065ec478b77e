import { createServer } from 'node:http';
import {
  createAuth,
  createSessions,
  hashPassword,
  memorySessionStore,
  passwordCredentials,
} from '@acme/auth';
import { authErrorHandler, claimsOf, mountSessions, requireAuth } from '@acme/auth/express';
import { createWebhooks, defineEvents, memoryStorage } from '@acme/webhooks';
import { createAdminApi, createAdminPanel } from '@acme/webhooks/admin';
import { mount } from '@acme/webhooks/express';
import express from 'express';

const { AUTH_SIGNING_KEY: signingKey, ADMIN_PASSWORD: password, PORT: port = '3000' } = process.env;
const iterations = 600_000; // of the password's hash
const admin = { uid: '1', passwordHash: await hashPassword(password, { iterations }) };
const findUser = async (login) => (login === 'admin' ? admin : undefined);
const verifyCredentials = passwordCredentials({ findUser, iterations });
const loadUser = async (uid) => (uid === admin.uid ? { scopes: ['admin:webhooks'] } : undefined);

const auth = createAuth({ signingKey, secureCookies: false }); // true once you have HTTPS
const sessions = createSessions({ auth, store: memorySessionStore(), verifyCredentials, loadUser });
const egress = { allowedAddresses: ['127.0.0.1/32'] }; // [] in production: only public addresses
const events = defineEvents({ 'order.created': { label: 'Order placed' } });
const webhooks = createWebhooks({ storage: memoryStorage(), events, builtInEvents: false, egress });
await Promise.all([sessions.start(), webhooks.start()]);

const [statusUrl, loginEndpoint] = ['/api/admin/auth/status', '/api/admin/auth/login'];
const app = express();
app.use(mountSessions(sessions));
app.use(mount(createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) })));
app.use(mount(createAdminPanel({ apiPath: '/api/admin/webhooks', statusUrl, loginEndpoint })));
app.post('/api/admin/orders', requireAuth(auth), async (request, response) => {
  await webhooks.dispatch('order.created', { id: 7, by: claimsOf(request).uid });
  response.sendStatus(201);
});
app.use(authErrorHandler());

const server = createServer(app).listen(port, '127.0.0.1', () => console.log('Listening on', port));
process.once('SIGTERM', () => server.close(() => webhooks.close()));
process.once('SIGTERM', () => setTimeout(() => server.closeAllConnections(), 4_000).unref());
