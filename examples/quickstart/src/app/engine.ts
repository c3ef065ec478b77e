import { createWebhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import type { Kysely } from 'kysely';
import type { Settings } from '../processes/settings.ts';
import type { Tables } from './database.ts';
import { SENT_BUILT_IN_EVENTS, type ShopWebhooks, shopEvents } from './events.ts';

/** The webhook engine, for the app, which dispatches, and for the worker, which delivers. */
export function createShopWebhooks(
  db: Kysely<Tables>,
  { retry, sweepIntervalMs }: Pick<Settings, 'retry' | 'sweepIntervalMs'>,
): ShopWebhooks {
  return createWebhooks({
    storage: kyselyStorage(db),
    events: shopEvents,
    builtInEvents: SENT_BUILT_IN_EVENTS,
    retry,
    ...(sweepIntervalMs !== undefined && { sweepIntervalMs }),
    // For the demo only, whose recipient runs on this machine. Leave it out, and webhooks reach
    // only public addresses.
    egress: {
      allowedAddresses: ['127.0.0.1/32'],
      dangerouslyAllowedTenantAddresses: ['127.0.0.1/32'],
    },
    onError: (error, { source }) => console.error(`webhooks: ${source} failed:`, error),
    onDeliveryFailed: ({ event, webhookId, attempts, error }) => {
      console.log(`webhooks: ${event} to webhook ${webhookId} failed after ${attempts} attempts (${error})`);
    },
  });
}
