import type { ActivityQuery } from './delivery-requests.ts';
import type { DeliverySearch, DeliverySearchPage } from './delivery-search.ts';
import type { ActivityBucket, DeliveryCounts, DeliverySummary, WebhookHealth } from './records.ts';
import type { HealthQuery } from './webhook-requests.ts';

/** What a storage tells of deliveries, and of how webhooks are doing. It changes nothing. */
export interface HistoryStorage {
  /**
   * A text that is another one after a change: a webhook was added, changed or removed; a delivery
   * of one of these webhooks (at most 100 ids) was written, has ended, was reopened or purged.
   * Attempts between the first and the last change nothing. The text is the same where nothing
   * changed, or it may differ needlessly.
   *
   * Without ids, of deliveries only those written most recently count, to any webhook.
   *
   * It costs a few rows per webhook, whatever the number of deliveries. Of pending deliveries that
   * host transactions wrote, a storage may consider only 200, and the newest of each webhook.
   */
  readRevision(webhookIds?: readonly number[]): Promise<string>;

  /**
   * The retained deliveries of a webhook by status; zeros when there are none. Exact at all times,
   * whatever is recorded, purged and reopened concurrently.
   *
   * Its cost does not grow with the number of deliveries, except for pending ones that host
   * transactions wrote.
   */
  countDeliveries(webhookId: number): Promise<DeliveryCounts>;

  /**
   * The retained deliveries of a webhook by the hour of their creation and their present status,
   * oldest hour first; hours without any may be left out. The sum over all hours equals {@link
   * countDeliveries}, at the same cost and as exact.
   */
  readActivity(query: ActivityQuery): Promise<ActivityBucket[]>;

  /**
   * The newest delivery of each of these webhooks (at most 100 ids), in any order; none for those
   * without one.
   */
  lastDeliveries(webhookIds: readonly number[]): Promise<DeliverySummary[]>;

  /**
   * How the deliveries of each of these webhooks have ended since that hour, in any order. A
   * webhook that never had a delivery may be left out. As exact as {@link countDeliveries}. The
   * times stay what they are when deliveries are reopened or purged.
   *
   * Its cost does not grow with the number of deliveries.
   */
  readHealth(query: HealthQuery): Promise<WebhookHealth[]>;

  /**
   * How many of a webhook's deliveries ended as `failed` after its last success and since it was
   * last activated or given another URL. Counts up to `limit` (1–1,000).
   *
   * The order is that in which deliveries ended, not that of their creation, and holds whatever has
   * become of the delivery that succeeded. Of two that ended in one millisecond, the success counts
   * as the later.
   */
  countFailuresInARow(webhookId: number, limit: number): Promise<number>;

  /**
   * Finds deliveries of one webhook, newest (highest id) first, or of all webhooks, in descending
   * order of {@link DeliveryPlace}.
   *
   * A call reads at most `maxScanned` deliveries, however many there are, and says where it stopped.
   * Following `next` finds each delivery that matches once, also while deliveries come in, however
   * often a page was cut.
   */
  findDeliveries(search: DeliverySearch): Promise<DeliverySearchPage>;
}
