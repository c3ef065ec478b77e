import type { Deferral } from './deferral.ts';
import type { AttemptLogEntry, DeliveryStatus } from './delivery-record.ts';
import type { SubscriberTarget } from './subscriber-target.ts';

/**
 * Deliveries that ended as `failed`, created at that time or later. Tests of an administrator, as
 * `isTestDelivery` tells them, are left out.
 */
export interface FailedQuery {
  /**
   * Only deliveries of this webhook; of every webhook if absent. Those of inactive webhooks are
   * left out.
   */
  readonly webhookId?: number;
  readonly createdSince: string;
  /** Only deliveries created before this time. */
  readonly createdBefore?: string;
  /** Only deliveries of these events, 1–100 names. */
  readonly events?: readonly string[];
  /** Only deliveries that ended within this time, both ends included, with none of these errors. */
  readonly ended?: { readonly from: string; readonly to: string; readonly exceptErrors: readonly string[] };
}

/**
 * A delivery's place in the order of creation: by `createdAt`, and by `id` if that is the same.
 */
export interface DeliveryPlace {
  readonly createdAt: string;
  readonly id: number;
}

/** Which deliveries begin new series of attempts. */
export interface ReopenRequest {
  /** One delivery that has ended, or the failed ones of a query. */
  readonly target: { readonly webhookId: number; readonly deliveryId: string } | FailedQuery;
  /**
   * The caller's clock, ms since the epoch. A storage that several machines share ignores it and
   * uses its database's clock.
   */
  readonly now: number;
  /** Of a query: 1–1,000. Other writers may have to wait until that many are reopened. */
  readonly limit: number;
  /**
   * Of a query: only deliveries that come after this place, the last one that the call before
   * returned. Default: from the oldest on.
   */
  readonly after?: DeliveryPlace | undefined;
  /**
   * Of a query: reopens nothing, and counts all that it would, whatever `limit`. Default: false.
   */
  readonly dryRun?: boolean;
}

/** A delivery that was reopened. */
export interface ReopenedDelivery extends DeliveryPlace {
  readonly deliveryId: string;
}

/** What became of a {@link ReopenRequest}. */
export interface ReopenReceipt {
  /**
   * `pending`: the one delivery has not ended, and nothing changed. `none`: nothing was reopened,
   * as there is nothing to reopen, or in a dry run.
   */
  readonly outcome: 'reopened' | 'pending' | 'none';
  /** What was reopened, oldest first: of one webhook by id, otherwise by {@link DeliveryPlace}. */
  readonly deliveries: readonly ReopenedDelivery[];
  /** How many that is, or in a dry run how many it would be. */
  readonly count: number;
}

/** Which due deliveries to sum up. */
export interface DueQuery {
  /**
   * The caller's clock, ms since the epoch. A storage that several machines share ignores it and
   * uses its database's clock.
   */
  readonly now: number;
  /** 1–100,000: how far to count. */
  readonly limit: number;
  /** As of {@link ClaimRequest.isFromStart}. Default: false. */
  readonly isFromStart?: boolean;
}

/** The deliveries that are due now and not leased, without those of webhooks that pause. */
export interface DueSummary {
  /**
   * For how many milliseconds the one that has waited longest has been due, by the clock that says
   * what is due; null when nothing is due.
   */
  readonly oldestDueMs: number | null;
  /** How many are due, counted up to the limit asked for. */
  readonly due: number;
  /** True if the database refuses writes, as to a role that may only read. Absent: not known. */
  readonly isReadOnly?: boolean;
}

/** One event on its way to its subscribers. */
export interface DispatchRecord {
  readonly event: string;
  /** JSON text of an object. */
  readonly payload: string;
  readonly createdAt: string;
  /**
   * The webhooks it goes to: every active one of these tenants that has at least one of these
   * patterns, or one webhook by its id if it is active, whatever its patterns and its tenant.
   */
  readonly target: SubscriberTarget | { readonly webhookId: number };
  /** Whose event it is: the key is unique per tenant. Default: '', the host's. */
  readonly tenant?: string;
  /**
   * 1–255 characters; unique per tenant and event. A key that another dispatch brought, and that
   * was not purged since then, writes nothing; two concurrent dispatches with one key write once.
   */
  readonly idempotencyKey?: string;
  /**
   * 40 hexadecimal digits, which the engine generates before the first try to write the dispatch.
   * Every try derives the id of a webhook's delivery from it by {@link deliveryIdOf}, so that a unique
   * index refuses a second one. Default: a new one, and no retry is recognised.
   */
  readonly id?: string;
  /**
   * An earlier call with this `id` rejected, and may have written the dispatch all the same because
   * the answer to its commit was lost. It writes what that call did not, and nothing twice. Its
   * receipt names the deliveries that are there, whatever became of them and of their webhooks; its
   * own key is not `repeated`. With a key that is there, it writes nothing; without one, it may add a
   * delivery for a webhook registered since. Default: false.
   */
  readonly isRetry?: boolean;
}

/** What became of one {@link DispatchRecord}. */
export interface DispatchReceipt {
  /**
   * `repeated`: another dispatch brought the idempotency key before. `blocked`: another transaction
   * holds the key of one of the dispatches, and none of them is written. Both wrote nothing.
   */
  readonly outcome: 'written' | 'repeated' | 'blocked';
  /** The deliveries written, none when no webhook subscribes. */
  readonly deliveryIds: readonly string[];
}

/** A runner's request to {@link WebhookStorage.claimDueDeliveries}. */
export interface ClaimRequest {
  /**
   * The runner's clock, ms since the epoch. A storage that several machines share ignores it and
   * uses its database's clock.
   */
  readonly now: number;
  /** The batch size: at most this many deliveries, 1–1,000, which is as many as can start now. */
  readonly limit: number;
  /** How long the lease lasts, 1 s – 1 h. */
  readonly leaseMs: number;
  /** Attempts in one series, 1–20. */
  readonly maxAttempts: number;
  /** Random text of 1–64 characters that proves the lease when the result is recorded. */
  readonly claimToken: string;
  /**
   * Whether the storage reads its queue from the start. Otherwise it may begin at the oldest
   * pending delivery that it saw before, less ten seconds, and misses what a transaction committed
   * later than that. The engine's first claim asks for it, and another one at least every five
   * seconds.
   */
  readonly isFromStart: boolean;
  /**
   * Chooses among the webhooks that have something due: how many deliveries of each the claim
   * leases, at most `limit` together, and 0 for those it leaves out. Does nothing else: a storage
   * calls it again if it tries again, and not at all if nothing is due.
   *
   * A webhook that pauses is given as such. The choice leaves it out, and learns that more may be
   * due than it is shown. Of one whose pause is over, it leases one delivery at most, and no other
   * claim leases any until that one's result is recorded or its lease ends.
   *
   * Each webhook is given at most once. Of w webhooks, one that has something due is given within
   * ⌈(w + 1) ÷ 256⌉ claims of one storage object, and from then on in each, until nothing more of it
   * is due: of more than 256 such webhooks those of different customers first, and others in turn.
   * One that has a new delivery is given in the next claim, unless 300 newer ones are due, retries
   * not counted. If no more than `limit` deliveries are due, every webhook is given, with exact
   * counts.
   *
   * The priority time of a retry, and of a delivery that a query reopened, is a minute after it
   * became due. For that minute, first attempts go before it. No retry waits for ever.
   */
  choose(waiting: readonly WaitingWebhook[]): ReadonlyMap<number, number>;
}

/** A webhook with deliveries that are due and not leased. */
export interface WaitingWebhook {
  readonly webhookId: number;
  /** Whose it is; '' for the host's own. */
  readonly tenant: string;
  /** How many they are, at least 1; `Infinity` if the storage has not counted them. */
  readonly due: number;
  /** Whether it pauses, as a {@link Deferral} of its present activation asked. Default: false. */
  readonly isPaused?: boolean | undefined;
  /** Whether its pause is over, and nothing has been sent since. Default: false. */
  readonly isResuming?: boolean | undefined;
}

/** A delivery that only this runner may attempt until its lease ends. */
export interface ClaimedDelivery {
  readonly id: number;
  readonly claimToken: string;
  readonly deliveryId: string;
  readonly event: string;
  readonly payload: string;
  readonly createdAt: string;
  /**
   * The number of the attempt that this claim stands for, counted over the delivery's whole life.
   */
  readonly attempt: number;
  /**
   * The same, counted from the start of the current series (a redelivery starts a new one) and
   * without deferred attempts: 1–maxAttempts, or more if the maximum was lowered meanwhile (then
   * `isExhausted`).
   */
  readonly seriesAttempt: number;
  /** How many attempts were deferred, counted over the delivery's whole life. */
  readonly deferrals: number;
  /**
   * Of the delivery that goes first after a pause: how many pauses in a row that ended, 1 or more.
   * 0 for any other.
   */
  readonly pauses: number;
  readonly attemptLog: readonly AttemptLogEntry[];
  /** The number of an earlier attempt whose lease ended without a result: its worker vanished. */
  readonly lostAttempt: number | null;
  /**
   * No attempt of the series is left: this claim stands for no new one, and the runner ends the
   * delivery without sending. Either the lost attempt was the last one (`attempt === lostAttempt`),
   * or the host has lowered its maximum below the attempts made already (`lostAttempt` is null).
   */
  readonly isExhausted: boolean;
  /** As it is now, not as it was at dispatch. */
  readonly webhook: {
    readonly id: number;
    /** Decides which addresses the delivery may reach. */
    readonly tenant: string;
    readonly url: string;
    readonly secret: string;
    /**
     * The secret before the last rotation, and until when deliveries are signed with it too; null
     * if there is none.
     */
    readonly previousSecret: { readonly secret: string; readonly expiresAt: string } | null;
    readonly isActive: boolean;
    /** As of the webhook; null without a limit. */
    readonly maxPerMinute: number | null;
    /**
     * A whole number that changes each time the webhook is activated after it was inactive, or
     * given another URL.
     */
    readonly activation: number;
  };
}

/** The activation of a result that says nothing of the recipient; no webhook has it. */
export const NO_ACTIVATION = -1;

/** The result of a claimed delivery's attempt. */
export interface AttemptRecord {
  readonly id: number;
  readonly claimToken: string;
  readonly status: DeliveryStatus;
  readonly statusCode: number;
  readonly responseBody: string;
  readonly error: string;
  /** The whole log to keep, the new entries included, at most 20. */
  readonly attemptLog: readonly AttemptLogEntry[];
  /**
   * The webhook's activation as the claim returned it, among whose failures this one counts unless
   * its delivery was reopened. {@link NO_ACTIVATION} for a test, and if nothing was sent.
   */
  readonly activation: number;
  /** The runner's clock at the end of the attempt, ms since the epoch. */
  readonly now: number;
  /** When the next attempt is due, counted from `now`; read only if `status` is `pending`. */
  readonly retryInMs: number;
  /** The recipient was busy. */
  readonly deferral?: Deferral;
  /**
   * The delivery went first after a pause. Its success forgets the pauses; without that, and
   * without another pause, the next delivery goes first at once.
   */
  readonly resumed?: { readonly webhookId: number };
}

/**
 * The outcome of an {@link AttemptRecord}: it is `recorded`, by this call or an earlier one; it
 * came `late`, after another claim of the delivery; or its delivery is `gone`, removed meanwhile,
 * perhaps with its webhook.
 */
export type AttemptReceipt = 'recorded' | 'late' | 'gone';
