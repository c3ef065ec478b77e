import assert from 'node:assert/strict';
import { type AttemptRecord, NO_ACTIVATION } from '../../src/storage/delivery-requests.ts';
import type { Reference, ReferenceDelivery } from './reference.ts';

const MIN_FAILURES = 3;
const MIN_OUTAGE_MS = 600_000;
const HOUR_MS = 3_600_000;
const MAX_AGE_MS = 72 * HOUR_MS;
const PROBES_AFTER_HOURS = [1, 3, 9, 24, 48, 72];
/** Errors of deliveries that could not be sent. */
const UNSENT = ['webhook_inactive', 'blocked_address', 'expired'];

/** Failures of first series of attempts, without a success among them. */
interface Run {
  readonly activation: number;
  readonly since: number;
  failed: number;
  /** The deliveries that were reopened to find out whether it is over. */
  readonly probes: string[];
}

/** What is to be recovered: from the first failure until the first success. */
interface Outage {
  readonly activation: number;
  readonly from: number;
  readonly to: number;
  readonly reopened: Set<string>;
  isRecovered: boolean;
}

/** Outages as the documentation defines them, and what a recovery may reopen. */
export class ReferenceOutages {
  readonly #reference: Reference;
  readonly #runs = new Map<number, Run>();
  readonly #lastSuccessAt = new Map<number, number>();
  readonly #outages = new Map<number, Outage[]>();
  /** How each delivery ended last. */
  readonly #ends = new Map<string, { readonly at: number; readonly error: string }>();

  constructor(reference: Reference) {
    this.#reference = reference;
    reference.onEnded = (delivery, record) => this.#ended(delivery, record);
  }

  #ended({ deliveryId, webhookId, isReopened }: ReferenceDelivery, record: AttemptRecord): void {
    const { now: at, error, activation, status } = record;
    this.#ends.set(deliveryId, { at, error });
    if (activation === NO_ACTIVATION) return;
    const run = this.#runs.get(webhookId);
    if (status === 'success') {
      this.#runs.delete(webhookId);
      this.#lastSuccessAt.set(webhookId, at);
      if (run && run.failed >= MIN_FAILURES && at - run.since >= MIN_OUTAGE_MS)
        this.#over(webhookId, run, at);
      return;
    }
    if (isReopened || at <= (this.#lastSuccessAt.get(webhookId) ?? 0)) return;
    if (run === undefined || run.activation < activation) {
      this.#runs.set(webhookId, { activation, since: at, failed: 1, probes: [] });
    } else if (run.activation === activation) run.failed += 1;
  }

  /** One that ends before the last one was recovered is recovered together with it. */
  #over(webhookId: number, { activation, since }: Run, to: number): void {
    const before = this.#of(webhookId).filter((outage) => outage.activation === activation);
    const from = before.find(({ isRecovered }) => !isRecovered)?.from ?? since;
    for (const outage of before) outage.isRecovered = true;
    const outage = { activation, from, to, reopened: new Set<string>(), isRecovered: false };
    this.#outages.set(webhookId, [...before, outage]);
  }

  /** Checks what a look has reopened, and follows it. */
  reopened(deliveryIds: readonly string[], isProbe: boolean): void {
    for (const deliveryId of deliveryIds) {
      const delivery = this.#reference.deliveries.get(deliveryId);
      const end = this.#ends.get(deliveryId);
      assert.ok(delivery?.status === 'failed' && end, `${deliveryId} is reopened, and has not failed`);
      assert.ok(!UNSENT.includes(end.error), `${deliveryId} is reopened after ${end.error}`);
      if (isProbe) this.#probed(delivery, end.at);
      else this.#recovered(delivery, end.at);
      this.#reference.reopen(delivery, true);
    }
  }

  #probed({ deliveryId, webhookId }: ReferenceDelivery, at: number): void {
    const run = this.#runs.get(webhookId);
    const isCurrent = run?.activation === this.#activationOf(webhookId);
    assert.ok(run && isCurrent && run.failed >= MIN_FAILURES, `${deliveryId} is probed without an outage`);
    assert.ok(at >= run.since, `${deliveryId} is probed, and failed before the outage`);
    const hours = (this.#reference.now - run.since) / HOUR_MS;
    const due = PROBES_AFTER_HOURS.filter((after) => after <= hours).length;
    assert.ok(run.probes.length < due, `${deliveryId} is probed too early`);
    const last = this.#reference.deliveries.get(run.probes.at(-1) ?? '');
    assert.ok(last?.status !== 'pending', `${deliveryId} is probed beside ${last?.deliveryId}`);
    run.probes.push(deliveryId);
  }

  #recovered({ deliveryId, webhookId, createdAt }: ReferenceDelivery, at: number): void {
    const outage = this.#of(webhookId).find(({ isRecovered }) => !isRecovered);
    assert.ok(outage, `${deliveryId} is reopened without an outage`);
    const isOf = outage.activation === this.#activationOf(webhookId) && at >= outage.from && at <= outage.to;
    assert.ok(isOf, `${deliveryId} is reopened, and failed in no outage`);
    assert.ok(Date.parse(createdAt) >= outage.to - MAX_AGE_MS, `${deliveryId} is reopened, and is too old`);
    // What ends in the millisecond of the success may be one that was sent again.
    const isAgain = outage.reopened.has(deliveryId) && at < outage.to;
    assert.ok(!isAgain, `${deliveryId} is reopened twice after one outage`);
    outage.reopened.add(deliveryId);
  }

  /** What expired was not sent. */
  expired(deliveryIds: readonly string[]): void {
    for (const id of deliveryIds) this.#ends.set(id, { at: this.#reference.now, error: 'expired' });
  }

  /** Follows a look after which the storage says whether deliveries are left to be reopened. */
  looked(webhookId: number, isRecovering: boolean): void {
    if (!isRecovering) for (const outage of this.#of(webhookId)) outage.isRecovered = true;
  }

  /** Checks that everything has ended again that failed in an outage. */
  assertRecovered(): void {
    for (const { id, isActive, activation } of this.#reference.webhooks.values()) {
      if (this.#isGivenUp(id)) continue;
      const outages = this.#of(id).filter((outage) => isActive && outage.activation === activation);
      const oldest = (outages.at(-1)?.to ?? 0) - MAX_AGE_MS;
      for (const { deliveryId, status, createdAt } of this.#reference.of(id)) {
        const { at, error } = this.#ends.get(deliveryId) ?? { at: 0, error: '' };
        if (status !== 'failed' || Date.parse(createdAt) < oldest || UNSENT.includes(error)) continue;
        const isLeft = outages.some(({ from, to }) => at >= from && at <= to);
        assert.ok(!isLeft, `${deliveryId} failed in an outage, and was not sent again`);
      }
    }
  }

  /** Whether the next outage lasts, all of whose probes were lost with their workers: it is waited for. */
  #isGivenUp(webhookId: number): boolean {
    const { failed, since, probes } = this.#runs.get(webhookId) ?? { failed: 0, since: 0, probes: [] };
    return failed >= MIN_FAILURES && probes.length > 0 && this.#reference.now - since > MAX_AGE_MS;
  }

  #of(webhookId: number): readonly Outage[] {
    return this.#outages.get(webhookId) ?? [];
  }

  #activationOf(webhookId: number): number | undefined {
    const { isActive, activation } = this.#reference.webhooks.get(webhookId) ?? {};
    return isActive ? activation : undefined;
  }
}
