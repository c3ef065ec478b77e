import type { Delivery, DeliveryStatus, DeliverySummary } from '../storage/delivery-record.ts';
import type { FoundDelivery } from '../storage/delivery-search.ts';
import type { HealthLevel, levelOf } from '../storage/failure-run.ts';
import type { GivenSettings, Webhook } from '../storage/webhook-record.ts';
import type { WebhookSort } from '../storage/webhook-requests.ts';
import type { SentRequest } from './sent-request.ts';

/** A new webhook with its secret, which no other call returns. */
export interface CreatedWebhook extends Webhook {
  /** `whsec_` and 32 base64 characters. Store it now: nothing returns it again. */
  readonly secret: string;
}

/** A webhook with its new secret, which no other call returns. */
export interface RotatedWebhook extends Webhook {
  /** `whsec_` and 32 base64 characters. Store it now: nothing returns it again. */
  readonly secret: string;
  /** Until when requests are also signed with the old secret: 24 hours from now. */
  readonly previousSecretExpiresAt: string;
}

/** A webhook as a list shows it. */
export interface ListedWebhook extends Webhook {
  /** The newest delivery, whatever its status; null if none is retained. */
  readonly lastDelivery: DeliverySummary | null;
  readonly health: ReportedHealth;
}

/** How the deliveries of a webhook have ended lately. */
export interface ReportedHealth {
  /** Deliveries created in the last 24 hours, the hour in which those began included. */
  readonly success: number;
  readonly failed: number;
  /** `success` of both, from 0 to 1; null if none has ended. */
  readonly successRate: number | null;
  /** `healthy`, `degraded` or `down`: see {@link levelOf}. */
  readonly level: HealthLevel;
  /** Since when its deliveries have failed, and none has succeeded; null unless it is down. */
  readonly downSince: string | null;
  /** Since when its recipient asks to wait, and none has succeeded; null if it does not. */
  readonly busySince: string | null;
  /**
   * Whether an outage is over, and what failed in it is being sent again by `recoverAfterOutage`.
   */
  readonly isRecovering: boolean;
  /** When a delivery last succeeded; null before the first success. */
  readonly lastSuccessAt: string | null;
  /** When one last ended as `failed` after an attempt; null before the first. */
  readonly lastFailureAt: string | null;
}

/** How many attempts at once one process makes to a webhook. */
export interface WebhookConcurrency {
  /** The limit now, which grows with successes and falls with failures: 1–`max`. */
  readonly limit: number;
  /** The highest limit: `maxConcurrentPerWebhook`. */
  readonly max: number;
  /**
   * Whether the last attempt got no answer or took longer than a second. All such webhooks share a
   * quarter of the slots of the process.
   */
  readonly isSlow: boolean;
}

/** Retained deliveries of one webhook by outcome; `total` is their sum. */
export interface DeliveryCounts {
  readonly total: number;
  readonly success: number;
  readonly failed: number;
  /**
   * Exact up to 100,000. 100,001 ({@link MAX_PENDING_COUNTED} + 1) stands for any larger number;
   * `total` is then too low as well.
   */
  readonly pending: number;
}

/** A webhook with the counts of its retained deliveries by status. */
export interface WebhookDetail extends Webhook {
  readonly stats: DeliveryCounts;
  readonly health: ReportedHealth;
  /**
   * When the engine deactivates the webhook at the earliest, unless a delivery succeeds before;
   * null unless it is down and `disableAfterFailingMs` is given.
   */
  readonly disablesAt: string | null;
  /**
   * What this process knows of the recipient's speed. Null if it does not deliver, or has sent
   * nothing to the webhook lately; other processes may know more.
   */
  readonly concurrency: WebhookConcurrency | null;
  /**
   * Until when nothing is sent, since its recipient asked to wait: by 429, or by 503 with
   * `Retry-After`. Null if it did not, or once that is over.
   */
  readonly busyUntil: string | null;
}

/** What `changes` takes. */
export interface ChangesInput {
  /** The webhooks whose deliveries matter, at most 100. Default: see `changes`. */
  readonly webhookIds?: readonly number[] | undefined;
}

/** Whether anything changed. */
export interface Changes {
  /** Opaque; another text than before if something changed. */
  readonly version: string;
}

/** What `create` takes: the settings, each with its default, and whose it is. */
export interface CreateWebhookInput<Pattern extends string = string>
  extends Omit<GivenSettings, 'events' | 'url'> {
  /**
   * Whose webhook it is: 1–64 printable characters without spaces at the ends. Cannot be changed
   * later. Default, and null: the host's own.
   */
  readonly tenant?: string | null | undefined;
  /**
   * A public `http` or `https` URL of at most 2,048 characters; `https` alone for a tenant's,
   * unless `egress.allowTenantHttp` is set.
   */
  readonly url: string;
  /**
   * 1–100 patterns of at most 128 characters. Of a tenant's webhook, names are those of events for
   * tenants. Default: `['*']`.
   */
  readonly events?: readonly Pattern[] | undefined;
  /**
   * The uid of the administrator, 1–255 characters, one of them visible, without control
   * characters, line separators or bidirectional controls. Default: null, unknown.
   */
  readonly createdByUid?: string | null | undefined;
}

/** What `update` takes: any of the settings; absent ones stay as they are. */
export interface UpdateWebhookInput<Pattern extends string = string> extends Omit<GivenSettings, 'events'> {
  readonly events?: readonly Pattern[] | undefined;
}

/** What `update`, `delete` and `rotateSecret` take besides the webhook. */
export interface WebhookPrecondition {
  /**
   * The `updatedAt` of the webhook as the caller knows it. If the webhook has changed since then,
   * nothing happens (`precondition_failed`). Default: any state is accepted.
   */
  readonly expectedUpdatedAt?: string | undefined;
}

/** What `list` takes. */
export interface ListWebhooksInput {
  /** Only webhooks of this tenant; null: only the host's own. Default: all. */
  readonly tenant?: string | null | undefined;
  /**
   * Part of the URL, name or description, at most 200 characters, and of the tenant if webhooks of
   * several are listed. An event also finds the webhooks with a pattern for it, except `*`; a
   * pattern such as `order.*` finds those with a pattern for all of it or for a part, such as
   * `order.paid`.
   */
  readonly search?: string | undefined;
  readonly active?: boolean | undefined;
  /** Only webhooks of that level. */
  readonly health?: HealthLevel | undefined;
  /** 1–100, default 50. */
  readonly limit?: number | undefined;
  /** 0–1,000,000, default 0. */
  readonly offset?: number | undefined;
  /**
   * Default `id`. `level`: with `desc`, webhooks that are down come first, and then degraded ones;
   * of either those with a pending delivery, and of those the one that is down for the longest
   * time.
   */
  readonly sort?: WebhookSort | undefined;
  /** Default `desc`: the newest first. */
  readonly order?: 'asc' | 'desc' | undefined;
}

/** One page of webhooks. */
export interface WebhookPage {
  readonly webhooks: readonly ListedWebhook[];
  /** The number of all matching webhooks. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** What `deliveries` takes. */
export interface ListDeliveriesInput {
  readonly status?: DeliveryStatus | undefined;
  /** An event, or all events below a prefix: `order.*`. */
  readonly event?: string | undefined;
  /** Only deliveries created at this time or later. */
  readonly from?: Date | string | undefined;
  /** Only deliveries created before this time; not before `from`. */
  readonly to?: Date | string | undefined;
  /** 1–100, default 50. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** What `searchDeliveries` takes: every filter that is given must match. */
export interface SearchDeliveriesInput {
  /** Only deliveries of this tenant's webhooks; null: of the host's own. Default: of all. */
  readonly tenant?: string | null | undefined;
  /** Only deliveries of this webhook; of one that is not there, there are none. */
  readonly webhookId?: number | undefined;
  /** The `X-Webhook-ID` of one delivery. */
  readonly deliveryId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** An event, or all events below a prefix: `order.*`. */
  readonly event?: string | undefined;
  /** Why the last attempt failed, such as `timeout`; '' finds deliveries without an error. */
  readonly error?: string | undefined;
  /** The HTTP status of the last attempt: 0–999; 0 finds deliveries without a response. */
  readonly statusCode?: number | undefined;
  /** Deliveries created at this time or later: a `Date` or RFC 3339 text with its offset. */
  readonly from?: Date | string | undefined;
  /** Deliveries created before this time; not before `from`. */
  readonly to?: Date | string | undefined;
  /** 1–100, default 50. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** One page of deliveries, newest first. */
export interface DeliveryPage {
  /** At most `limit`. There may be fewer, or none, if `scannedUntil` is given. */
  readonly deliveries: readonly FoundDelivery[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /**
   * Where the page stopped after it had read 5,000 deliveries: the time of creation of the last
   * one. `nextCursor` goes on there. Null if it did not have to stop.
   */
  readonly scannedUntil: string | null;
}

/** A delivery with its last request. */
export interface DeliveryDetail extends Delivery {
  /** The last request that is recorded; null before the first one. */
  readonly request: SentRequest | null;
}
