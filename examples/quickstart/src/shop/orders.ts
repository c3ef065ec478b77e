import { claimsOf } from '@acme/auth/express';
import express, { Router } from 'express';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Order, Tables } from './database.ts';
import type { ShopWebhooks } from './webhooks.ts';

const newOrder = z.object({ item: z.string().min(1).max(100), quantity: z.int().min(1).max(1_000) });

/** The orders of whoever is logged in. */
export function orderRoutes(db: Kysely<Tables>, webhooks: ShopWebhooks): Router {
  const routes = Router();

  routes.get('/', async (request, response) => {
    const orders = db.selectFrom('orders').selectAll().where('uid', '=', claimsOf(request).uid);
    response.json({ orders: await orders.orderBy('id', 'desc').limit(50).execute() });
  });

  routes.post('/', express.json({ limit: '8kb' }), async (request, response) => {
    const { data, error } = newOrder.safeParse(request.body);
    if (error) response.status(422).json({ detail: z.prettifyError(error) });
    else response.status(201).json(await placeOrder(db, webhooks, { ...data, uid: claimsOf(request).uid }));
  });

  return routes;
}

/**
 * Writes an order and its event in one transaction: no order lacks its event, and an order that is
 * rolled back has none.
 */
export function placeOrder(
  db: Kysely<Tables>,
  webhooks: ShopWebhooks,
  order: Pick<Order, 'uid' | 'item' | 'quantity'>,
): Promise<Order> {
  return db.transaction().execute(async (transaction) => {
    const placed = await transaction
      .insertInto('orders')
      .values({ ...order, created_at: new Date().toISOString() })
      .returningAll()
      .executeTakeFirstOrThrow();
    await webhooks.dispatch('order.created', placed, { transaction });
    return placed;
  });
}
