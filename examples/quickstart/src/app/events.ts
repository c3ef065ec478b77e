import { defineEvents, type Webhooks } from '@acme/webhooks';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Tables } from './database.ts';

/** What recipients are told of an order: nothing else of its row leaves the application. */
const order = z.object({
  id: z.int(),
  uid: z.string(),
  item: z.string(),
  quantity: z.int(),
  created_at: z.iso.datetime(),
});

/** The application's own events. They join the built-in ones where administrators choose what to subscribe to. */
export const shopEvents = defineEvents({
  'order.created': { label: 'Order placed', payload: order },
  'order.cancelled': { label: 'Order cancelled', payload: order },
});

/** The webhook engine of this application: a dispatch names a known event and may join a transaction on its database. */
export type ShopWebhooks = Webhooks<Transaction<Tables>, typeof shopEvents>;
