import type { TenantBacklogs } from '../../hooks/webhook-hooks.ts';
import type { HealthLevel } from '../../storage/failure-run.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { InactiveReason } from '../../storage/webhook-record.ts';

/** How deliveries fare, and what is wrong: of all webhooks, or of one tenant's. */
export type Overview = {
  /**
   * Deliveries created in the last 24 hours, the hour in which those began included, that have
   * ended; and the share of successes, from 0 to 1.
   */
  readonly delivered: {
    readonly success: number;
    readonly failed: number;
    /** Null if none has ended. */
    readonly rate: number | null;
  };
  readonly answers: AnswerTimes;
  readonly dayBefore: DayBefore;
  readonly waiting: {
    /**
     * Deliveries that are pending; those that wait for a retry, too. Exact up to 100,000; 100,001
     * stands for any larger number.
     */
    readonly count: number;
    /** How many of them were created in the hours of `delivered`. */
    readonly recent: number;
    /**
     * When the oldest of them was created; null if none waits. Of more than 100,000, it may be any.
     */
    readonly oldestAt: string | null;
  };
  /** Tenants with a backlog: see `maxPendingPerTenant`. In the overview of a tenant, that one alone. */
  readonly backlogs: TenantBacklogs;
  /** By webhook and cause, the worst first: at most 20. */
  readonly problems: readonly DeliveryProblem[];
  /** Whether there may be more. */
  readonly hasMoreProblems: boolean;
};

/** Of deliveries that were created in the 24 hours before those of `delivered`. */
export type DayBefore = {
  /** The share of successes. */
  readonly rate: number | null;
  /** As in `answers`. */
  readonly p95Ms: number | null;
};

/**
 * How long recipients took: in the newest attempts, at most 200, for the newest deliveries that
 * have ended, at most 100 of either outcome; of requests that were sent.
 */
export type AnswerTimes = {
  /** How many attempts these are, and when the first of them began; null if there are none. */
  readonly attempts: number;
  readonly since: string | null;
  /** Half of them took at most so long, and 95 % so long, in milliseconds. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
};

/** What does not reach one webhook for one reason. */
export type DeliveryProblem = {
  readonly webhookId: number;
  /** Whose webhook it is; '' for the host's own. */
  readonly tenant: string;
  readonly url: string;
  readonly name: string;
  readonly level: HealthLevel;
  readonly isActive: boolean;
  readonly inactiveReason: InactiveReason;
  /**
   * The error of the last attempts. Of a webhook that the engine deactivated there is one problem:
   * that of its newest failure, '' if none is retained. '' of an active webhook: deliveries that
   * have been due for more than five minutes, and for which no error is told.
   */
  readonly error: string;
  /**
   * When the oldest delivery with this problem was created, or the first that is late was due, or
   * the webhook was deactivated. If there are more than are counted, a time before which none of
   * them was created.
   */
  readonly since: string;
  /** Deliveries with this problem that have ended as `failed`, and those that wait. */
  readonly failed: number;
  readonly waiting: number;
  /**
   * False if there are more: the newest 100 of either are counted, and 10,000 of those that are
   * late.
   */
  readonly isWhole: boolean;
  /** The newest delivery with this problem; null if none is retained. */
  readonly deliveryId: string | null;
  /** The HTTP status and the body of the recipient's answer to it: 0 and '' without one. */
  readonly statusCode: number;
  readonly responseBody: string;
  /** The last change of the webhook that is known, from a day before on; null if there was none. */
  readonly changed: WebhookChanged | null;
};

/**
 * What was done to a webhook, and when: it was `created` or `edited`, its secret was `rotated`, or
 * the secret before the last rotation came to its end.
 */
export type WebhookChanged = {
  readonly what: 'created' | 'edited' | 'rotated' | 'secret_ended';
  readonly at: string;
};

/** What an overview needs of a storage. */
export type OverviewStorage = Pick<WebhookStorage, 'listWebhooks' | 'readOverview' | 'findDeliveries'>;
