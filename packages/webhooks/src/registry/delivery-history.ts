import { type Clock, timestampText } from '../clock.ts';
import type { DeliverySearch } from '../storage/delivery-search.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { findOfTenant } from '../storage/tenant-storage.ts';
import {
  type Activity,
  type ActivityInput,
  type ActivityOfAllInput,
  hoursOfAll,
  readActivity,
  type WebhookActivity,
} from './activity.ts';
import { decodePlace, encodePlace } from './delivery-cursor.ts';
import { deliveryNotFound, isDeliveryId } from './existing-delivery.ts';
import { existingWebhook } from './existing-webhook.ts';
import { readAnswerTimes } from './overview/read-answer-times.ts';
import { givenOf, inputAtCall, readInput } from './read-input.ts';
import { type SenderSettings, sentRequest } from './sent-request.ts';
import type { SharedReads } from './shared-reads.ts';
import type {
  DeliveryDetail,
  DeliveryPage,
  ListDeliveriesInput,
  SearchDeliveriesInput,
} from './webhook-input.ts';
import { refuseLostTenant, whoseOf } from './whose.ts';

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
   * Counts the retained deliveries of all webhooks together, or of a tenant's, by status and by the
   * hour or day of their creation, over as long a time. Of pending ones it has at most 100,000: the
   * newest, or any of a tenant's. If that takes longer than 250 ms to read, it may be up to 15 s
   * old.
   *
   * @throws WebhookError `validation_failed`
   */
  activityOfAll(input?: ActivityOfAllInput): Promise<Activity>;
  /**
   * Returns one page of the webhook's history, newest first.
   *
   * A page reads at most 5,000 deliveries, however long the history is. With a filter it may have
   * found fewer than `limit` by then: `scannedUntil` says how far it came, and `nextCursor` goes on
   * there. Up to 5,000 pending or failed deliveries of the webhook are found without reading
   * others, and with `from` and `to` it reads those of that time, and of an hour before and after.
   *
   * @throws WebhookError `webhook_not_found`, `validation_failed` (also for an invalid cursor)
   */
  deliveries(webhookId: number, input?: ListDeliveriesInput): Promise<DeliveryPage>;
  /**
   * Finds deliveries across webhooks, newest first by the time of creation. Those of one webhook, or
   * of a tenant or the application with at most 100 webhooks, come from their histories, highest id
   * first.
   *
   * A page reads at most 5,000 deliveries, however many there are, and says where it stopped. By
   * delivery id and by time it reads what it returns, with `failed` failed deliveries alone, and up
   * to 5,000 pending ones without others.
   *
   * @throws WebhookError `validation_failed` (also for an invalid cursor)
   */
  searchDeliveries(input?: SearchDeliveriesInput): Promise<DeliveryPage>;
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

type GivenSearch = {
  readonly [Key in keyof Omit<DeliverySearch, 'maxScanned'>]: DeliverySearch[Key] | undefined;
} & Pick<DeliverySearch, 'limit'>;

/** @internal */
export function createDeliveryHistory(
  deps: {
    readonly storage: Pick<
      WebhookStorage,
      'findWebhook' | 'listWebhooks' | 'findDeliveries' | 'readOverview'
    >;
    readonly clock: Clock;
    readonly share: SharedReads;
    readonly tenant?: string | undefined;
    readonly requiresTenant?: boolean;
  } & SenderSettings,
): DeliveryHistory {
  const { storage, share } = deps;
  const existing = (id: number) => existingWebhook(storage, id);

  async function pageOf(
    kind: 'history' | 'search',
    { limit, ...filters }: GivenSearch,
    tenant?: string,
  ): Promise<DeliveryPage> {
    const search = { limit, maxScanned: MAX_SCANNED, ...givenOf(filters) };
    const { deliveries, next, isCut } =
      tenant === undefined
        ? await storage.findDeliveries(search)
        : await findOfTenant(storage, tenant, search);
    return {
      deliveries,
      nextCursor: next && encodePlace(kind, next),
      scannedUntil: isCut && next ? next.createdAt : null,
    };
  }

  const createdWithin = (from?: number, to?: number) => ({
    createdFrom: from === undefined ? undefined : timestampText(from),
    createdBefore: to === undefined ? undefined : timestampText(to),
  });

  return {
    async activity(id, input = {}) {
      const given = inputAtCall(input);
      await existing(id);
      const range = await readInput(({ activityInput }) => activityInput, given);
      const activity = await readActivity(range, deps.clock(), async (hours) => {
        const [overview] = await storage.readOverview({ webhookIds: [id], activity: hours });
        return overview?.activity ?? [];
      });
      return {
        ...activity,
        answers: await share(['answers', id], () => readAnswerTimes(storage, { webhookId: id })),
      };
    },

    async activityOfAll(input = {}) {
      if (deps.requiresTenant) refuseLostTenant(input);
      const read = await readInput(({ activityOfAllInput }) => activityOfAllInput, input);
      const { tenant: given, ...range } = read;
      const tenant = whoseOf(deps.tenant, given);
      return readActivity(range, deps.clock(), (hours) =>
        share(['hours', tenant, hours.from, hours.to], () => hoursOfAll(storage, hours, tenant)),
      );
    },

    async deliveries(webhookId, input = {}) {
      const history = await readInput(({ historyInput }) => historyInput, input);
      const { cursor, from, to, ...filters } = history;
      const before = cursor === undefined ? undefined : decodePlace('history', cursor);
      await existing(webhookId);
      return pageOf('history', { ...filters, ...createdWithin(from, to), webhookId, before });
    },

    async searchDeliveries(input = {}) {
      if (deps.requiresTenant) refuseLostTenant(input);
      const search = await readInput(({ searchInput }) => searchInput, input);
      const { tenant, cursor, from, to, ...filters } = search;
      const before = cursor === undefined ? undefined : decodePlace('search', cursor);
      const whose = whoseOf(deps.tenant, tenant);
      // The storage of one tenant has nothing of others.
      const given = deps.tenant === undefined ? whose : undefined;
      return pageOf('search', { ...filters, ...createdWithin(from, to), before }, given);
    },

    async delivery(webhookId, deliveryId) {
      await existing(webhookId);
      if (!isDeliveryId(deliveryId)) return deliveryNotFound();
      const search = { webhookId, deliveryId, withContent: true, limit: 1, maxScanned: MAX_SCANNED };
      const [found] = (await storage.findDeliveries(search)).deliveries;
      if (found?.content === undefined) return deliveryNotFound();
      const { content, webhookUrl, webhookName, ...summary } = found;
      const delivery = { ...summary, ...content };
      return { ...delivery, request: sentRequest(delivery, deps) };
    },
  };
}
