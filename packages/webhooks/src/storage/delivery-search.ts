import type { DeliveryPlace } from './delivery-requests.ts';
import type { DeliveryStatus, DeliverySummary } from './records.ts';

/** Which deliveries of all webhooks to find, newest first in the order of {@link DeliveryPlace}. */
export interface DeliverySearch {
  readonly deliveryId?: string;
  readonly status?: DeliveryStatus;
  readonly event?: string;
  /** The error of the last attempt; '' finds those without one. */
  readonly error?: string;
  /** The HTTP status of the last attempt. */
  readonly statusCode?: number;
  /** Only deliveries created at this time or later. */
  readonly createdFrom?: string;
  /** Only deliveries created before this time. */
  readonly createdBefore?: string;
  /** Only deliveries that come before this place in the order of creation. */
  readonly before?: DeliveryPlace;
  /** 1–100. */
  readonly limit: number;
  /** 1–5,000: the most deliveries to look at. */
  readonly maxScanned: number;
}

/** A delivery of any webhook, with where it goes. */
export interface FoundDelivery extends DeliverySummary {
  /** The webhook's URL now; null if the webhook was deleted during the search. */
  readonly webhookUrl: string | null;
}

/** One page of a {@link DeliverySearch}. */
export interface DeliverySearchPage {
  readonly deliveries: FoundDelivery[];
  /** The next page has the deliveries before this place; null where there are no more. */
  readonly next: DeliveryPlace | null;
  /** True if the search stopped at `next` because it had looked at `maxScanned` deliveries. */
  readonly isCut: boolean;
}
