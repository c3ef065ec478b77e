import { defineEvents, type Webhooks } from '@acme/webhooks';
import type { Transaction } from 'kysely';
import type { Tables } from './database.ts';

/** The application's own events. They join the built-in ones where administrators choose what to subscribe to. */
export const shopEvents = defineEvents({
  'order.created': { label: 'Order placed' },
  'order.cancelled': { label: 'Order cancelled' },
});

/** The webhook engine of this application: a dispatch names a known event and may join a transaction on its database. */
export type ShopWebhooks = Webhooks<Transaction<Tables>, typeof shopEvents>;
