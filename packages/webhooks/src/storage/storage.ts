import type {
  ActivityQuery,
  AttemptReceipt,
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQuery,
  DispatchReceipt,
  DispatchRecord,
  DueQuery,
  DueSummary,
  FailedQuery,
  PurgeReceipt,
  PurgeRequest,
  ReopenedDelivery,
  ReopenRequest,
} from './delivery-requests.ts';
import type { ActivityBucket, Delivery, DeliveryCounts, DeliverySummary, Webhook } from './records.ts';
import type {
  Deactivation,
  NewWebhook,
  SecretRotation,
  WebhookChange,
  WebhookQuery,
} from './webhook-requests.ts';

/**
 * Where webhooks and deliveries are kept: the single source of truth. A delivery's row says when it is due
 * and who holds it; queues only say "poll now".
 *
 * Texts are well-formed UTF-16 without U+0000: databases keep UTF-8, which has no lone surrogates, so two texts that
 * differ in them alone would become one; PostgreSQL refuses U+0000 and some SQLite drivers cut off there. The engine
 * passes no other text on.
 *
 * Every promise below has a case in the contract suite of `@acme/webhooks/testing`. A method rejects with the
 * database's own error when the database does; the engine wraps it. Every method is safe to call concurrently,
 * from several processes too where the database is shared.
 *
 * @typeParam Transaction the host's own transaction, `never` where there is none.
 */
export interface WebhookStorage<Transaction = never> {
  /**
   * Resolves where the storage can be used as it is. Rejects with a `WebhookError` `storage_misconfigured`, whose message says
   * what to run or to set, where it can't: tables are missing, or a setting would damage what is kept. Any other error says
   * that it could not find out. Called by `start()`, which waits for 5 s. Absent: always.
   */
  assertReady?(): Promise<void>;

  /** Adds a webhook, active for the next dispatch. Atomic. */
  createWebhook(webhook: NewWebhook): Promise<Webhook>;

  /** The webhook, or undefined when there is none of that id. */
  findWebhook(id: number): Promise<Webhook | undefined>;

  /** One page, and how many webhooks the query matches in all. */
  listWebhooks(query: WebhookQuery): Promise<{ webhooks: Webhook[]; total: number }>;

  /**
   * Replaces the given fields, patterns included, in one atomic step. Undefined when there is no such webhook, or, with
   * `expectedUpdatedAt`, when it has another `updatedAt`: of several concurrent calls that expect the same, one changes it.
   *
   * The `updatedAt` of a webhook grows with every change, a deactivation and a rotation included: where the one given is
   * not later than the last, it is the last one and a millisecond.
   */
  updateWebhook(id: number, change: WebhookChange): Promise<Webhook | undefined>;

  /**
   * Removes the webhook, its patterns and all its deliveries; false when there was none. It is gone for everybody in
   * one atomic step: from then on nothing finds, matches, claims or records anything of it. A storage may remove the
   * deliveries themselves after that step, in several; all are removed when the promise resolves. What a call leaves
   * behind that rejects in between, or whose process dies, {@link purgeDeliveries} removes. With `expectedUpdatedAt` also
   * false when it has another `updatedAt`: nothing is removed then.
   */
  deleteWebhook(id: number, expectedUpdatedAt?: string): Promise<boolean>;

  /**
   * Deactivates the webhook and keeps the reason, if its activation is still the one that gave it. True for one of
   * several concurrent callers, false for the others and where it was inactive or gone already, or has been activated
   * again or given another URL meanwhile. Atomic: an activation comes before it or after it.
   */
  deactivateWebhook(id: number, deactivation: Deactivation): Promise<boolean>;

  /**
   * Replaces the secret and keeps the one so far until it expires, in one atomic step. Undefined when there is no such
   * webhook, or it has another `updatedAt` than the one expected, as of {@link updateWebhook}.
   */
  rotateSecret(id: number, rotation: SecretRotation): Promise<Webhook | undefined>;

  /**
   * The retained deliveries of a webhook by status; zeros when there are none. Exact at every moment, whatever is
   * recorded, purged and reopened at the same time. Its cost does not grow with the number of deliveries, but for those that
   * host transactions wrote and that wait for their end.
   */
  countDeliveries(webhookId: number): Promise<DeliveryCounts>;

  /**
   * The retained deliveries of a webhook by the hour of their creation and their status now, oldest hour first; hours
   * without any may be left out. The sum over all hours is {@link countDeliveries}; so are cost and exactness.
   */
  readActivity(query: ActivityQuery): Promise<ActivityBucket[]>;

  /** The newest delivery of each of these webhooks (at most 100 ids), in any order; none for those without one. */
  lastDeliveries(webhookIds: readonly number[]): Promise<DeliverySummary[]>;

  /**
   * How many of a webhook's deliveries ended `failed` after its last success and since it was last activated or given another URL. By when
   * they ended, not by their age, and whatever has become of the delivery that succeeded; of two that ended in one
   * millisecond, the success counts as the later. Counts up to `limit` (1–1,000).
   */
  countFailuresInARow(webhookId: number, limit: number): Promise<number>;

  /** How many deliveries {@link reopenFailed} would reopen in all. */
  countFailed(query: FailedQuery): Promise<number>;

  /** Newest first. */
  listDeliveries(query: DeliveryQuery): Promise<DeliverySummary[]>;

  /** One delivery of that webhook, or undefined. */
  findDelivery(webhookId: number, deliveryId: string): Promise<Delivery | undefined>;

  /**
   * Writes a pending delivery, due now, for every target that is active at this moment, at most one per webhook
   * and dispatch; receipts come in the order of the dispatches. All in one transaction: either every dispatch is
   * durable when the promise resolves, or none is. With `transaction`, everything runs on the host's own, and is
   * durable when the host commits; when the promise rejects, the host rolls back, for a part may be written.
   *
   * A dispatch whose idempotency key was written before for the same event, and not forgotten by
   * {@link purgeIdempotencyKeys} since then, writes nothing; two concurrent ones of one key write once.
   *
   * A retry (`isRetry`) of a dispatch that an earlier call has written, as its answer was lost, writes nothing. Its receipt
   * names the deliveries that were written then and are still there, whatever became of them and of their webhooks; its own
   * key is not `repeated`. A retry while the earlier call is still at it waits for that. A dispatch without a key of which
   * every delivery was removed since is as one that was never written.
   *
   * `maxWaitMs`: what somebody else's open transaction has locked (a key, a webhook) is waited for about so long at most;
   * the call then rejects with an error that {@link isContention} knows, and the dispatches are given again in smaller
   * groups. A storage where nobody locks single rows ignores it. Default: for a few seconds, or as long as the database lets.
   */
  recordDispatches(
    dispatches: readonly DispatchRecord[],
    transaction?: Transaction,
    maxWaitMs?: number,
  ): Promise<DispatchReceipt[]>;

  /**
   * Whether an error of this storage says that somebody else was in the way of what was to be written (a lock that was
   * not to be had in time, a statement that took too long), and not that the storage is away. Others that were to be written
   * with it then are written without it. Absent: never.
   */
  isContention?(error: unknown): boolean;

  /**
   * Whether it was the idempotency key of a dispatch that somebody was in the way of: another dispatch of the event, with
   * another key or without one, may be written. Absent: never.
   */
  isKeyContention?(error: unknown): boolean;

  /**
   * Begins a new series of attempts on a delivery that has ended: pending again, due now, its attempts counting on.
   * `pending` when it has not ended: nothing changes. Undefined when there is none of that webhook. Atomic: of several
   * concurrent calls, one reopens.
   */
  reopenDelivery(request: {
    readonly webhookId: number;
    readonly deliveryId: string;
    readonly now: number;
  }): Promise<'reopened' | 'pending' | undefined>;

  /**
   * Reopens at most `limit` (1–1,000) failed deliveries of active webhooks, as {@link reopenDelivery} does, and answers
   * them oldest first, in the order of {@link DeliveryPlace}: fewer than `limit` once none is left. Atomic. Their first
   * attempts stand in line as retries do, so that those of new events go before them.
   *
   * With `after`, none is reopened whose place is that one or an earlier one. Calls of which each names the last
   * delivery of the call before so reopen every delivery at most once, also where those reopened have failed again.
   */
  reopenFailed(request: ReopenRequest): Promise<ReopenedDelivery[]>;

  /** What is due at `now` (or by the database's own clock), counted up to `limit`, which bounds its cost in a database. */
  dueSummary(query: DueQuery): Promise<DueSummary>;

  /**
   * Leases deliveries that are due and not leased, within the limits of the request. Where everything due that they allow
   * fits, all of it. Where it does not, `allocateSlots` divides the slots among the webhooks, each claim beginning after the
   * webhook where the last one of this storage ended. A webhook with something due and nothing in flight is chosen within
   * ⌈n ÷ f⌉ + 1 claims of one runner: n is the number of such webhooks meanwhile, f the smallest number of free slots for it
   * (for suspects of slots left to suspects, for others of all without those); claims with none for it do not count.
   *
   * Within a webhook the longest due comes first, with one exception: a retry, and what {@link reopenFailed} reopened,
   * stands as if it had become due a minute later. First attempts, that of {@link reopenDelivery} too, so go before them
   * and yet keep none waiting for ever. Each one's `attempts` grows by 1 (never beyond the series' maximum), and nobody else gets it before its lease ends. A
   * delivery whose lease ended without a result is handed out again with `lostAttempt`. Atomic; an empty array when
   * nothing is due.
   */
  claimDueDeliveries(request: ClaimRequest): Promise<ClaimedDelivery[]>;

  /**
   * Records results, durable when the promise resolves; answers in the same order what became of each. One is written
   * while its claim token is the row's current one and the row is still pending, and once: offered again, perhaps
   * because the first answer was lost, it is `recorded` and changes nothing, at least until another claim's result is
   * recorded. A late one changes nothing either. A pending result gives the claim back and sets the next due time.
   */
  recordAttempts(records: readonly AttemptRecord[]): Promise<AttemptReceipt[]>;

  /**
   * Removes at most `limit` deliveries: those that an unfinished {@link deleteWebhook} left behind, then those created
   * before that time, ending the pending ones first. Nothing is left to remove once a call answers fewer than
   * `limit`. Atomic: when the promise rejects, nothing was removed, so that every delivery that expires is reported once.
   */
  purgeDeliveries(request: PurgeRequest): Promise<PurgeReceipt>;

  /**
   * Forgets at most `limit` (1–10,000) idempotency keys written before that time, and answers how many: fewer than
   * `limit` once none is left. Atomic.
   */
  purgeIdempotencyKeys(request: { readonly createdBefore: string; readonly limit: number }): Promise<number>;
}
