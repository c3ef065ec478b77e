import { WebhookError } from '../../errors.ts';
import { deliveryIdOf, generateDispatchId } from '../delivery-ids.ts';
import type { DispatchReceipt, DispatchRecord } from '../delivery-requests.ts';
import type { WebhookStorage } from '../storage.ts';
import { HOST_ONLY } from '../subscriber-target.ts';
import type { MemoryTables, WebhookRow } from './memory-tables.ts';

/** The method that writes dispatches. */
export function dispatchMethods({ webhooks, deliveries, idempotencyKeys }: MemoryTables) {
  let lastId = 0;

  /**
   * Writes a dispatch once: an id that was written before names the same dispatch, marked as a
   * retry or not.
   */
  function recordDispatch(dispatch: DispatchRecord): DispatchReceipt {
    const { event, tenant = '', idempotencyKey, createdAt, target } = dispatch;
    const { id: dispatchId = generateDispatchId() } = dispatch;
    const key = idempotencyKey === undefined ? undefined : JSON.stringify([tenant, event, idempotencyKey]);
    const seen = key === undefined ? undefined : idempotencyKeys.get(key);
    if (seen !== undefined && seen.dispatchId !== dispatchId) return { outcome: 'repeated', deliveryIds: [] };
    if (key !== undefined) idempotencyKeys.set(key, seen ?? { dispatchId, createdAt });
    if (seen === undefined) {
      for (const recipient of webhooks.values()) {
        if (!isTarget(recipient, target)) continue;
        const deliveryId = deliveryIdOf(dispatchId, recipient.webhook.id);
        const isWritten = [...deliveries.values()].some(({ delivery }) => delivery.deliveryId === deliveryId);
        if (!isWritten) addDelivery(recipient, dispatch, dispatchId);
      }
    }
    const written = [...deliveries.values()].filter((row) => row.dispatchId === dispatchId);
    const byWebhook = written.sort((a, b) => a.delivery.webhookId - b.delivery.webhookId);
    return { outcome: 'written', deliveryIds: byWebhook.map(({ delivery }) => delivery.deliveryId) };
  }

  function addDelivery(recipient: WebhookRow, dispatch: DispatchRecord, dispatchId: string): void {
    lastId += 1;
    const { event, payload, createdAt } = dispatch;
    const webhookId = recipient.webhook.id;
    const deliveryId = deliveryIdOf(dispatchId, webhookId);
    const result = { statusCode: 0, responseBody: '', error: '', attempts: 0, deferrals: 0, attemptLog: [] };
    const dueMs = Date.parse(createdAt);
    const times = { createdAt, nextAttemptAt: createdAt, completedAt: null };
    deliveries.set(lastId, {
      delivery: { id: lastId, webhookId, deliveryId, event, payload, status: 'pending', ...result, ...times },
      recipient,
      dispatchId,
      seriesStart: 0,
      reopenedAt: undefined,
      dueMs,
      priorityMs: dueMs,
      lease: undefined,
      recordedToken: undefined,
    });
    recipient.revision += 1;
  }

  return {
    async recordDispatches(dispatches, transaction) {
      if (transaction !== undefined) {
        const message = 'memoryStorage takes no transaction: SQLite in memory does';
        throw new WebhookError('invalid_options', message);
      }
      return dispatches.map(recordDispatch);
    },
  } satisfies Partial<WebhookStorage>;
}

function isTarget({ webhook }: WebhookRow, target: DispatchRecord['target']): boolean {
  if (!webhook.isActive) return false;
  if ('webhookId' in target) return webhook.id === target.webhookId;
  const { tenants = HOST_ONLY } = target;
  return tenants.includes(webhook.tenant) && webhook.events.some((one) => target.patterns.includes(one));
}
