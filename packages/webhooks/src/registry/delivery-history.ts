import { type Clock, timestampText } from '../clock.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { type ActivityInput, readActivity, type WebhookActivity } from './activity.ts';
import { decodeCursor, decodePlace, encodeCursor, encodePlace } from './delivery-cursor.ts';
import { deliveryNotFound, isDeliveryId } from './existing-delivery.ts';
import { existingWebhook } from './existing-webhook.ts';
import { inputAtCall, readInput } from './read-input.ts';
import { type SenderSettings, sentRequest } from './sent-request.ts';
import type {
  DeliveryDetail,
  DeliveryPage,
  DeliverySearchResult,
  ListDeliveriesInput,
  SearchDeliveriesInput,
} from './webhook-input.ts';

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
   * Finds deliveries across webhooks, newest first by the time of creation.
   *
   * A page costs the same however many deliveries there are: by delivery id, event, `failed` and
   * time it reads what it returns. For other filters it looks at 5,000 deliveries at most, and says
   * where it stopped.
   *
   * @throws WebhookError `validation_failed` (also for an invalid cursor)
   */
  searchDeliveries(input?: SearchDeliveriesInput): Promise<DeliverySearchResult>;
  /**
   * Returns one delivery with its payload, the log of its attempts, and the headers of the last
   * request.
   *
   * @throws WebhookError `webhook_not_found` or `delivery_not_found`
   */
  delivery(webhookId: number, deliveryId: string): Promise<DeliveryDetail>;
}

/** The most deliveries that one page of a search looks at. */
const MAX_SCANNED = 5_000;

/** @internal */
export function createDeliveryHistory(
  deps: {
    readonly storage: Pick<
      WebhookStorage,
      'findWebhook' | 'findDelivery' | 'listDeliveries' | 'readActivity' | 'searchDeliveries'
    >;
    readonly clock: Clock;
  } & SenderSettings,
): DeliveryHistory {
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

    async searchDeliveries(input = {}) {
      const { cursor, from, to, ...filters } = await readInput(({ searchInput }) => searchInput, input);
      const given = {
        ...filters,
        createdFrom: from === undefined ? undefined : timestampText(from),
        createdBefore: to === undefined ? undefined : timestampText(to),
        before: cursor === undefined ? undefined : decodePlace('search', cursor),
      };
      const search = { limit: filters.limit, maxScanned: MAX_SCANNED, ...defined(given) };
      const { deliveries, next, isCut } = await storage.searchDeliveries(search);
      return {
        deliveries,
        nextCursor: next && encodePlace('search', next),
        scannedUntil: isCut && next ? next.createdAt : null,
      };
    },

    async delivery(webhookId, deliveryId) {
      await existing(webhookId);
      const found = isDeliveryId(deliveryId) ? await storage.findDelivery(webhookId, deliveryId) : undefined;
      if (found === undefined) return deliveryNotFound();
      return { ...found, request: sentRequest(found, deps) };
    },
  };
}

/** The members that are not undefined. */
function defined<Members extends object>(
  members: Members,
): { readonly [Key in keyof Members]?: Exclude<Members[Key], undefined> } {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [Key in keyof Members]?: Exclude<Members[Key], undefined> };
}
