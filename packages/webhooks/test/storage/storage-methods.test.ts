import { describe, expect, it } from 'vitest';
import { LOGGER, type Logger } from '../../src/logging/logger.ts';
import { DELIVERY_QUEUE, type DeliveryQueue } from '../../src/queue/queue.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { WEBHOOK_STORAGE } from '../../src/storage/storage-methods.ts';

/** Its methods without the optional ones: one that is missing here, or gone, does not compile. */
type Methods<Service> = {
  [Name in keyof Service as object extends Pick<Service, Name> ? never : Name]: true;
};

const WEBHOOK_STORAGE_METHODS: Methods<WebhookStorage<unknown>> = {
  createWebhook: true,
  findWebhook: true,
  listWebhooks: true,
  updateWebhook: true,
  deleteWebhook: true,
  deactivateWebhook: true,
  rotateSecret: true,
  countDeliveries: true,
  readActivity: true,
  lastDeliveries: true,
  countFailuresInARow: true,
  countFailed: true,
  listDeliveries: true,
  findDelivery: true,
  recordDispatches: true,
  reopenDelivery: true,
  reopenFailed: true,
  dueSummary: true,
  claimDueDeliveries: true,
  recordAttempts: true,
  purgeDeliveries: true,
  purgeIdempotencyKeys: true,
};
const DELIVERY_QUEUE_METHODS: Methods<DeliveryQueue> = {
  enqueue: true,
  start: true,
  stop: true,
};
const LOGGER_METHODS: Methods<Logger> = {
  debug: true,
  info: true,
  warn: true,
  error: true,
};

describe('what a service of the host must have', () => {
  it.each([
    [WEBHOOK_STORAGE, WEBHOOK_STORAGE_METHODS],
    [DELIVERY_QUEUE, DELIVERY_QUEUE_METHODS],
    [LOGGER, LOGGER_METHODS],
  ] as const)('is every method of the interface: $0.name', ({ methods }, expected) => {
    expect([...methods].sort()).toEqual(Object.keys(expected).sort());
  });
});
