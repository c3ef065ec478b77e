import type {
  AttemptReceipt,
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  WaitingWebhook,
} from '../../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import type { Choice, Reference } from './reference.ts';
import type { ReferenceOutages } from './reference-outages.ts';

/** Claims and results of all storages of a sequence together. */
export class Calls {
  underway = 0;
  /** How many were ever made. */
  made = 0;
}

/** A storage whose claims and results the reference follows. */
export class ObservedStorage {
  readonly storage: WebhookStorage;
  readonly #reference: Reference;
  readonly #calls: Calls;
  readonly #violations: unknown[];

  constructor(storage: WebhookStorage, reference: Reference, calls: Calls, violations: unknown[]) {
    this.storage = storage;
    this.#reference = reference;
    this.#calls = calls;
    this.#violations = violations;
  }

  async claim(
    process: { isInformed: boolean },
    request: ClaimRequest,
    check: (claims: readonly ClaimedDelivery[]) => void,
  ): Promise<ClaimedDelivery[]> {
    const calls = this.#calls;
    const turn = calls.made;
    const isFirst = calls.underway === 0;
    let chosen: Choice = new Map();
    let shown: readonly WaitingWebhook[] = [];
    const choose: ClaimRequest['choose'] = (waiting) => {
      shown = waiting;
      const counts = request.choose(waiting);
      chosen = new Map(waiting.map(({ webhookId }) => [webhookId, counts.get(webhookId) ?? 0]));
      return counts;
    };
    const claims = await this.#call(() => this.storage.claimDueDeliveries({ ...request, choose }));
    this.#reference.claimedAt.push(request.now);
    // Of calls that overlap, nobody knows which one the storage saw first.
    const isAlone = isFirst && calls.made === turn + 1;
    if (!isAlone && this.#reference.slackMs > 0) process.isInformed = false;
    this.#watch(() => {
      if (isAlone) this.#reference.showedPauses(shown);
      this.#reference.claim(request, claims, { chosen, isAlone });
      check(claims);
    });
    return claims;
  }

  async record(records: readonly AttemptRecord[]): Promise<AttemptReceipt[]> {
    const receipts = await this.#call(() => this.storage.recordAttempts(records, RESULT_RULES));
    this.#watch(() => this.#reference.record(records, receipts));
    return receipts;
  }

  /** The storage for a look at outages: the reference follows what that reopens. */
  forLooks(outages: ReferenceOutages): WebhookStorage {
    return {
      ...this.storage,
      reopenDeliveries: async (request) => {
        const receipt = await this.storage.reopenDeliveries(request);
        const ids = receipt.deliveries.map(({ deliveryId }) => deliveryId);
        this.#watch(() => outages.reopened(ids, request.limit === 1));
        return receipt;
      },
    };
  }

  async #call<Result>(call: () => Promise<Result>): Promise<Result> {
    const calls = this.#calls;
    calls.underway += 1;
    calls.made += 1;
    try {
      return await call();
    } finally {
      calls.underway -= 1;
    }
  }

  /**
   * The runner must not meet what the watching found: it would take it for a failure of the
   * storage.
   */
  #watch(check: () => void): void {
    try {
      check();
    } catch (violation) {
      this.#violations.push(violation);
    }
  }
}
