import assert from 'node:assert/strict';
import type { AttemptRecord, ClaimedDelivery } from '../../src/storage/delivery-requests.ts';

/** The limits of one process, written down naively: slow start. */
export class ReferenceLimits {
  readonly #limits = new Map<number, number>();
  /** Webhooks that have had a success since their recipient last asked to wait. */
  readonly #succeeded = new Set<number>();
  readonly #underway: number[] = [];
  readonly #max: number;

  constructor(options: { readonly concurrency: number; readonly maxPerWebhook: number }) {
    this.#max = Math.min(options.maxPerWebhook, options.concurrency);
  }

  begin(webhookId: number): (record: AttemptRecord | undefined) => void {
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
    return this.#limits.get(webhookId) ?? Math.min(2, this.#max);
  }
}
