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
    readRevision: true,
    countDeliveries: true,
    readActivity: true,
    lastDeliveries: true,
    readHealth: true,
    countFailuresInARow: true,
    countFailed: true,
    listDeliveries: true,
    searchDeliveries: true,
    findDelivery: true,
    recordDispatches: true,
    reopenDelivery: true,
    reopenFailed: true,
    dueSummary: true,
    claimDueDeliveries: true,
    recordAttempts: true,
    purgeDeliveries: true,
    purgeIdempotencyKeys: true,
  },
};
