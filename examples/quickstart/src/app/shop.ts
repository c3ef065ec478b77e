import { claimsOf } from '@acme/auth/express';
import express, { Router } from 'express';
import type { Kysely, Selectable } from 'kysely';
import { countField, textField } from './body-fields.ts';
import { tenantOf } from './customers.ts';
import type { Tables } from './database.ts';
import type { ShopWebhooks } from './events.ts';
import { Problem } from './problem.ts';

/** Orders of the user who is logged in. */
export function shopRoutes(db: Kysely<Tables>, webhooks: ShopWebhooks): Router {
  const routes = Router();

  routes.get('/orders', async (request, response) => {
    const { uid } = claimsOf(request);
    const orders = db.selectFrom('orders').selectAll().where('uid', '=', uid);
    response.json({ orders: await orders.orderBy('id', 'desc').limit(50).execute() });
  });

  routes.post('/orders', express.json({ limit: '8kb' }), async (request, response) => {
    const { uid } = claimsOf(request);
    const item = textField(request.body, 'item', 100);
    const quantity = countField(request.body, 'quantity', 1_000);
    const order = await placeOrder(db, webhooks, { uid, item, quantity });
    response.status(201).json(order);
  });

  routes.delete('/orders/:id', async (request, response) => {
    const { uid } = claimsOf(request);
    const id = /^\d{1,15}$/.test(request.params.id) ? Number(request.params.id) : 0;
    await db.transaction().execute(async (transaction) => {
      const order = await transaction
        .deleteFrom('orders')
        .where('id', '=', id)
        .where('uid', '=', uid)
        .returningAll()
        .executeTakeFirst();
      if (order === undefined) throw new Problem(404, 'order_not_found', 'There is no such order.');
      await webhooks.dispatch('order.cancelled', order, { transaction, tenant: tenantOf(uid) });
    });
    response.status(204).end();
  });

  return routes;
}

/**
 * Writes an order and its event. One transaction makes sure that no order lacks its event, and that
 * an order that is rolled back has none.
 */
export function placeOrder(
  db: Kysely<Tables>,
  webhooks: ShopWebhooks,
  order: Pick<Selectable<Tables['orders']>, 'uid' | 'item' | 'quantity'>,
): Promise<Selectable<Tables['orders']>> {
  return db.transaction().execute(async (transaction) => {
    const created = await transaction
      .insertInto('orders')
      .values({ ...order, created_at: new Date().toISOString() })
      .returningAll()
      .executeTakeFirstOrThrow();
    await webhooks.dispatch('order.created', created, { transaction, tenant: tenantOf(order.uid) });
    return created;
  });
}
