import type { DeliverySummary } from './delivery-record.ts';

/** How far the pending deliveries of a webhook are counted. */
export const MAX_PENDING_COUNTED = 100_000;

/** Retained deliveries of one webhook by their present status. */
export interface StatusCounts {
  readonly success: number;
  readonly failed: number;
  /** Exact up to 100,000. Of more, a storage may count 100,001. */
  readonly pending: number;
}

/**
 * Retained deliveries of one webhook that were created within one hour, by their present status.
 */
export interface ActivityBucket extends StatusCounts {
  /** The start of the hour: `2026-11-20T04:00:00.000Z`. */
  readonly hour: string;
  /** Of the webhook's newest 10,000 pending deliveries; a storage may count more. */
  readonly pending: number;
}

/** How the deliveries of one webhook have ended lately. */
export interface WebhookHealth {
  /** Retained deliveries created since the hour asked for, by outcome, tests included. */
  readonly success: number;
  readonly failed: number;
  /** When one of its deliveries last succeeded, tests left out; null before the first success. */
  readonly lastSuccessAt: string | null;
  /**
   * When one last ended as `failed`; null before the first. A delivery for which nothing was sent,
   * as its webhook was inactive, does not count, and neither does a test.
   */
  readonly lastFailureAt: string | null;
}

/**
 * What is wrong with one webhook since its last success, and since it was last activated or given
 * another URL: its deliveries that ended as `failed`, in the order of their ends, and that its
 * recipient asks to wait. Those do not count for which nothing
 * was sent, as the webhook was inactive, nor tests. One that fails again after it was reopened
 * counts again.
 */
export interface FailureRun {
  /** The webhook's activation of which they are. */
  readonly activation: number;
  /** How many they are. */
  readonly failed: number;
  /** When the first of them ended. */
  readonly since: string;
  /** When the second one ended; of one failure the same as `since`. */
  readonly secondAt: string;
  /** When the last one ended, and with which error. */
  readonly lastAt: string;
  readonly error: string;
  /** When the first success after them ended; '' before. */
  readonly endedAt: string;
  /** Since when the recipient asks to wait, and nothing has succeeded; '' if it does not. */
  readonly busySince: string;
  /** When it last asked again, after a pause; '' before. */
  readonly busyAgainAt: string;
  /** How often `onWebhookFailing` was called for this run. */
  readonly told: number;
  /** How many probes there were, and the `deliveryId` of the last one; 0 and '' before. */
  readonly probes: number;
  readonly probe: string;
  /**
   * The earlier outage whose deliveries are being reopened: when the first of them failed, and when
   * a delivery succeeded. `recoverFrom` is '' once all are, `recoverUntil` once those have ended.
   */
  readonly recoverFrom: string;
  readonly recoverUntil: string;
  /** Until when one process reopens them; '' if none does. */
  readonly leasedUntil: string;
}

/** Of how many pending deliveries of a webhook an overview tells. */
export const MAX_WAITING_COUNTED = 10_000;

/** What is pending. */
export interface WaitingDeliveries {
  /**
   * Exact up to 10,000 of one webhook, and up to 100,000 of all together. A larger number says that
   * there are more.
   */
  readonly count: number;
  /**
   * When the one with the lowest id was created; null if none is pending. Of more than are counted,
   * it may be any.
   */
  readonly oldestAt: string | null;
  /** When the first one was due, or is; of a retry, a minute later. Null if none is pending. */
  readonly dueAt: string | null;
}

/** What an `OverviewQuery` asked for, of one webhook. A part that it did not ask for is absent. */
export interface OverviewRecord {
  readonly webhookId: number;
  readonly counts?: StatusCounts;
  /** Its times stay what they are when deliveries are reopened or purged. */
  readonly health?: WebhookHealth;
  readonly waiting?: WaitingDeliveries;
  /** The delivery with the highest id; null if none is retained. */
  readonly lastDelivery?: DeliverySummary | null;
  /** Until when the webhook pauses; null if it does not, or not any more. */
  readonly pausedUntil?: string | null;
  /**
   * The failures since the last success. Null if there are none, unless the recipient is busy, or
   * those of an earlier run are being reopened: then `failed` is 0.
   */
  readonly failureRun?: FailureRun | null;
  /** Oldest hour first. Hours without a delivery may be left out. */
  readonly activity?: readonly ActivityBucket[];
}
