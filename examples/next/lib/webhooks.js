import { createWebhooks, defineEvents, memoryStorage } from '@acme/webhooks';
import { perProcess } from './per-process.js';

export const webhooks = perProcess('webhooks', () =>
  createWebhooks({
    storage: memoryStorage(), // yours: kyselyStorage(db)
    events: defineEvents({ 'order.created': { label: 'Order placed' } }),
    builtInEvents: false, // this app sends none of them
    egress: { allowedAddresses: ['127.0.0.1/32'] }, // [] in production: only public addresses
    onError: (error, { source }) => console.error('webhooks', source, error.code),
  }),
);
