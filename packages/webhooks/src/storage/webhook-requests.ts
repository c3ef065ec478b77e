import type { isFailing } from './is-failing.ts';
import type { nextUpdatedAt } from './next-updated-at.ts';
import type { InactiveReason } from './records.ts';

/** A webhook about to be registered. */
export interface NewWebhook {
  readonly url: string;
  readonly secret: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly createdBy: number;
  readonly createdByUid: string | null;
  readonly createdAt: string;
}

/** Fields of a webhook that an update replaces; absent ones stay. */
export interface WebhookChange {
  /** A new URL also begins a new activation, and with it a new count of failures in a row. */
  readonly url?: string;
  readonly description?: string;
  readonly events?: readonly string[];
  /**
   * `true` also clears `inactiveReason`. Where the webhook was inactive, it begins a new
   * activation, as another URL does.
   */
  readonly isActive?: boolean;
  /**
   * The time of the change. A storage keeps {@link nextUpdatedAt}, a later time where this one is
   * not later than the last.
   */
  readonly updatedAt: string;
  /**
   * The `updatedAt` of the state that the change is meant for: a webhook that has another one by
   * now is not changed.
   */
  readonly expectedUpdatedAt?: string | undefined;
}

/** A webhook's next signing secret. */
export interface SecretRotation {
  readonly secret: string;
  /**
   * Until when deliveries are signed with the previous secret too. One that an earlier rotation
   * kept is forgotten.
   */
  readonly previousSecretExpiresAt: string;
  /** As of a {@link WebhookChange}. */
  readonly updatedAt: string;
  readonly expectedUpdatedAt?: string | undefined;
}

/** When the secret before the last rotation stops signing. */
export type PreviousSecretEnd = Pick<WebhookChange, 'updatedAt' | 'expectedUpdatedAt'>;

/** Why and when the engine deactivates a webhook. */
export interface Deactivation {
  /**
   * The activation in the claim whose attempt gave the reason: a webhook that has another one by
   * now stays active.
   */
  readonly activation: number;
  readonly reason: Exclude<InactiveReason, ''>;
  /** As of a {@link WebhookChange}. */
  readonly updatedAt: string;
}

/** Which webhooks a list shows. */
export interface WebhookQuery {
  /**
   * Part of the URL or of the description; compared without regard to ASCII case, `%` and `_` mean
   * themselves.
   */
  readonly search?: string;
  readonly isActive?: boolean;
  /** Only webhooks with at least one of these patterns; at most 65. */
  readonly patterns?: readonly string[];
  /** Whether the last delivery that ended failed: see {@link isFailing}. */
  readonly isFailing?: boolean;
  /** 1–100. */
  readonly limit: number;
  /** 0 or more. */
  readonly offset: number;
  readonly sort: WebhookSort;
  readonly order: 'asc' | 'desc';
}

/**
 * The order of a list; ties are broken by id in the same direction. `failing`: descending, webhooks
 * whose last delivery failed come first.
 */
export type WebhookSort = 'id' | 'url' | 'created_at' | 'updated_at' | 'failing';

/** Whose health to read. */
export interface HealthQuery {
  /** At most 100. */
  readonly webhookIds: readonly number[];
  /** Any time within the first hour to count; at most 24 hours ago. */
  readonly from: string;
}
