import type { ServiceInterface } from '../../../toolkit/src/service-interface.ts';
import type { WebhookStorage } from './storage.ts';

/** What every storage must be able to do, and what an error says that it failed to do. */
export const WEBHOOK_STORAGE: ServiceInterface<WebhookStorage<unknown>, string> = {
  name: 'WebhookStorage',
  methods: {
    createWebhook: 'create a webhook',
    findWebhook: 'find a webhook',
    listWebhooks: 'list webhooks',
    changeWebhook: 'change a webhook',
    deleteWebhook: 'delete a webhook',
    readOverview: 'read an overview',
    readRevision: 'look for changes',
    findDeliveries: 'find deliveries',
    recordDispatches: 'record a dispatch',
    reopenDeliveries: 'reopen deliveries',
    dueSummary: 'sum up what is due',
    claimDueDeliveries: 'claim deliveries',
    recordAttempts: 'record attempts',
    stepFailures: 'step runs of failures',
    purgeDeliveries: 'purge deliveries',
    purgeIdempotencyKeys: 'purge idempotency keys',
  },
};
