import assert from 'node:assert/strict';
import type { AttemptRecord, ClaimedDelivery } from '../../src/storage/delivery-requests.ts';

const SLOW_MS = 2_000;

const RELAPSE_MS = 600_000;

interface Last {
  readonly limit: number;
  readonly isSuspect: boolean;
  readonly isAnswered: boolean;
  readonly slowAt: number;
  readonly hasRelapsed: boolean;
}

/** The limits of one process, written down naively: slow start, and the share of suspects. */
export class ReferenceLimits {
  readonly #last = new Map<number, Last>();
  readonly #underway = new Set<{ readonly webhookId: number; readonly since: number }>();
  readonly #options;

  constructor(options: {
    readonly concurrency: number;
    readonly maxPerWebhook: number;
    readonly clock: () => number;
  }) {
    this.#options = options;
  }

  begin(webhookId: number): (record: AttemptRecord | undefined) => void {
    const attempt = { webhookId, since: this.#options.clock() };
    this.#underway.add(attempt);
    return (record) => {
      this.#underway.delete(attempt);
      if (record === undefined) return;
      const isTimeout = record.error === 'timeout';
      const isSuccess = record.status === 'success';
      const now = this.#options.clock();
      const isSlow = isTimeout || now - attempt.since > SLOW_MS;
      const last = this.#last.get(webhookId);
      const wasSlow = last !== undefined && now - last.slowAt < RELAPSE_MS;
      const hasRelapsed = wasSlow && (last.hasRelapsed || (isSlow && !last.isSuspect));
      const doubled = isSuccess ? this.limitOf(webhookId) * 2 : this.limitOf(webhookId);
      this.#last.set(webhookId, {
        limit: isTimeout ? 1 : Math.min(doubled, this.#max()),
        isSuspect: isSlow || hasRelapsed,
        isAnswered: record.statusCode !== 0,
        slowAt: isSlow ? now : (last?.slowAt ?? Number.NEGATIVE_INFINITY),
        hasRelapsed,
      });
    };
  }

  limitOf(webhookId: number): number {
    return this.#last.get(webhookId)?.limit ?? Math.min(2, this.#max());
  }

  inFlight(webhookId?: number): number {
    return [...this.#underway].filter((attempt) => webhookId === undefined || attempt.webhookId === webhookId)
      .length;
  }

  isSuspect(webhookId: number): boolean {
    if (this.#options.concurrency === 1) return false;
    const isLate = ({ since }: { readonly since: number }) => this.#options.clock() - since > SLOW_MS;
    const isHanging = [...this.#underway].some(
      (attempt) => attempt.webhookId === webhookId && isLate(attempt),
    );
    return isHanging || this.#last.get(webhookId)?.isSuspect === true;
  }

  /** How many more of a webhook may begin now, the half of the suspects included. */
  freeCapacityOf(webhookId: number): number {
    const { concurrency } = this.#options;
    const free = concurrency - this.inFlight();
    const freeCapacity = Math.min(this.limitOf(webhookId) - this.inFlight(webhookId), free);
    return this.isSuspect(webhookId)
      ? Math.min(freeCapacity, Math.floor(concurrency / 2) - this.#inFlightOfSuspects())
      : freeCapacity;
  }

  /**
   * What a claim may start that begins now.
   *
   * @param due the webhooks with something due
   * @param inFlight what the process counts: a slot may come free a moment after its attempt has
   *   ended
   */
  allowed(
    due: ReadonlySet<number>,
    inFlight: ReadonlyMap<number, number>,
  ): {
    readonly slots: number;
    readonly check: (started: readonly ClaimedDelivery[]) => void;
  } {
    const { concurrency } = this.#options;
    const slots = concurrency - this.inFlight();
    const webhooks = new Set([
      ...this.#last.keys(),
      ...[...this.#underway].map(({ webhookId }) => webhookId),
    ]);
    const suspects = new Set([...webhooks].filter((webhookId) => this.isSuspect(webhookId)));
    const ofSuspectsInFlight = this.#inFlightOfSuspects();
    const freeCapacities = new Map(
      [...due, ...webhooks].map((id) => [id, this.limitOf(id) - this.inFlight(id)]),
    );
    const othersAreDue = [...due].some(
      (id) => !suspects.has(id) && this.limitOf(id) > Math.max(this.inFlight(id), inFlight.get(id) ?? 0),
    );
    const answered = new Set([...suspects].filter((id) => this.#last.get(id)?.isAnswered === true));
    const check = (started: readonly ClaimedDelivery[]) => {
      assert.ok(started.length <= slots, `${started.length} are started, ${slots} slots are free`);
      const ofSuspects = started.filter(({ webhook }) => suspects.has(webhook.id));
      for (const { webhook } of started) {
        const count = started.filter((other) => other.webhook.id === webhook.id).length;
        const freeCapacity = freeCapacities.get(webhook.id) ?? Math.min(2, this.#max());
        assert.ok(count <= freeCapacity, `webhook ${webhook.id} has more attempts at once than its limit`);
      }
      if (ofSuspects.length === 0 || ofSuspectsInFlight + ofSuspects.length <= Math.floor(concurrency / 2))
        return;
      const most = concurrency - Math.max(1, Math.ceil(concurrency / 5));
      assert.ok(ofSuspectsInFlight + ofSuspects.length <= most, 'suspects take the last fifth of the slots');
      assert.ok(!othersAreDue, 'suspects take more than half of the slots while others are due');
      assert.ok(
        ofSuspects.every(({ webhook }) => answered.has(webhook.id)),
        'one that gave no answer has more than half',
      );
    };
    return { slots, check };
  }

  #inFlightOfSuspects(): number {
    return [...this.#underway].filter(({ webhookId }) => this.isSuspect(webhookId)).length;
  }

  #max(): number {
    return Math.min(this.#options.maxPerWebhook, this.#options.concurrency);
  }
}
