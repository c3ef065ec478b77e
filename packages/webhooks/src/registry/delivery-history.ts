import type { Clock } from '../clock.ts';
import type { Delivery } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { type ActivityInput, readActivity, type WebhookActivity } from './activity.ts';
import { decodeCursor, encodeCursor } from './delivery-cursor.ts';
import { deliveryNotFound, isDeliveryId } from './existing-delivery.ts';
import { existingWebhook } from './existing-webhook.ts';
import { inputAtCall, readInput } from './read-input.ts';
import type { DeliveryPage, ListDeliveriesInput } from './webhook-input.ts';

/** Reads the history of a webhook's deliveries. */
export interface DeliveryHistory {
  /**
   * Counts the webhook's retained deliveries by status and by the hour or day of their creation,
   * over at most 31 days of hours or 366 days.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed`
   */
  activity(id: number, input?: ActivityInput): Promise<WebhookActivity>;
  /**
   * Returns one page of the webhook's history.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` (also for an invalid cursor)
   */
  deliveries(webhookId: number, input?: ListDeliveriesInput): Promise<DeliveryPage>;
  /**
   * Returns one delivery with its payload and the log of its attempts.
   *
   * @throws WebhookError `webhook_not_found` or `delivery_not_found`
   */
  delivery(webhookId: number, deliveryId: string): Promise<Delivery>;
}

/** @internal */
export function createDeliveryHistory(deps: {
  readonly storage: Pick<WebhookStorage, 'findWebhook' | 'findDelivery' | 'listDeliveries' | 'readActivity'>;
  readonly clock: Clock;
}): DeliveryHistory {
  const { storage } = deps;
  const existing = (id: number) => existingWebhook(storage, id);

  return {
    async activity(id, input = {}) {
      const range = inputAtCall(input);
      await existing(id);
      return readActivity(deps, id, range);
    },

    async deliveries(webhookId, input = {}) {
      const { cursor, event, limit, status } = await readInput(({ historyInput }) => historyInput, input);
      const beforeId = cursor === undefined ? undefined : decodeCursor(cursor);
      await existing(webhookId);
      const found = await storage.listDeliveries({
        webhookId,
        limit: limit + 1,
        ...(status === undefined ? {} : { status }),
        ...(event === undefined ? {} : { event }),
        ...(beforeId === undefined ? {} : { beforeId }),
      });
      const deliveries = found.slice(0, limit);
      const last = deliveries.at(-1);
      const hasMore = found.length > limit && last !== undefined;
      return { deliveries, nextCursor: hasMore ? encodeCursor(last.id) : null };
    },

    async delivery(webhookId, deliveryId) {
      await existing(webhookId);
      const found = isDeliveryId(deliveryId) ? await storage.findDelivery(webhookId, deliveryId) : undefined;
      return found ?? deliveryNotFound();
    },
  };
}
