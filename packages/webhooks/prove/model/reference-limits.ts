import assert from 'node:assert/strict';
import type { AttemptRecord, ClaimedDelivery } from '../../src/storage/delivery-requests.ts';

/** A process forgets a webhook that it has not tried for this long, some time or other. */
const REMEMBERED_MS = 3_600_000;

/** The limits of one process, written down naively: slow start. */
export class ReferenceLimits {
  readonly #limits = new Map<number, number>();
  /** Webhooks that have had a success since their recipient last asked to wait. */
  readonly #succeeded = new Set<number>();
  readonly #underway: number[] = [];
  readonly #triedAt = new Map<number, number>();
  readonly #max: number;
  readonly #now: () => number;

  constructor(options: {
    readonly concurrency: number;
    readonly maxPerWebhook: number;
    readonly monotonic: () => number;
  }) {
    this.#now = options.monotonic;
    this.#max = Math.min(options.maxPerWebhook, options.concurrency);
  }

  begin(webhookId: number): (record: AttemptRecord | undefined) => void {
    this.#limits.set(webhookId, this.#limitOf(webhookId));
    this.#triedAt.set(webhookId, this.#now());
    this.#underway.push(webhookId);
    return (record) => {
      this.#underway.splice(this.#underway.indexOf(webhookId), 1);
      if (record === undefined) return;
      if (record.deferral !== undefined) this.#deferred(webhookId, record);
      else if (record.error === 'timeout') this.#limits.set(webhookId, 1);
      else if (record.status === 'success') {
        this.#limits.set(webhookId, Math.min(this.#limitOf(webhookId) * 2, this.#max));
        this.#succeeded.add(webhookId);
      }
    };
  }

  /** Checks what a claim starts that begins now. */
  allowed(): (started: readonly ClaimedDelivery[]) => void {
    // A limit may change while the storage answers.
    const before = new Map(this.#limits);
    return (started) => {
      for (const { webhook } of started) {
        const all = [...this.#underway, ...started.map((other) => other.webhook.id)];
        const limit = Math.max(before.get(webhook.id) ?? 0, this.#limitOf(webhook.id));
        const count = all.filter((webhookId) => webhookId === webhook.id).length;
        assert.ok(count <= limit, `webhook ${webhook.id} has more attempts at once than its limit`);
      }
    };
  }

  #deferred(webhookId: number, { attemptLog }: AttemptRecord): void {
    const isStubborn = (attemptLog.at(-1)?.deferrals?.count ?? 0) > 3;
    const isAlone = isStubborn && this.#succeeded.has(webhookId);
    this.#succeeded.delete(webhookId);
    if (!isAlone) this.#limits.set(webhookId, 1);
  }

  #limitOf(webhookId: number): number {
    const first = Math.min(2, this.#max);
    const limit = this.#limits.get(webhookId) ?? first;
    const isForgotten = this.#now() - (this.#triedAt.get(webhookId) ?? 0) >= REMEMBERED_MS;
    return isForgotten ? Math.max(limit, first) : limit;
  }
}
