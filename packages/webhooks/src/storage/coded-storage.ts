import { isWebhookError, WebhookError } from '../errors.ts';
import { redactedError } from '../logging/redacted-error.ts';
import { serviceOption } from '../options.ts';
import type { WebhookStorage } from './storage.ts';
import { WEBHOOK_STORAGE } from './storage-methods.ts';

/**
 * Gives every failure of a storage the code `storage_unavailable`, so that callers meet one kind of
 * error whatever the database. Its cause keeps the message of the storage's own error, without the
 * values that drivers attach to theirs.
 *
 * @throws TypeError naming the methods that the storage lacks
 */
export function withCodedErrors<Transaction>(
  storage: WebhookStorage<Transaction>,
): WebhookStorage<Transaction> {
  serviceOption<WebhookStorage<Transaction>>('storage', storage, WEBHOOK_STORAGE);
  async function coded<T>(operation: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (cause) {
      if (isWebhookError(cause)) throw cause;
      throw new WebhookError('storage_unavailable', `The webhook storage failed to ${operation}`, {
        cause: redactedError(cause),
      });
    }
  }

  return {
    assertReady: () => coded('be checked', async () => storage.assertReady?.()),
    createWebhook: (webhook) => coded('create a webhook', () => storage.createWebhook(webhook)),
    findWebhook: (id) => coded('find a webhook', () => storage.findWebhook(id)),
    listWebhooks: (query) => coded('list webhooks', () => storage.listWebhooks(query)),
    changeWebhook: (id, change) => coded('change a webhook', () => storage.changeWebhook(id, change)),
    deleteWebhook: (id, expectedUpdatedAt) =>
      coded('delete a webhook', () => storage.deleteWebhook(id, expectedUpdatedAt)),
    readOverview: (query) => coded('read an overview', () => storage.readOverview(query)),
    readRevision: (webhookIds) => coded('look for changes', () => storage.readRevision(webhookIds)),
    findDeliveries: (search) => coded('find deliveries', () => storage.findDeliveries(search)),
    recordDispatches: (dispatches, transaction) =>
      coded('record a dispatch', () => storage.recordDispatches(dispatches, transaction)),
    reopenDeliveries: (request) => coded('reopen deliveries', () => storage.reopenDeliveries(request)),
    dueSummary: (query) => coded('sum up what is due', () => storage.dueSummary(query)),
    claimDueDeliveries: (request) => coded('claim deliveries', () => storage.claimDueDeliveries(request)),
    recordAttempts: (records) => coded('record attempts', () => storage.recordAttempts(records)),
    purgeDeliveries: (request) => coded('purge deliveries', () => storage.purgeDeliveries(request)),
    purgeIdempotencyKeys: (request) =>
      coded('purge idempotency keys', () => storage.purgeIdempotencyKeys(request)),
  };
}
