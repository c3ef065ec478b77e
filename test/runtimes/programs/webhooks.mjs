// An engine in memory with a recipient, the admin API and the panel, on loopback; prints what passed.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createWebhooks, isWebhookError, memoryStorage } from '@acme/webhooks';
import { createAdminApi, createAdminPanel } from '@acme/webhooks/admin';
import { defineEvents, matchesPattern } from '@acme/webhooks/events';
import { mount } from '@acme/webhooks/hono';
import { verify } from '@acme/webhooks/signing';
import { Hono } from 'hono';
import { z } from 'zod';

const received = [];
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({ headers: request.headers, body: Buffer.concat(chunks) });
  response.writeHead(204).end();
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address();

const storage = memoryStorage();
const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
const open = { allowedAddresses: ['127.0.0.1/32'], resolve };
const attempts = [];
const options = {
  storage,
  events: defineEvents({
    'order.created': { label: 'Order placed' },
    'order.priced': { label: 'Order priced', payload: z.looseObject({ total: z.unknown() }) },
  }),
  onAttempt: ({ error, statusCode }) => attempts.push(error || statusCode),
};

const webhooks = createWebhooks({ ...options, egress: open });
await webhooks.start();
const { id, secret } = await webhooks.create({ url: `http://127.0.0.1:${port}/`, events: ['order.*'] });
await webhooks.dispatch('order.created', { id: 7 });
await webhooks.drain();
assert.deepEqual(attempts.splice(0), [204]);
const [{ headers, body }] = received.splice(0);
const event = await verify({ secret, headers, body });
assert.deepEqual([event.type, event.data], ['order.created', { id: 7 }]);
await assert.rejects(verify({ secret, headers, body: `${body} ` }), (error) => isWebhookError(error));
console.log('dispatch, deliver and verify');

// Runtimes without JSON.rawJSON send what they can say.
const exact = (text) => JSON.rawJSON?.(text) ?? Number(text);
const { deliveries } = await webhooks.dispatch('order.priced', {
  total: exact('1.10'),
  id: exact('8202522731445525542'),
});
assert.equal(deliveries, 1);
await webhooks.drain();
attempts.splice(0);
const sent = String(received.splice(0)[0].body);
const numbers =
  'rawJSON' in JSON ? '{"total":1.10,"id":8202522731445525542}' : '{"total":1.1,"id":8202522731445526000}';
assert.ok(sent.endsWith(`"data":${numbers}}`), sent);
const [priced] = (await webhooks.deliveries(id)).deliveries;
const shown = await createAdminApi(webhooks, { authorize: () => ({ uid: '1', scopes: ['admin:webhooks'] }) })(
  new Request(`http://localhost/api/admin/webhooks/${id}/deliveries/${priced.deliveryId}`),
);
assert.ok((await shown.text()).includes(`"payload":${numbers}`));
console.log('numbers as they are');

await webhooks.update(id, { url: `http://a.example.com:${port}/` });
await webhooks.dispatch('order.created', { id: 8 });
await webhooks.drain();
assert.deepEqual([attempts.splice(0), received.splice(0).length], [[204], 1]);
console.log('a host name');

assert.deepEqual(
  [matchesPattern('order.*', 'order.created'), matchesPattern('order.*', 'user.created')],
  [true, false],
);
console.log('patterns');

const app = new Hono();
const authorize = ({ headers }) =>
  headers.get('authorization') === 'Bearer a test' ? { uid: '1', scopes: ['admin:webhooks'] } : null;
app.use(mount(createAdminApi(webhooks, { authorize })));
app.use(mount(createAdminPanel({ apiPath: '/api/admin/webhooks' })));
const get = (path, authorization = '') =>
  app.fetch(new Request(`http://127.0.0.1${path}`, { headers: { authorization } }));
assert.equal((await get('/api/admin/webhooks')).status, 401);
const listed = await get('/api/admin/webhooks', 'Bearer a test');
const { total, webhooks: rows } = await listed.json();
assert.deepEqual([listed.status, total, rows[0].id], [200, 1, id]);
console.log('admin API');

const page = await get('/admin/webhooks');
const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text());
const asset = await get(script);
assert.deepEqual([page.status, asset.status], [200, 200]);
assert.ok((await asset.text()).length > 10_000);
console.log('panel');
await webhooks.close();

// The same webhook, where the engine may connect to public addresses alone.
const guarded = createWebhooks({ ...options, egress: { resolve } });
await guarded.start();
const local = { url: `http://127.0.0.1:${port}/` };
await assert.rejects(guarded.create(local), (error) => isWebhookError(error, 'url_not_public'));
await guarded.dispatch('order.created', { id: 9 });
await guarded.drain();
assert.deepEqual([attempts, received], [['blocked_address'], []]);
await guarded.close();
console.log('no private address');

server.close();
server.closeAllConnections?.();
