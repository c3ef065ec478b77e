import type { HealthLevel } from './failure-run.ts';
import type { FailureRun } from './overview-record.ts';
import type { InactiveReason, WebhookSettings } from './webhook-record.ts';

/** A webhook about to be registered. Settings that are absent have their defaults. */
export interface NewWebhook extends Partial<WebhookSettings> {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  /** Whose it is. Default: '', the host's own. */
  readonly tenant?: string;
  /** How many webhooks the tenant may have, this one included, 1–100. Default: any number. */
  readonly maxOfTenant?: number | undefined;
  readonly secret: string;
  readonly createdBy: number;
  readonly createdByUid: string | null;
  readonly createdAt: string;
}

/**
 * A change to a webhook. Fields that are absent stay as they are. A new `url` also begins a new
 * activation, and with it a new run of failures. So does `isActive: true` if the webhook was
 * inactive; it also clears `inactiveReason`.
 */
export interface WebhookChange extends Partial<WebhookSettings> {
  /** Why the engine deactivates the webhook. Only with `isActive: false`. */
  readonly inactiveReason?: Exclude<InactiveReason, ''>;
  /**
   * A new secret. The present one becomes the previous one; an earlier previous one is forgotten.
   */
  readonly rotation?: SecretRotation;
  /** Null forgets the previous secret: deliveries are signed with the present one alone. */
  readonly previousSecret?: null;
  /**
   * The time of the change. If it is not later than the webhook's `updatedAt`, that plus a
   * millisecond is kept.
   */
  readonly updatedAt: string;
  /** The state that the change is meant for. Default: any. */
  readonly expected?: ExpectedState;
}

/** A webhook's next signing secret. */
export interface SecretRotation {
  readonly secret: string;
  /** Until when deliveries are signed with the previous secret too. */
  readonly previousSecretExpiresAt: string;
}

/** What must be true of a webhook when it is changed. */
export interface ExpectedState {
  /** Its `updatedAt`: nobody has changed it since. */
  readonly updatedAt?: string;
  /** It is active, and its activation is the one in this claim. */
  readonly activation?: number;
}

/** Which webhooks a list shows. */
export interface WebhookQuery {
  /** Only webhooks of this tenant, compared byte by byte; '' for the host's own. Default: all. */
  readonly tenant?: string;
  /**
   * Only webhooks of tenants that come after this one, byte by byte; '' begins with the first
   * tenant. `total` may then be that of the page, so that nothing behind it is read. Default: all.
   */
  readonly tenantAfter?: string;
  /**
   * Part of the URL, name or description, and of the tenant if webhooks of several are listed;
   * compared without regard to ASCII case, `%` and `_` mean themselves.
   */
  readonly search?: string;
  /** With `search`: or with at least one of these patterns; at most 65. */
  readonly searchPatterns?: readonly string[];
  /** With `search`: or with a pattern that begins so, such as `order.`, byte by byte. */
  readonly searchPrefix?: string;
  readonly isActive?: boolean;
  /** Only webhooks with at least one of these patterns; at most 65. */
  readonly patterns?: readonly string[];
  /**
   * Only webhooks of that level. `down`: `MIN_FAILURES` have failed in a run, or the recipient is
   * busy for `BUSY_DOWN_MS` and has asked to wait again. `degraded`: fewer than
   * `SUCCESSES_PER_FAILURE` successes for each failure since `healthSince`, or busy for
   * `BUSY_DEGRADED_MS`. `healthy`: neither.
   */
  readonly level?: HealthLevel;
  /**
   * From which hour on deliveries count for the level: any time within it. Default: of all that are
   * retained.
   */
  readonly healthSince?: string;
  /**
   * The caller's clock, ms since the epoch, by which a recipient has been busy for long. Default:
   * busy ones are taken for healthy.
   */
  readonly now?: number;
  /** Only webhooks with which something may be wrong. Default: all. */
  readonly unwell?: UnwellQuery;
  /** 1–100. */
  readonly limit: number;
  /** 0 or more. */
  readonly offset: number;
  /** `tenant`: byte by byte, with `tenantAfter`. */
  readonly sort: WebhookSort | 'tenant';
  readonly order: 'asc' | 'desc';
}

/**
 * Active webhooks that are down and have failed since `since`; whose recipient has been busy for
 * ten minutes; for which a delivery has failed that was created since `healthSince`; or for which
 * one is pending that was due more than `overdueMs` ago (a retry: a minute later). And webhooks
 * that the engine has deactivated since `since`.
 */
export interface UnwellQuery {
  /** Whether an active one counts, too, for which a delivery is pending that is not due yet. */
  readonly retries: boolean;
  readonly since: string;
  /** The caller's clock, ms since the epoch: a storage may go by its own. */
  readonly now: number;
  readonly overdueMs: number;
}

/**
 * The order of a list; ties are broken by id in the same direction. `level`: descending, webhooks
 * that are down come first, and then degraded ones; of either those with a pending delivery, and of
 * those the one that is down for the longest time.
 */
export type WebhookSort = 'id' | 'url' | 'created_at' | 'updated_at' | 'level';

/** Which webhooks an overview is of, and its parts. A part that is not asked for costs nothing. */
export interface OverviewQuery {
  /**
   * At most 100. Absent: of all webhooks together, as one record with the id 0. Then only
   * `activity` and `waiting` are asked for.
   */
  readonly webhookIds?: readonly number[];
  /** Of all webhooks together, only those of that tenant; '' for the host's own. */
  readonly tenant?: string;
  /** Whether to count deliveries by status. Default: false. */
  readonly counts?: boolean;
  /** The health since that hour: any time within it, at most 24 hours ago. */
  readonly healthSince?: string;
  /** Whether to tell what is pending, and since when. Default: false. */
  readonly waiting?: boolean;
  /** Whether to find the newest delivery. Default: false. */
  readonly lastDelivery?: boolean;
  /** Whether to tell if it pauses, by that clock: the caller's, ms since the epoch. */
  readonly pausedAt?: number;
  /**
   * Tells the failures since the last success of what is kept: the run, the webhook's activation, and
   * when a delivery of it last succeeded ('' before the first success). Absent: they are not told.
   */
  readonly failureRun?: (run: FailureRun, activation: number, lastSuccessAt: string) => FailureRun | null;
  /**
   * Activity by the hour of creation: any time within the first and within the last hour, both
   * included, at most 24 × 366 hours apart.
   */
  readonly activity?: { readonly from: string; readonly to: string };
}
