import type { Delivery, DeliveryStatus, DeliverySummary } from './delivery-record.ts';
import type { DeliveryPlace } from './delivery-requests.ts';

/** Which deliveries to find. Every filter that is given must match. */
export interface DeliverySearch {
  /** Only deliveries of this webhook. */
  readonly webhookId?: number;
  /** Only deliveries of this tenant's webhooks; '' is the host. Absent: of every tenant. */
  readonly tenant?: string;
  readonly deliveryId?: string;
  readonly status?: DeliveryStatus;
  /** An event, or a pattern such as `order.*`: all events that begin with `order.`. */
  readonly event?: string;
  /** The error of the last attempt; '' finds those without one. */
  readonly error?: string;
  /** Only deliveries whose last attempt left an error. Default: false. */
  readonly hasError?: boolean;
  /** The HTTP status of the last attempt. */
  readonly statusCode?: number;
  /** Only deliveries created at this time or later. */
  readonly createdFrom?: string;
  /** Only deliveries created before this time. */
  readonly createdBefore?: string;
  /** Only deliveries that come after this place in the order of the search. */
  readonly before?: DeliveryPlace;
  /**
   * Also returns the payload and the log of attempts. `attempts`: of the payload, a storage may
   * return '' in its place. Default: false.
   */
  readonly withContent?: boolean | 'attempts';
  /** 1–100. */
  readonly limit: number;
  /** 1–5,000: the most deliveries to read. */
  readonly maxScanned: number;
}

/** A delivery of any webhook, with where it goes. */
export interface FoundDelivery extends DeliverySummary {
  /** The webhook's URL now; null if the webhook was deleted during the search. */
  readonly webhookUrl: string | null;
  /** The webhook's name now, likewise. */
  readonly webhookName: string | null;
  /** Absent unless the search asks for it. */
  readonly content?: Pick<Delivery, 'payload' | 'attemptLog'>;
}

/** One page of a {@link DeliverySearch}. */
export interface DeliverySearchPage {
  readonly deliveries: FoundDelivery[];
  /** The next page has the deliveries before this place; null if there are no more. */
  readonly next: DeliveryPlace | null;
  /** True if the search stopped at `next` because it had read `maxScanned` deliveries. */
  readonly isCut: boolean;
}
