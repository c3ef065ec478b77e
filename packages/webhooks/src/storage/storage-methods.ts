import type { ServiceInterface } from '../../../toolkit/src/service-interface.ts';
import type { WebhookStorage } from './storage.ts';

/** What every storage must be able to do. */
export const WEBHOOK_STORAGE: ServiceInterface<WebhookStorage<unknown>> = {
  name: 'WebhookStorage',
  methods: {
    createWebhook: true,
    findWebhook: true,
    listWebhooks: true,
    changeWebhook: true,
    deleteWebhook: true,
    readOverview: true,
    readRevision: true,
    findDeliveries: true,
    recordDispatches: true,
    reopenDeliveries: true,
    dueSummary: true,
    claimDueDeliveries: true,
    recordAttempts: true,
    purgeDeliveries: true,
    purgeIdempotencyKeys: true,
  },
};
