import type { WebhookState } from './changed-state.ts';
import type {
  AttemptReceipt,
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  DispatchReceipt,
  DispatchRecord,
  DueQuery,
  DueSummary,
  ReopenReceipt,
  ReopenRequest,
} from './delivery-requests.ts';
import type { DeliverySearch, DeliverySearchPage } from './delivery-search.ts';
import type { FailureStep, StepRequest } from './failure-steps.ts';
import type { OverviewRecord } from './overview-record.ts';
import type { PurgeReceipt, PurgeRequest } from './purge-requests.ts';
import type { TENANT_CLOSED_MS } from './removed-tenant.ts';
import type { ResultRules } from './result-rules.ts';
import type { Webhook } from './webhook-record.ts';
import type { NewWebhook, OverviewQuery, WebhookQuery } from './webhook-requests.ts';

/** Which idempotency keys to forget, 1–10,000 of them at most. */
export type KeyPurge = { readonly limit: number } & (
  | { readonly createdBefore: string }
  | {
      readonly tenant: string;
      /** The caller's clock, ms since the epoch: when the tenant is closed. */
      readonly now: number;
    }
);

/**
 * Where webhooks and deliveries are kept: the single source of truth. A delivery's row says when it
 * is due and who leases it; queues only say "poll now".
 *
 * Texts are well-formed UTF-16 without U+0000; the engine passes no other text on. Databases keep
 * UTF-8, which has no lone surrogates: two texts that differ in them alone would become one.
 * PostgreSQL refuses U+0000, and some SQLite drivers cut off there.
 *
 * Every promise below has a case in the contract suite of `@acme/webhooks/testing`. A method
 * rejects with the database's own error when the database does; the engine wraps it. Every method
 * is safe to call concurrently, from several processes too if the database is shared.
 *
 * @typeParam Transaction the host's own transaction, `never` if there is none.
 */
export interface WebhookStorage<Transaction = never> {
  /**
   * Resolves if the storage can be used as it is. `start()` calls it and waits for 5 s. Absent: it
   * always can. Rejects with a `WebhookError` `storage_misconfigured`, which says what to run or to
   * set, if tables are missing or a setting would damage what is kept. Any other error means that
   * it could not find out.
   */
  assertReady?(): Promise<void>;

  /**
   * Adds a webhook, which the next dispatch finds. Atomic, with `maxOfTenant`, too: of several
   * calls at once, no more than that many succeed. Rejects with a `WebhookError`
   * `too_many_webhooks` if the tenant has as many, and with `rate_limited` if {@link
   * purgeIdempotencyKeys} has closed the tenant. Where removed webhooks cost something for a
   * while, a storage may also reject with `rate_limited` if the tenant has ten times `maxOfTenant`
   * of them.
   */
  createWebhook(webhook: NewWebhook): Promise<Webhook>;

  /**
   * Returns the webhook, or undefined if there is none. If a tenant is given, the webhooks of
   * others do not exist. Looking for one takes as many statements: otherwise, a tenant could find
   * out by timing which ids exist.
   */
  findWebhook(id: number, tenant?: string): Promise<Webhook | undefined>;

  /** One page of webhooks, and how many the query matches in all. */
  listWebhooks(query: WebhookQuery): Promise<{ webhooks: Webhook[]; total: number }>;

  /**
   * Passes the webhook's state to `change`, keeps what that returns, and returns the webhook as it
   * is then. Returns undefined, and changes nothing, if there is none or `change` returns undefined.
   * Atomic: of several calls at once, each sees what the one before has kept. `change` may be called
   * again.
   */
  changeWebhook(
    id: number,
    change: (before: WebhookState) => WebhookState | undefined,
  ): Promise<Webhook | undefined>;

  /**
   * Removes the webhook with its patterns and deliveries. Returns false, and removes nothing, if
   * there is none or it has another `updatedAt` than the one expected. Atomic: from then on no call
   * finds, claims or records anything of it. The rows of its deliveries may be left to {@link
   * purgeDeliveries}, which the engine then calls until none is left.
   */
  deleteWebhook(id: number, expectedUpdatedAt?: string): Promise<boolean>;

  /**
   * The parts asked for of each of these webhooks that is there, in any order. Each part is exact,
   * except for what {@link purgeDeliveries} is removing, and all are of one moment, except that the
   * last delivery may be a newer one. The cost does not grow with deliveries that have ended.
   */
  readOverview(query: OverviewQuery): Promise<OverviewRecord[]>;

  /**
   * Returns a text that changes when a webhook is added, changed or removed, and when a delivery of
   * one of these webhooks (at most 100) is written, ends or is reopened, and once those of an hour
   * are purged. Attempts in between do not change it. Without ids, only the newest delivery of all
   * counts. It costs a few rows per webhook. A storage may consider only 200 pending deliveries of
   * a webhook. With the scope `deliveries`, a webhook that is added, changed or removed does not
   * count, and nothing that happens to other webhooks changes the text.
   */
  readRevision(webhookIds?: readonly number[], scope?: 'all' | 'deliveries'): Promise<string>;

  /**
   * Finds deliveries of one webhook, newest (highest id) first, or of all, in descending order of
   * {@link DeliveryPlace}. Reads at most `maxScanned`, and says where it stopped. Following `next`
   * finds each delivery that matches once, also while deliveries come in, however often a page was
   * cut. Deliveries outside of its times cut hardly any page. The exceptions are those created less
   * than an hour before or after: the order of ids may differ from that of times by as much.
   */
  findDeliveries(search: DeliverySearch): Promise<DeliverySearchPage>;

  /**
   * Writes a pending delivery, due now, for every active target, at most one per webhook and
   * dispatch, and returns a receipt for each dispatch in their order. All or none: durable when the
   * promise resolves, or with the host's `transaction` when that commits. If another open
   * transaction holds a key, the whole group is `blocked` soon, except with `transaction`.
   * {@link DispatchRecord} has the rules of keys and retries.
   */
  recordDispatches(
    dispatches: readonly DispatchRecord[],
    transaction?: Transaction,
  ): Promise<DispatchReceipt[]>;

  /**
   * Begins new series of attempts: the deliveries are pending again and due now, and their attempts
   * count on. Atomic: of concurrent calls, one reopens a delivery. For a query it reopens the
   * first `limit` failed deliveries of active webhooks after `after`, or fewer once none is left:
   * in the order of ids of one webhook, of {@link DeliveryPlace} of all. These get the priority
   * time of retries.
   */
  reopenDeliveries(request: ReopenRequest): Promise<ReopenReceipt>;

  /**
   * Counts, up to `limit`, the deliveries due at `now` (or by the database's own clock) of webhooks
   * that do not pause. The limit bounds the cost in a database: behind that many other deliveries,
   * it may see only the newest.
   */
  dueSummary(query: DueQuery): Promise<DueSummary>;

  /**
   * Leases due deliveries: of each webhook as many as `choose` says, the earliest priority time
   * first, or fewer if other claims were faster. Atomic; empty when nothing is due. No other
   * claim returns a delivery before its lease ends, and its `attempts` grows by 1; those that count
   * never exceed the maximum. {@link ClaimRequest.choose} says what to give to choose from.
   */
  claimDueDeliveries(request: ClaimRequest): Promise<ClaimedDelivery[]>;

  /**
   * Records results, durable when the promise resolves; a receipt for each, in the same order. A
   * result is written once, while its claim token is the row's current one and the row is pending.
   * The same result again is `recorded`; a late one changes nothing. A pending result ends the
   * lease and sets the next due time; a deferred one may pause its webhook. Failures, and the first
   * success after them, change the webhook's run of failures. The rules say what is kept then.
   */
  recordAttempts(records: readonly AttemptRecord[], rules: ResultRules): Promise<AttemptReceipt[]>;

  /**
   * Passes the runs of failures that are kept to `step`, by webhook, and keeps what it returns, or
   * nothing if that is null. Atomic for each: of concurrent calls, one sees what the other has
   * kept, or leaves the run out. `step` may be called again for a run.
   */
  stepFailures(request: StepRequest): Promise<FailureStep[]>;

  /**
   * Passes the one text that the engine keeps of backlogs to `step`, '' at first, keeps what it
   * returns, and returns what is kept then. Undefined changes nothing. Atomic: of several calls at
   * once, each sees what the one before has kept. `step` may be called again. The text has at most
   * 60,000 bytes of UTF-8. Absent: the engine tells of no backlog.
   */
  stepBacklogs?(step: (kept: string) => string | undefined): Promise<string>;

  /**
   * Removes at most `limit` deliveries: those that {@link deleteWebhook} left behind, then those
   * created before that time, ending the pending ones first; fewer than `limit` once none is left,
   * or while another process purges. When the promise rejects, none that it would have reported was
   * removed: every one that expires is reported once. Numbers of the overview go once all
   * deliveries of their hour have: use a time at the start of an hour. Or ends at most `limit`
   * whose recipient is busy for too long, as failures of their webhook; or that have been due for
   * too many of the hours in which {@link claimDueDeliveries} was called. A storage may know of the
   * last 2,160 of these alone.
   */
  purgeDeliveries(request: PurgeRequest): Promise<PurgeReceipt>;

  /**
   * Forgets at most `limit` idempotency keys, those written before a time or those of a
   * tenant, and returns how many: fewer than `limit` once none is left. Atomic. Keys of a tenant
   * that another open transaction has locked may be left.
   *
   * With a tenant it also closes the tenant for {@link TENANT_CLOSED_MS}: {@link createWebhook}
   * with `maxOfTenant` rejects, in every process. A webhook whose creation was under way at the
   * call either is found once the promise resolves, or is refused.
   */
  purgeIdempotencyKeys(request: KeyPurge): Promise<number>;
}
