import type { ServiceInterface } from '../../../toolkit/src/service-interface.ts';
import type { WebhookStorage } from './storage.ts';

/** What every storage must be able to do. */
export const WEBHOOK_STORAGE: ServiceInterface<WebhookStorage<unknown>> = {
  name: 'WebhookStorage',
  methods: [
    'createWebhook',
    'findWebhook',
    'listWebhooks',
    'updateWebhook',
    'deleteWebhook',
    'deactivateWebhook',
    'rotateSecret',
    'countDeliveries',
    'readActivity',
    'lastDeliveries',
    'countFailuresInARow',
    'countFailed',
    'listDeliveries',
    'findDelivery',
    'recordDispatches',
    'reopenDelivery',
    'reopenFailed',
    'dueSummary',
    'claimDueDeliveries',
    'recordAttempts',
    'purgeDeliveries',
    'purgeIdempotencyKeys',
  ],
};
