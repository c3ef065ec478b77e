/** A registered webhook as the storage keeps it, without its signing secret. */
export interface Webhook {
  /** Positive integer, assigned by the storage. */
  readonly id: number;
  /** Whose it is: a tenant of 1–64 characters, or '' for the host's own. It never changes. */
  readonly tenant: string;
  readonly url: string;
  /** What people call it, 1–80 characters; '' if it has no name. */
  readonly name: string;
  readonly description: string;
  /** Event patterns: `*`, `<prefix>.*` or an exact event name. At least one. */
  readonly events: readonly string[];
  readonly isActive: boolean;
  /** How many attempts a minute each process makes to it at most, 1–60,000; null: any number. */
  readonly maxPerMinute: number | null;
  /** Why the engine deactivated it; '' if it is active, or an administrator deactivated it. */
  readonly inactiveReason: InactiveReason;
  /** Since when the engine or an administrator has kept it inactive; null while it is active. */
  readonly inactiveSince: string | null;
  /**
   * Until when deliveries are signed with the previous secret too; null if there was none. May
   * be past.
   */
  readonly previousSecretExpiresAt: string | null;
  /**
   * `createdByUid` as an integer: 0 if it is none within the safe range of a number, or unknown.
   */
  readonly createdBy: number;
  /** The uid of the administrator who created it, 1–255 characters; null when unknown. */
  readonly createdByUid: string | null;
  /** RFC 3339 text, UTC, milliseconds, as are all the timestamps below. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * `gone`: the recipient answered 410. `failing`: none of its deliveries succeeded for too long.
 */
export type InactiveReason = '' | 'gone' | 'failing';

/**
 * `pending` until the last attempt: then `success` or `failed`, for good (a redelivery reopens it).
 */
export type DeliveryStatus = 'pending' | 'success' | 'failed';

/** One attempt of a delivery, as kept in its log. */
export interface AttemptLogEntry {
  /** 1 for the first attempt of the delivery. */
  readonly attempt: number;
  readonly startedAt: string;
  readonly durationMs: number;
  /** The recipient's HTTP status, 0 without an answer. */
  readonly statusCode: number;
  /** Why the attempt failed, '' when it succeeded; see `AttemptErrorCode`. */
  readonly error: string;
  /** The body of the recipient's answer: at most 4,096 bytes of UTF-8 with `responseHeaders`. */
  readonly responseBody: string;
  /**
   * Those of the answer's headers that explain it or name its request, by lower-case name: at most
   * 1,024 bytes of UTF-8. Absent if none were kept.
   */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /**
   * What exactly was wrong: the reason of a `tls_error` or `invalid_response`, or what was
   * tolerated in an answer that has a status. See `SendDetail`. Absent if nothing is known.
   */
  readonly detail?: string;
  /** The `traceparent` header of the request. Absent if it had none. */
  readonly traceparent?: string;
  /** Whether the secret before the last rotation signed the request, too. Absent if not. */
  readonly hasPreviousSignature?: boolean;
  /**
   * Only if `error` is `deferred`: deferred attempts in a row are one entry, that of the last
   * one. How many they are, and when the first one began.
   */
  readonly deferrals?: { readonly count: number; readonly since: string };
}

/** A delivery as history lists show it: everything but the payload and the log of attempts. */
export interface DeliverySummary {
  /** Positive integer, ascending in the order of creation within one database. */
  readonly id: number;
  readonly webhookId: number;
  /** 32 hex characters: the `X-Webhook-ID` of every attempt. */
  readonly deliveryId: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  /**
   * The status and the answer of the last attempt: 0 and '' without an answer, or before an
   * attempt.
   */
  readonly statusCode: number;
  readonly responseBody: string;
  /** Why the last attempt failed or the delivery ended, '' otherwise. */
  readonly error: string;
  /** Those that count, the one under way included. */
  readonly attempts: number;
  /** The attempts beside those that a busy recipient put off. */
  readonly deferrals: number;
  readonly createdAt: string;
  readonly completedAt: string | null;
  /** When the next attempt is due; null once the delivery has ended. */
  readonly nextAttemptAt: string | null;
}

/** A delivery with what was sent and how each attempt went. */
export interface Delivery extends DeliverySummary {
  /** The payload's JSON text, exactly as it is sent. */
  readonly payload: string;
  /** The last 20 attempts, oldest first. */
  readonly attemptLog: readonly AttemptLogEntry[];
}

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
