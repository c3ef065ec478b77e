import assert from 'node:assert/strict';
import { changing } from '../../src/storage/changed-state.ts';
import type { AttemptLogEntry } from '../../src/storage/delivery-record.ts';
import type {
  AttemptReceipt,
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  DispatchReceipt,
  DispatchRecord,
  FailedQuery,
  ReopenedDelivery,
  ReopenRequest,
} from '../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import type { Webhook } from '../../src/storage/webhook-record.ts';
import type { NewWebhook, WebhookChange } from '../../src/storage/webhook-requests.ts';
import { chooseEvenly } from './choose-evenly.ts';
import { type ContractClock, HarnessReads, only, present, type Reopening } from './harness-reads.ts';

export { only, present };

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

/** What a case asks of a claim: of each webhook at most `maxPerWebhook`, by default any number. */
export type ClaimFields = Partial<ClaimRequest> & { readonly maxPerWebhook?: number };

/** One promise of the interface, as a program. */
export interface HarnessCase {
  readonly name: string;
  /** The optional member, or the clock, that the case needs; without it the case is left out. */
  readonly needs?: 'callerClock' | 'databaseClock' | 'transactions' | 'secondProcess' | 'lostAnswers';
  run<Transaction>(harness: ContractHarness<Transaction>): Promise<void>;
}

/** The cases of a topic, by name. */
export type HarnessCases = Readonly<Record<string, HarnessCase['run'] | Omit<HarnessCase, 'name'>>>;

/**
 * The lease of a claim whose case waits for its end: the shortest allowed, since some storages
 * really wait.
 */
export const LEASE_MS = 1_000;

/** The lease of every other claim: it outlasts its case, however slow the database is. */
const LONG_LEASE_MS = 3_600_000;

/** The URL of a webhook for which a case names none. */
export const WEBHOOK_URL = 'https://recipient.example/hook';

/** The steps that cases share. */
export class ContractHarness<Transaction> extends HarnessReads<Transaction> {
  readonly underTest: StorageUnderTest<Transaction>;
  #lastToken = 0;

  constructor(underTest: StorageUnderTest<Transaction>, clock: ContractClock) {
    super(underTest.storage, clock);
    this.underTest = underTest;
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
    return this.storage.changeWebhook(id, changing({ updatedAt: this.at(), ...change }));
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
      // As the engine does: of the claims of a moment, the first one reads from the start.
      isFromStart: this.#lastToken === 1,
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
    return only(await this.storage.recordAttempts([this.result(claim, fields)], RESULT_RULES));
  }

  /** Ends all due deliveries with that status, oldest first, and returns their delivery ids. */
  async end(status: 'success' | 'failed', fields: ClaimFields = {}): Promise<string[]> {
    const claims = await this.claim({ isFromStart: true, ...fields });
    const error = status === 'failed' ? 'http_500' : '';
    const receipts = await this.storage.recordAttempts(
      claims.map((claim) => this.result(claim, { status, error })),
      RESULT_RULES,
    );
    assert.ok(receipts.every(isRecorded), 'a result was refused');
    return claims.map(({ deliveryId }) => deliveryId);
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
}

export function isRecorded(receipt: AttemptReceipt): boolean {
  return receipt === 'recorded';
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
