import type { AddressInfo } from 'node:net';
import { Router } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../src/shop/app.ts';
import { createShopAuth } from '../src/shop/auth.ts';
import { openDatabase } from '../src/shop/database.ts';
import { createShopWebhooks } from '../src/shop/webhooks.ts';

/** The shop on a server of its own, without the demo. */
async function serveShop() {
  const db = await openDatabase(':memory:');
  const webhooks = createShopWebhooks(db);
  const { auth, sessions } = createShopAuth('a-signing-key-of-at-least-32-bytes', db, webhooks);
  const server = createApp({ auth, sessions, webhooks, db, demo: Router() }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
    await webhooks.close();
    await db.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const send = (path: string, body: object, cookie = '') =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
  const token = await auth.issueAccessToken('2', []);
  return { db, webhooks, send, cookie: `access_token=${token}` };
}

it('writes an order with its event, for whoever is logged in', async () => {
  const { webhooks, send, cookie } = await serveShop();
  await webhooks.create({ url: 'http://127.0.0.1:3001/', events: ['order.created'] });
  const order = { item: 'Desk', quantity: 1 };
  expect((await send('/api/orders', order)).status).toBe(401);
  const placed = await send('/api/orders', order, cookie);
  expect([placed.status, await placed.json()]).toEqual([
    201,
    expect.objectContaining({ ...order, uid: '2' }),
  ]);
  const { deliveries } = await webhooks.searchDeliveries();
  expect(deliveries.map(({ event, status }) => [event, status])).toEqual([['order.created', 'pending']]);
});

it('writes no order whose event cannot be written', async () => {
  const { db, send, cookie } = await serveShop();
  await db.schema.dropTable('webhook_deliveries').execute();
  expect((await send('/api/orders', { item: 'Desk', quantity: 1 }, cookie)).status).toBe(503);
  expect(await db.selectFrom('orders').selectAll().execute()).toEqual([]);
});

it('refuses what is no order', async () => {
  const { send, cookie } = await serveShop();
  for (const body of [{}, { item: '', quantity: 1 }, { item: 'Desk', quantity: 0.5 }])
    expect((await send('/api/orders', body, cookie)).status).toBe(422);
});

it('shows webhooks to administrators alone', async () => {
  const { send, cookie } = await serveShop();
  const refused = await send('/api/admin/webhooks', {}, cookie);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'insufficient_scope' }]);
});
