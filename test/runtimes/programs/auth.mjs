// A log-in and an API key behind guards, in a handler of the Web and in Hono; prints what passed.
import assert from 'node:assert/strict';
import {
  createApiKeys,
  createAuth,
  createSessions,
  hashPassword,
  memoryApiKeyStore,
  memorySessionStore,
  passwordCredentials,
  verifyPassword,
} from '@acme/auth';
import * as web from '@acme/auth/fetch';
import * as hono from '@acme/auth/hono';
import { Hono } from 'hono';

const iterations = 100_000;
const password = 'correct horse battery staple';
const passwordHash = await hashPassword(password, { iterations });
assert.equal(await verifyPassword(passwordHash, password), true);
assert.equal(await verifyPassword(passwordHash, 'another one'), false);
console.log('passwords');

const auth = createAuth({ signingKey: 'a-key-for-this-test-alone-32-bytes-or-more', scopes: ['admin'] });
const loadUser = async () => ({ scopes: ['admin'] });
const sessions = createSessions({
  auth,
  store: memorySessionStore(),
  verifyCredentials: passwordCredentials({ findUser: async () => ({ uid: '7', passwordHash }), iterations }),
  loadUser,
});
await sessions.start();
const apiKeys = createApiKeys({ auth, store: memoryApiKeyStore(), prefix: 'acme', loadUser });
const owner = await auth.validateAccessToken(await auth.issueAccessToken('7', ['admin']));
const { key } = await apiKeys.create(owner, { name: 'a program', scopes: ['admin'] });

const guards = [
  web.authErrorHandler(),
  web.mountSessions(sessions),
  web.requireAuthOrApiKey(auth, apiKeys.validator),
  web.requireScope(auth, 'admin'),
];
const app = new Hono();
app.onError(hono.authErrorHandler());
app.use(hono.mountSessions(sessions, { clientIp: () => '127.0.0.1' }));
app.use(hono.requireAuthOrApiKey(auth, apiKeys.validator), hono.requireScope(auth, 'admin'));
app.get('/api/admin/me', (c) => c.json({ uid: c.var.claims.uid }));

const handlers = {
  fetch: web.guarded(guards, (request) => Response.json({ uid: web.claimsOf(request).uid })),
  hono: (request) => app.fetch(request),
};

for (const [name, handler] of Object.entries(handlers)) {
  let cookies = {};
  const send = async (method, path, { body, headers = {} } = {}) => {
    const cookie = Object.entries(cookies).map((pair) => pair.join('='));
    const response = await handler(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { cookie: cookie.join('; '), 'content-type': 'application/json', ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    );
    const set = response.headers.getSetCookie().map((line) => line.split(';', 1)[0].split('='));
    cookies = { ...cookies, ...Object.fromEntries(set) };
    return { status: response.status, body: await response.text() };
  };

  assert.equal((await send('GET', '/api/admin/me')).status, 401);
  const wrong = { login: 'ada', password: 'wrong' };
  assert.equal((await send('POST', '/api/admin/auth/login', { body: wrong })).status, 401);
  const login = await send('POST', '/api/admin/auth/login', { body: { login: 'ada', password } });
  assert.ok(login.status < 300, login.body);
  const me = await send('GET', '/api/admin/me');
  assert.deepEqual([me.status, JSON.parse(me.body)], [200, { uid: '7' }]);
  console.log(`${name}: log-in and guard`);

  delete cookies.access_token;
  assert.ok((await send('POST', '/api/admin/auth/status')).status < 300);
  assert.equal((await send('GET', '/api/admin/me')).status, 200);
  console.log(`${name}: refresh`);

  const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } };
  assert.equal((await send('POST', '/api/admin/me', crossSite)).status, 403);
  console.log(`${name}: a page of another site`);

  assert.ok((await send('POST', '/api/admin/auth/logout')).status < 300);
  cookies = {};
  const bearer = (text) => send('GET', '/api/admin/me', { headers: { authorization: `Bearer ${text}` } });
  assert.deepEqual([(await bearer(key)).status, (await bearer(`${key}x`)).status], [200, 401]);
  console.log(`${name}: API key`);
}
await apiKeys.idle();
