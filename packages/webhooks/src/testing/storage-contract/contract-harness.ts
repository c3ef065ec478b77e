import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { timestampText } from '../../clock.ts';
import type {
  AttemptReceipt,
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryPlace,
  DispatchReceipt,
  DispatchRecord,
  FailedQuery,
  ReopenedDelivery,
  ReopenRequest,
} from '../../storage/delivery-requests.ts';
import type { FoundDelivery } from '../../storage/delivery-search.ts';
import type {
  ActivityBucket,
  AttemptLogEntry,
  Delivery,
  DeliverySummary,
  OverviewRecord,
  Webhook,
} from '../../storage/records.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type {
  NewWebhook,
  OverviewQuery,
  WebhookChange,
  WebhookQuery,
} from '../../storage/webhook-requests.ts';
import { chooseEvenly } from './choose-evenly.ts';

/** One storage, empty, for one case. */
export interface StorageUnderTest<Transaction = never> {
  readonly storage: WebhookStorage<Transaction>;
  /** The same data through a connection of its own, as a second process has it. */
  readonly secondProcess?: WebhookStorage<Transaction>;
  /** The same data through a connection that loses answers, as one that breaks does. */
  readonly unreliable?: {
    readonly storage: WebhookStorage<Transaction>;
    /** The next call commits, and then rejects. */
    readonly loseNextAnswer: () => void;
  };
  /**
   * Runs `work` in a transaction of the host's: commits when it resolves; rolls back and rejects
   * when it rejects.
   */
  inTransaction?<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Releases the resources of the case. Called once, also after a failure. */
  close(): Promise<void>;
}

/** Whose clock decides what is due: the `now` of a request, or the database's own. */
export type ContractClock = 'caller' | 'database';

/** What a case asks of a claim: of each webhook at most `maxPerWebhook`, by default any number. */
export type ClaimFields = Partial<ClaimRequest> & { readonly maxPerWebhook?: number };

/** One promise of the interface, as a program. */
export interface HarnessCase {
  readonly name: string;
  /** The optional member, or the clock, that the case needs; without it the case is left out. */
  readonly needs?: 'callerClock' | 'databaseClock' | 'transactions' | 'secondProcess' | 'lostAnswers';
  run<Transaction>(harness: ContractHarness<Transaction>): Promise<void>;
}

/**
 * The lease of a claim whose case waits for its end: the shortest allowed, since some storages
 * really wait.
 */
export const LEASE_MS = 1_000;

/** The lease of every other claim: it outlasts its case, however slow the database is. */
const LONG_LEASE_MS = 3_600_000;

/** The URL of a webhook for which a case names none. */
export const WEBHOOK_URL = 'https://recipient.example/hook';

const DAY_MS = 86_400_000;

const NO_COUNTS = { success: 0, failed: 0, pending: 0 };

/** Where a virtual clock begins. */
const START_MS = Date.parse('2026-11-20T04:10:00.123Z');

/** The steps that cases share, and their clock. */
export class ContractHarness<Transaction> {
  readonly storage: WebhookStorage<Transaction>;
  readonly underTest: StorageUnderTest<Transaction>;
  readonly #clock: ContractClock;
  #virtualMs = START_MS;
  #lastToken = 0;

  constructor(underTest: StorageUnderTest<Transaction>, clock: ContractClock) {
    this.storage = underTest.storage;
    this.underTest = underTest;
    this.#clock = clock;
  }

  get secondProcess(): WebhookStorage<Transaction> {
    assert.ok(this.underTest.secondProcess, 'hasSecondProcess is set, and no secondProcess is given');
    return this.underTest.secondProcess;
  }

  /**
   * The storage as the first or the second process has it, for actors with an even or an odd
   * number.
   */
  storageOf(actor: number): WebhookStorage<Transaction> {
    return actor % 2 === 1 ? (this.underTest.secondProcess ?? this.storage) : this.storage;
  }

  inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    assert.ok(this.underTest.inTransaction, 'hasTransactions is set, and no inTransaction is given');
    return this.underTest.inTransaction(work);
  }

  /** Milliseconds since the epoch. */
  get now(): number {
    return this.#clock === 'caller' ? this.#virtualMs : Date.now();
  }

  /** The time `offsetMs` from now, as a stored timestamp. */
  at(offsetMs = 0): string {
    return timestampText(this.now + offsetMs);
  }

  /**
   * Lets time pass: at once where the storage uses its caller's clock, really where it uses its
   * database's.
   */
  async pass(ms: number): Promise<void> {
    if (this.#clock === 'caller') this.#virtualMs += ms;
    else await sleep(ms);
  }

  createWebhook(fields: Partial<NewWebhook> = {}): Promise<Webhook> {
    return this.storage.createWebhook({
      url: WEBHOOK_URL,
      secret: 'whsec_c2VjcmV0',
      description: '',
      events: ['*'],
      isActive: true,
      createdBy: 0,
      createdByUid: null,
      createdAt: this.at(),
      ...fields,
    });
  }

  /** Changes a webhook now. */
  change(id: number, change: Partial<WebhookChange>): Promise<Webhook | undefined> {
    return this.storage.changeWebhook(id, { updatedAt: this.at(), ...change });
  }

  async listIds(query: Partial<WebhookQuery>): Promise<number[]> {
    const all = { limit: 100, offset: 0, sort: 'id', order: 'asc' } as const;
    const { webhooks } = await this.storage.listWebhooks({ ...all, ...query });
    return webhooks.map(({ id }) => id);
  }

  dispatchRecord(fields: Partial<DispatchRecord> = {}): DispatchRecord {
    const target = { patterns: ['*', 'order.*', 'order.paid'] };
    return { event: 'order.paid', payload: '{"total":5}', createdAt: this.at(), target, ...fields };
  }

  async dispatch(fields: Partial<DispatchRecord> = {}): Promise<DispatchReceipt> {
    return only(await this.storage.recordDispatches([this.dispatchRecord(fields)]));
  }

  /** Claims one delivery of each webhook, then another one, within the limits given. */
  claim(fields: ClaimFields = {}): Promise<ClaimedDelivery[]> {
    return this.storage.claimDueDeliveries(this.claimRequest(fields));
  }

  claimRequest({ maxPerWebhook, ...fields }: ClaimFields = {}): ClaimRequest {
    const { limit = 100 } = fields;
    const claimToken = `token-${++this.#lastToken}`;
    return {
      now: this.now,
      limit,
      leaseMs: LONG_LEASE_MS,
      maxAttempts: 4,
      claimToken,
      isFromStart: true,
      choose: chooseEvenly(limit, maxPerWebhook),
      ...fields,
    };
  }

  /** Claims the one delivery that is due. */
  async claimOnly(fields: ClaimFields = {}): Promise<ClaimedDelivery> {
    return only(await this.claim(fields));
  }

  /** The webhook's activation in a claim. All due deliveries have succeeded afterwards. */
  async activationOf(webhookId: number): Promise<number> {
    await this.dispatch({ target: { webhookId } });
    const claims = await this.claim();
    for (const claim of claims) await this.record(claim);
    return present(claims.find(({ webhook }) => webhook.id === webhookId)).webhook.activation;
  }

  /** The result of a claim: a success unless `fields` say otherwise. */
  result(claim: ClaimedDelivery, fields: Partial<AttemptRecord> = {}): AttemptRecord {
    return {
      id: claim.id,
      claimToken: claim.claimToken,
      status: 'success',
      statusCode: 200,
      responseBody: 'thanks',
      error: '',
      attemptLog: [...claim.attemptLog, this.logEntry(claim.attempt)],
      activation: claim.webhook.activation,
      now: this.now,
      retryInMs: 0,
      ...fields,
    };
  }

  logEntry(attempt: number): AttemptLogEntry {
    return {
      attempt,
      startedAt: this.at(),
      durationMs: 12,
      statusCode: 200,
      error: '',
      responseBody: 'thanks',
    };
  }

  async record(claim: ClaimedDelivery, fields: Partial<AttemptRecord> = {}): Promise<AttemptReceipt> {
    return only(await this.storage.recordAttempts([this.result(claim, fields)]));
  }

  /** The newest 100 deliveries of a webhook, newest first. */
  async history(webhookId: number): Promise<DeliverySummary[]> {
    const search = { webhookId, limit: 100, maxScanned: 5_000 };
    return (await this.storage.findDeliveries(search)).deliveries.map(summaryOf);
  }

  /** What an overview says of one webhook; undefined if there is none. */
  async overview(
    webhookId: number,
    parts: Omit<OverviewQuery, 'webhookIds'>,
    storage: WebhookStorage<Transaction> = this.storage,
  ): Promise<OverviewRecord | undefined> {
    const found = await storage.readOverview({ webhookIds: [webhookId], ...parts });
    return found.length === 0 ? undefined : only(found);
  }

  /** A webhook's deliveries by status; zeros if there is no such webhook. */
  async counts(webhookId: number, storage?: WebhookStorage<Transaction>) {
    const overview = await this.overview(webhookId, { counts: true }, storage);
    const { success, failed, pending } = overview ? present(overview.counts) : NO_COUNTS;
    return { total: success + failed + pending, success, failed, pending };
  }

  async failuresInARow(webhookId: number, limit: number, storage?: WebhookStorage<Transaction>) {
    const overview = await this.overview(webhookId, { maxFailuresInARow: limit }, storage);
    return overview ? present(overview.failuresInARow) : 0;
  }

  /** A webhook's activity by hour, by default of all that a case can have caused; no empty hours. */
  async activity(
    webhookId: number,
    range: OverviewQuery['activity'] = { from: this.at(-DAY_MS), to: this.at() },
    storage?: WebhookStorage<Transaction>,
  ): Promise<ActivityBucket[]> {
    const overview = await this.overview(webhookId, { activity: range }, storage);
    const buckets = overview ? present(overview.activity) : [];
    return buckets.filter(({ success, failed, pending }) => success + failed + pending > 0);
  }

  /** All of a webhook's deliveries, newest first, as its history pages show them. */
  async wholeHistory(webhookId: number): Promise<DeliverySummary[]> {
    const all: DeliverySummary[] = [];
    for (let before: DeliveryPlace | null | undefined; before !== null; ) {
      const search = { webhookId, limit: 100, maxScanned: 5_000, ...(before && { before }) };
      const page = await this.storage.findDeliveries(search);
      // Also what ends this loop: ids only go down.
      const end = before?.id ?? Number.POSITIVE_INFINITY;
      assert.ok(
        page.deliveries.every(({ id }) => id < end) && (page.next?.id ?? 0) < end,
        'a page repeats what an earlier one had',
      );
      all.push(...page.deliveries.map(summaryOf));
      before = page.next;
    }
    return all;
  }

  /** Ends all due deliveries with that status, oldest first, and returns their delivery ids. */
  async end(status: 'success' | 'failed', fields: ClaimFields = {}): Promise<string[]> {
    const claims = await this.claim(fields);
    const error = status === 'failed' ? 'http_500' : '';
    const receipts = await this.storage.recordAttempts(
      claims.map((claim) => this.result(claim, { status, error })),
    );
    assert.ok(receipts.every(isRecorded), 'a result was refused');
    return claims.map(({ deliveryId }) => deliveryId);
  }

  async delivery(webhookId: number, deliveryId: string): Promise<Delivery> {
    const search = { webhookId, deliveryId, withContent: true, limit: 1, maxScanned: 5_000 };
    const found = only((await this.storage.findDeliveries(search)).deliveries);
    return { ...summaryOf(found), ...present(found.content) };
  }

  /** Reopens one delivery that has ended. */
  async reopen(webhookId: number, deliveryId: string, storage: Reopening = this.storage) {
    const target = { webhookId, deliveryId };
    return (await storage.reopenDeliveries({ target, now: this.now, limit: 1 })).outcome;
  }

  /** Reopens failed deliveries, oldest first. */
  async reopenFailed(
    target: FailedQuery,
    bounds: Partial<Pick<ReopenRequest, 'limit' | 'after'>> = {},
    storage: Reopening = this.storage,
  ): Promise<readonly ReopenedDelivery[]> {
    const receipt = await storage.reopenDeliveries({ target, now: this.now, limit: 100, ...bounds });
    const { deliveries, count, outcome } = receipt;
    assert.deepEqual([count, outcome], [deliveries.length, count > 0 ? 'reopened' : 'none']);
    return deliveries;
  }

  /** How many failed deliveries would be reopened. */
  async countFailed(target: FailedQuery, storage: Reopening = this.storage): Promise<number> {
    const request = { target, now: this.now, limit: 1, dryRun: true };
    const { count, deliveries, outcome } = await storage.reopenDeliveries(request);
    assert.deepEqual([deliveries, outcome], [[], 'none']);
    return count;
  }
}

/** Whose transactions do not matter. */
type Reopening = Pick<WebhookStorage, 'reopenDeliveries'>;

function summaryOf({ webhookUrl, content, ...summary }: FoundDelivery): DeliverySummary {
  return summary;
}

export function isRecorded(receipt: AttemptReceipt): boolean {
  return receipt === 'recorded';
}

/** The one element of a list that must have one. */
export function only<Element>(elements: readonly Element[]): Element {
  assert.equal(elements.length, 1, `expected one element, found ${elements.length}`);
  return present(elements[0]);
}

/** The value, which must not be undefined. */
export function present<Value>(value: Value | undefined): Value {
  assert.ok(value !== undefined, 'expected a value, found undefined');
  return value;
}

/** The change by which the engine deactivates a webhook. */
export function deactivation(activation: number, inactiveReason: 'gone' | 'failing' = 'gone') {
  return { isActive: false, inactiveReason, expected: { activation } } as const;
}

/** Asserts that no value occurs twice. */
export function assertDistinct(values: readonly unknown[]): void {
  assert.equal(new Set(values).size, values.length, 'a value occurs twice');
}

/** Texts that a storage must neither interpret nor change. */
export const AWKWARD_TEXTS: readonly string[] = Object.freeze([
  `'); DROP TABLE webhooks; --`,
  '" OR ""="',
  '100%_done\\',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder that must stay as it is
  '? $1 :name @p1 ${x} {{y}}',
  'Grüße, 世界, 👩‍👩‍👧, e\u0301, \u200f\u202e',
  '  spaces kept\t\r\n ',
  'null',
  '__proto__',
  '<script>alert(1)</script>',
]);
