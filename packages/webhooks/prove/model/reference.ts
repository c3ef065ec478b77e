import assert from 'node:assert/strict';
import { deliveryIdOf } from '../../src/storage/delivery-ids.ts';
import type { DeliveryStatus } from '../../src/storage/delivery-record.ts';
import type {
  AttemptReceipt,
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  DispatchReceipt,
  DispatchRecord,
  WaitingWebhook,
} from '../../src/storage/delivery-requests.ts';

/** Webhooks as the promises of the storage speak of them. */
export interface ReferenceWebhook {
  readonly id: number;
  /** Whose it is; '' for the host's own. */
  readonly tenant: string;
  events: readonly string[];
  isActive: boolean;
  /** How often it was activated after it had been inactive. */
  activation: number;
  /** The last pause, until a success after it. */
  pause: { readonly until: number; readonly activation: number; readonly count: number } | undefined;
}

/** A delivery as the promises of the storage speak of it; times in ms since the epoch. */
export interface ReferenceDelivery {
  readonly deliveryId: string;
  readonly webhookId: number;
  /** Whose event it is; undefined where the dispatch named its webhook. */
  readonly eventOf: string | undefined;
  readonly createdAt: string;
  status: DeliveryStatus;
  attempts: number;
  /** The attempts that counted before the current series. */
  seriesStart: number;
  isReopened: boolean;
  deferrals: number;
  dueAt: number;
  priorityAt: number;
  /**
   * Whether it was written more than ten seconds after its priority time by the latest clock: only
   * a claim that reads from the start of the queue must find it.
   */
  isLate: boolean;
  claim: { readonly token: string; readonly until: number } | undefined;
  recordedToken: string | undefined;
}

const RETRY_PRIORITY_DELAY_MS = 60_000;
const LATE_MS = 10_000;

/** How many deliveries were chosen of each webhook that was given to choose: 0 or more. */
export type Choice = ReadonlyMap<number, number>;

/**
 * What a storage promises, written down as naively as it can be: lists that are searched. It takes
 * what the storage answered, fails where that breaks a promise, and otherwise follows it.
 *
 * @param slackMs how much later it may be by the storage's clock than by this one
 */
export class Reference {
  #now: number;
  /** The latest that it ever was: clocks are set back. */
  #latest: number;
  readonly slackMs: number;
  readonly webhooks = new Map<number, ReferenceWebhook>();
  /** In the order of their ids. */
  readonly deliveries = new Map<string, ReferenceDelivery>();
  /** Called with every result that ends a delivery. */
  onEnded: (delivery: ReferenceDelivery, record: AttemptRecord) => void = () => {};
  /** By tenant, event and key. */
  readonly keys = new Map<
    string,
    { readonly tenant: string; readonly dispatchId: string; readonly createdAt: string }
  >();
  /** When deliveries were claimed. */
  readonly claimedAt: number[] = [];
  /** Webhooks of which a delivery failed, or whose recipient asked to wait, at any time. */
  readonly #troubled = new Set<number>();
  /** Of deliveries that were claimed: what results are recorded by. */
  readonly #claimed = new Map<number, ReferenceDelivery>();

  constructor(now: number, slackMs: number) {
    this.#now = now;
    this.#latest = now;
    this.slackMs = slackMs;
  }

  get now(): number {
    return this.#now;
  }

  set now(now: number) {
    this.#now = now;
    this.#latest = Math.max(this.#latest, now);
  }

  #isLate(priorityAt: number): boolean {
    return priorityAt < this.#latest - LATE_MS;
  }

  /** Writes the dispatches, and answers what a storage has to. */
  dispatch(records: readonly DispatchRecord[]): DispatchReceipt[] {
    return records.map((record) => this.#dispatchOne(record));
  }

  #dispatchOne({
    id = '',
    tenant = '',
    event,
    idempotencyKey,
    createdAt,
    target,
    isRetry = false,
  }: DispatchRecord): DispatchReceipt {
    const key = `${tenant} ${event} ${idempotencyKey}`;
    const broughtBy = this.keys.get(key)?.dispatchId;
    if (idempotencyKey !== undefined) {
      if (broughtBy !== undefined && !(isRetry && broughtBy === id))
        return { outcome: 'repeated', deliveryIds: [] };
      this.keys.set(key, { tenant, dispatchId: id, createdAt });
    }
    const ofWebhooks = [...this.webhooks.values()].map((webhook) => ({
      ...webhook,
      deliveryId: deliveryIdOf(id, webhook.id),
    }));
    const idsOf = (webhooks: typeof ofWebhooks) => webhooks.map(({ deliveryId }) => deliveryId);
    const isThere = ({ deliveryId }: { readonly deliveryId: string }) => this.deliveries.has(deliveryId);
    if (broughtBy === id && idempotencyKey !== undefined) {
      return { outcome: 'written', deliveryIds: idsOf(ofWebhooks.filter(isThere)) };
    }
    const targets = ofWebhooks.filter((webhook) => {
      if (isThere(webhook) || !webhook.isActive) return false;
      if ('webhookId' in target) return webhook.id === target.webhookId;
      if (!(target.tenants ?? ['']).includes(webhook.tenant)) return false;
      return webhook.events.some((pattern) => target.patterns.includes(pattern));
    });
    // A storage that asks its database takes the moment from there.
    const dueAt = this.slackMs > 0 ? this.now : Date.parse(createdAt);
    for (const { id: webhookId, deliveryId } of targets) {
      this.deliveries.set(deliveryId, {
        deliveryId,
        webhookId,
        eventOf: 'webhookId' in target ? undefined : tenant,
        createdAt,
        status: 'pending',
        attempts: 0,
        seriesStart: 0,
        isReopened: false,
        deferrals: 0,
        dueAt,
        priorityAt: dueAt,
        isLate: this.#isLate(dueAt),
        claim: undefined,
        recordedToken: undefined,
      });
    }
    return { outcome: 'written', deliveryIds: idsOf(ofWebhooks.filter(isThere)) };
  }

  remove(webhookId: number): void {
    this.webhooks.delete(webhookId);
    for (const { deliveryId } of this.of(webhookId)) this.deliveries.delete(deliveryId);
  }

  /** Removes everything of a tenant. */
  removeTenant(tenant: string): void {
    for (const webhook of this.webhooks.values()) if (webhook.tenant === tenant) this.remove(webhook.id);
    for (const [name, key] of this.keys) if (key.tenant === tenant) this.keys.delete(name);
  }

  of(webhookId: number): ReferenceDelivery[] {
    return [...this.deliveries.values()].filter((delivery) => delivery.webhookId === webhookId);
  }

  /**
   * Deliveries that a claim must find: due and free, whatever the storage's clock says within the
   * slack.
   */
  free(): ReferenceDelivery[] {
    return [...this.deliveries.values()].filter(({ status, dueAt, claim }) => {
      return status === 'pending' && dueAt <= this.now && (claim === undefined || claim.until <= this.now);
    });
  }

  /** How much longer the webhook pauses; negative if it does not, and endless without a pause. */
  pauseOf(webhookId: number): number {
    const pause = this.#pauseOf(webhookId);
    return pause === undefined ? Number.NEGATIVE_INFINITY : pause.until - this.now;
  }

  #pauseOf(webhookId: number): ReferenceWebhook['pause'] {
    const { pause, activation, isActive } = this.webhooks.get(webhookId) ?? {};
    return isActive === true && pause?.activation === activation ? pause : undefined;
  }

  /** Checks which webhooks a claim was told to pause. */
  showedPauses(shown: readonly WaitingWebhook[]): void {
    for (const { webhookId, isPaused = false, isResuming = false } of shown) {
      const leftMs = this.pauseOf(webhookId);
      if (Math.abs(leftMs) <= this.slackMs) continue;
      assert.deepEqual(
        [isPaused, isResuming],
        [leftMs > 0, leftMs <= 0 && leftMs > Number.NEGATIVE_INFINITY],
        `webhook ${webhookId} is shown with another pause`,
      );
    }
  }

  /**
   * Checks what a claim handed out, and follows it.
   *
   * @param isAlone no other claim was under way
   */
  claim(
    request: ClaimRequest,
    claims: readonly ClaimedDelivery[],
    { chosen, isAlone }: { readonly chosen: Choice; readonly isAlone: boolean },
  ): void {
    assert.ok(
      claims.length <= request.limit,
      `${claims.length} are claimed, ${request.limit} were asked for`,
    );
    const free = new Set(this.free());
    const claimed = claims.map((claim) => this.#claimOne(request, claim));
    assert.equal(new Set(claimed).size, claims.length, 'a delivery is handed out twice in one claim');
    const claimedOf = (webhookId: number) => claimed.filter((one) => one.webhookId === webhookId).length;
    for (const { webhookId } of claimed) {
      assert.ok(
        claimedOf(webhookId) <= (chosen.get(webhookId) ?? 0),
        `more of webhook ${webhookId} is handed out than was chosen`,
      );
    }
    if (!isAlone) return;
    for (const left of free) {
      if (claimed.includes(left) || (left.isLate && !request.isFromStart)) continue;
      const isBefore = ({ webhookId, priorityAt }: ReferenceDelivery) =>
        webhookId === left.webhookId && left.priorityAt < priorityAt - this.slackMs;
      assert.ok(
        !claimed.some(isBefore),
        `${left.deliveryId} is passed over by one of its webhook that comes after it`,
      );
      const count = chosen.get(left.webhookId);
      assert.ok(count !== undefined, `${left.deliveryId} is due, and its webhook is not given to choose`);
      assert.ok(
        claimedOf(left.webhookId) >= count,
        `${left.deliveryId} is due and among those chosen, and is not handed out`,
      );
    }
  }

  #claimOne(request: ClaimRequest, claim: ClaimedDelivery): ReferenceDelivery {
    const { deliveryId, webhook } = claim;
    const delivery = this.deliveries.get(deliveryId);
    assert.ok(delivery !== undefined, `${deliveryId} is handed out, and is not there`);
    const { attempts: before, seriesStart, deferrals } = delivery;
    assert.equal(webhook.id, delivery.webhookId);
    assert.equal(webhook.tenant, this.webhooks.get(webhook.id)?.tenant);
    assert.ok(
      ['', delivery.eventOf ?? webhook.tenant].includes(webhook.tenant),
      `${deliveryId} of ${delivery.eventOf} is handed out for ${webhook.tenant}`,
    );
    assert.equal(webhook.isActive, this.webhooks.get(webhook.id)?.isActive);
    assert.equal(delivery.status, 'pending', `${deliveryId} is handed out, and has ended`);
    assert.ok(delivery.dueAt <= this.now + this.slackMs, `${deliveryId} is handed out before it is due`);
    const leasedUntil = delivery.claim?.until ?? Number.NEGATIVE_INFINITY;
    assert.ok(leasedUntil <= this.now + this.slackMs, `${deliveryId} is handed out twice`);
    const isExhausted = before - seriesStart - deferrals >= request.maxAttempts;
    const attempt = isExhausted ? before : before + 1;
    const lostAttempt = delivery.claim === undefined ? null : before;
    const { attempt: claimedAttempt, seriesAttempt } = claim;
    assert.deepEqual(
      [claimedAttempt, seriesAttempt, claim.deferrals, claim.isExhausted, claim.lostAttempt],
      [attempt, attempt - seriesStart - deferrals, deferrals, isExhausted, lostAttempt],
      `${deliveryId} is handed out as another attempt`,
    );
    const pause = this.#pauseOf(webhook.id);
    const leftMs = this.pauseOf(webhook.id);
    if (claim.pauses > 0 || leftMs < -this.slackMs) {
      assert.equal(claim.pauses, pause?.count ?? 0, `${deliveryId} does not go first after a pause`);
      assert.ok(leftMs <= this.slackMs, `${deliveryId} goes first during a pause`);
    }
    if (pause !== undefined && claim.pauses > 0)
      this.#keepPause(webhook.id, { ...pause, until: this.now + request.leaseMs });
    delivery.attempts = attempt;
    delivery.claim = { token: claim.claimToken, until: this.now + request.leaseMs };
    this.#claimed.set(claim.id, delivery);
    return delivery;
  }

  /** Checks what a storage answered to results, and follows it. */
  record(records: readonly AttemptRecord[], receipts: readonly AttemptReceipt[]): void {
    assert.deepEqual(
      receipts,
      records.map((record) => this.#recordOne(record)),
    );
  }

  #recordOne(record: AttemptRecord): AttemptReceipt {
    const { id, claimToken, status, retryInMs, deferral, resumed, activation } = record;
    const delivery = this.#claimed.get(id);
    if (delivery === undefined || this.deliveries.get(delivery.deliveryId) !== delivery) return 'gone';
    if (delivery.recordedToken === claimToken) return 'recorded';
    if (delivery.status !== 'pending' || delivery.claim?.token !== claimToken) return 'late';
    const dueAt = this.now + retryInMs;
    Object.assign(delivery, { status, recordedToken: claimToken, claim: undefined });
    const priorityAt = dueAt + RETRY_PRIORITY_DELAY_MS;
    Object.assign(delivery, { dueAt, priorityAt, isLate: this.#isLate(priorityAt) });
    if (status !== 'pending') this.onEnded(delivery, record);
    if (deferral !== undefined) delivery.deferrals += 1;
    if (deferral !== undefined || status === 'failed') this.#troubled.add(delivery.webhookId);
    const last = this.webhooks.get(delivery.webhookId)?.pause;
    if (deferral !== undefined && deferral.pauseMs > 0) {
      const until = this.now + deferral.pauseMs;
      if (last === undefined || activation > last.activation) {
        this.#keepPause(delivery.webhookId, { until, activation, count: 1 });
      } else if (activation === last.activation && resumed) {
        this.#keepPause(delivery.webhookId, { until, activation, count: last.count + 1 });
      } else if (activation === last.activation && until > last.until) {
        this.#keepPause(delivery.webhookId, { ...last, until });
      }
    } else if (resumed && last !== undefined) {
      const isOver = status === 'success' && activation === last.activation;
      this.#keepPause(delivery.webhookId, isOver ? undefined : { ...last, until: this.now });
    }
    return 'recorded';
  }

  /**
   * Checks which deliveries expired, and follows it.
   *
   * @param before when they were due at the latest
   */
  expire(deliveryIds: readonly string[], before: number, limit: number): void {
    const { slackMs, now } = this;
    for (const deliveryId of deliveryIds) {
      const delivery = this.deliveries.get(deliveryId);
      assert.ok(delivery?.status === 'pending', `${deliveryId} expires, and is not pending`);
      const { priorityAt, claim, attempts, webhookId } = delivery;
      assert.ok(priorityAt < before + slackMs, `${deliveryId} expires too early`);
      assert.ok((claim?.until ?? 0) <= now + slackMs, `${deliveryId} expires, and is leased`);
      assert.ok(attempts > 0 || this.#troubled.has(webhookId), `${deliveryId} expires, and was never tried`);
      Object.assign(delivery, { status: 'failed', claim: undefined });
    }
    if (deliveryIds.length === limit) return;
    for (const { deliveryId, status, priorityAt, claim, ...one } of this.deliveries.values()) {
      const isFree = (claim?.until ?? 0) <= now - slackMs && priorityAt < before - slackMs;
      const isLeft = status === 'pending' && isFree && one.attempts - one.deferrals > one.seriesStart;
      assert.ok(!isLeft, `${deliveryId} was due for too long, and does not expire`);
    }
  }

  #keepPause(webhookId: number, pause: ReferenceWebhook['pause']): void {
    const webhook = this.webhooks.get(webhookId);
    if (webhook !== undefined) webhook.pause = pause;
  }

  /** Begins a new series of attempts. */
  reopen(delivery: ReferenceDelivery, isRecovered: boolean): void {
    const seriesStart = delivery.attempts - delivery.deferrals;
    const priorityAt = this.now + (isRecovered ? RETRY_PRIORITY_DELAY_MS : 0);
    Object.assign(delivery, {
      status: 'pending',
      seriesStart,
      isReopened: true,
      dueAt: this.now,
      priorityAt,
      isLate: this.#isLate(priorityAt),
      claim: undefined,
    });
  }

  /** The first failed deliveries of active webhooks, by their place in the order of creation. */
  recoverable(limit: number): ReferenceDelivery[] {
    const failed = [...this.deliveries.values()].filter(({ status, webhookId }) => {
      return status === 'failed' && this.webhooks.get(webhookId)?.isActive === true;
    });
    // Stable: where two were created at the same time, the lower id comes first.
    return failed
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt)))
      .slice(0, limit);
  }
}
