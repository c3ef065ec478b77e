import { defineEvents, type Webhooks } from '@acme/webhooks';
import type { BuiltInEventName } from '@acme/webhooks/events';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Tables } from './database.ts';

/** The part of an order that recipients get. Nothing else of its row leaves the application. */
const order = z.object({
  id: z.int(),
  uid: z.string(),
  item: z.string(),
  quantity: z.int(),
  created_at: z.iso.datetime(),
});

/**
 * The application's own events. Administrators choose from them and from
 * {@link SENT_BUILT_IN_EVENTS} when they subscribe a webhook, customers from those for tenants.
 */
export const shopEvents = defineEvents({
  'order.created': { label: 'Order placed', payload: order, audience: 'tenant' },
  'order.cancelled': { label: 'Order cancelled', payload: order, audience: 'tenant' },
});

/** The built-in events that this application sends. */
export const SENT_BUILT_IN_EVENTS = [
  'user.registered',
  'user.updated',
  'user.deleted',
  'session.revoked',
] as const satisfies readonly BuiltInEventName[];

/**
 * The webhook engine of this application. A dispatch names a known event and may join a transaction
 * on the application's database.
 */
export type ShopWebhooks = Webhooks<
  Transaction<Tables>,
  typeof shopEvents,
  (typeof SENT_BUILT_IN_EVENTS)[number]
>;
