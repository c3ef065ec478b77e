import { createWebhooks, defineEvents, type Webhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Tables } from './database.ts';

/** What recipients get of an order. Nothing else of its row leaves the shop. */
const order = z.object({
  id: z.int(),
  uid: z.string(),
  item: z.string(),
  quantity: z.int(),
  created_at: z.iso.datetime(),
});

/** The shop's own event. Administrators choose from it and from `BUILT_IN`. */
const events = defineEvents({ 'order.created': { label: 'Order placed', payload: order } });
const BUILT_IN = ['session.revoked'] as const;

/** A dispatch names a known event, and may join a transaction on the shop's database. */
export type ShopWebhooks = Webhooks<Transaction<Tables>, typeof events, (typeof BUILT_IN)[number]>;

/** The webhook engine: of the shop, which dispatches, and of the worker, which delivers. */
export function createShopWebhooks(db: Kysely<Tables>): ShopWebhooks {
  return createWebhooks({
    storage: kyselyStorage(db),
    events,
    builtInEvents: BUILT_IN,
    // Short waits, so that you see the retries. Eight minutes in all: leave it out for hours.
    retry: { delaysMs: [2_000, 4_000, 8_000, 15_000, 30_000], maxAttempts: 20 },
    // The worker is another process: this is how often it looks for what the shop has dispatched.
    sweepIntervalMs: 200,
    // For the demo only, whose recipients run on this machine. Leave it out, and webhooks reach
    // public addresses only.
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    onError: (error, { source }) => console.error(`webhooks: ${source} failed:`, error),
  });
}
