import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { timestampText } from '../../src/clock.ts';
import { generateSecret } from '../../src/signing/secret.ts';
import { changing } from '../../src/storage/changed-state.ts';
import { generateDispatchId } from '../../src/storage/delivery-ids.ts';
import type { DeliverySummary } from '../../src/storage/delivery-record.ts';
import type { DeliveryPlace, DispatchRecord } from '../../src/storage/delivery-requests.ts';
import type { DeliverySearchPage } from '../../src/storage/delivery-search.ts';
import { shownRun } from '../../src/storage/failure-run.ts';
import type { NewWebhook } from '../../src/storage/webhook-requests.ts';
import type { ModelStorage } from './model-storages.ts';
import { Calls, ObservedStorage } from './observed-storage.ts';
import { Reference, type ReferenceDelivery, type ReferenceWebhook } from './reference.ts';
import { ReferenceOutages } from './reference-outages.ts';
import { type Answer, Worker, type WorkerSettings } from './worker.ts';

/** The timers of runner and recorder are no longer than this. */
const TICK_MS = 5;
/**
 * Turns of the event loop after which everything has followed that follows without a timer or the
 * storage.
 */
const TURNS = 8;
const PAGE = 100;
const REMAINS_PER_PURGE = 100;
const DAY_MS = 86_400_000;
/**
 * Rounds in which everything that is pending ends, once every recipient answers: no delivery needs
 * more than its attempts.
 */
const MAX_ROUNDS_TO_END = 400;

/** An event that is dispatched; `webhook` names one webhook instead of those that subscribe. */
export interface Event {
  readonly name: 'a.x' | 'b.x';
  readonly key: 'k' | 'l' | undefined;
  readonly webhook: number | undefined;
  /** Default: the host's. */
  readonly tenant?: Tenant | undefined;
  /** Whether it leaves the host's own webhooks out. */
  readonly only?: boolean;
}

/** How a sequence goes. */
export interface WorldSettings extends WorkerSettings {
  readonly setsClockBack: boolean;
}
/** Customers; '' is the host. */
export type Tenant = '' | 'acme' | 'Acme';
const TENANTS: readonly Tenant[] = ['acme', 'Acme'];

/**
 * Everything that a sequence acts upon: the storage, two processes on it, time, and the reference
 * beside them.
 */
export class World {
  readonly under: ModelStorage;
  readonly reference: Reference;
  readonly outages: ReferenceOutages;
  readonly workers: Worker[];
  /** Processes that were cut off: their requests may be answered yet. */
  readonly vanished: Worker[] = [];
  readonly #settings: WorkerSettings;
  readonly #storages: readonly ObservedStorage[];
  readonly #calls = new Calls();
  readonly #violations: unknown[] = [];
  /** Every id that a webhook ever had. */
  readonly #webhookIds: number[] = [];
  /**
   * Whether looks at outages are followed: not where clocks are set back, nor where only pending
   * deliveries grow older.
   */
  readonly isFollowed: boolean;
  /** How often a tenant was closed: a purge of old keys may count that, too. */
  /** What was purged and may be counted. */
  #stillCounted: ReferenceDelivery[] = [];
  #closings = 0;
  #lastDispatches: readonly DispatchRecord[] = [];
  #monotonic = 0;

  constructor(under: ModelStorage, settings: WorldSettings) {
    this.under = under;
    this.isFollowed = !settings.setsClockBack && under.pass === undefined;
    this.#settings = settings;
    this.reference = new Reference(under.startMs(), under.slackMs);
    this.outages = new ReferenceOutages(this.reference);
    const observed = new Map(
      under.processes.map((storage) => [
        storage,
        new ObservedStorage(storage, this.reference, this.#calls, this.#violations),
      ]),
    );
    this.#storages = under.processes.flatMap((storage) => observed.get(storage) ?? []);
    this.workers = this.#storages.map((storage) => this.#startWorker(storage));
  }

  webhookAt(index: number): ReferenceWebhook | undefined {
    return at([...this.reference.webhooks.values()], index);
  }

  deliveryAt(index: number): ReferenceDelivery | undefined {
    return at([...this.reference.deliveries.values()], index);
  }

  async createWebhook(events: readonly string[], tenant: Tenant): Promise<void> {
    const { id } = await this.#storage.createWebhook(this.#newWebhook(events, tenant));
    this.#webhookIds.push(id);
    const state = { isActive: true, activation: 0, pause: undefined };
    this.reference.webhooks.set(id, { id, tenant, events, ...state });
  }

  #newWebhook(events: readonly string[], tenant: Tenant): NewWebhook {
    return {
      tenant,
      url: 'https://recipient.example/',
      secret: generateSecret(),
      description: '',
      events,
      isActive: true,
      createdBy: 0,
      createdByUid: null,
      createdAt: this.#present(),
    };
  }

  async change(
    webhook: ReferenceWebhook,
    change: Partial<Pick<ReferenceWebhook, 'events' | 'isActive'>>,
  ): Promise<void> {
    await this.#storage.changeWebhook(webhook.id, changing({ ...change, updatedAt: this.#present() }));
    if (change.isActive === true && !webhook.isActive) webhook.activation += 1;
    Object.assign(webhook, change);
    // A pause after a 429 ends with the activation it belongs to, and what waited for it is due.
    if (change.isActive !== undefined) this.#becameDue();
  }

  async rotate({ id }: ReferenceWebhook): Promise<void> {
    const updatedAt = this.#present();
    const rotation = { secret: generateSecret(), previousSecretExpiresAt: updatedAt };
    await this.#storage.changeWebhook(id, changing({ rotation, updatedAt }));
  }

  async remove({ id }: ReferenceWebhook): Promise<void> {
    assert.equal(await this.#storage.deleteWebhook(id), true);
    this.reference.remove(id);
    await this.#purgeRemains();
  }

  /** As the engine removes a customer who left. */
  async removeTenant(tenant: Tenant): Promise<void> {
    const { keys, now } = this.reference;
    const limit = 2;
    const ofTenant = [...keys.values()].filter((key) => key.tenant === tenant).length;
    let forgotten = 0;
    for (let some: number = limit; some === limit; forgotten += some) {
      some = await this.#storage.purgeIdempotencyKeys({ tenant, now, limit });
    }
    assert.equal(forgotten, ofTenant, `other keys than those of ${tenant} are forgotten`);
    this.#closings += 1;
    const late = this.#storage.createWebhook({ ...this.#newWebhook(['*'], tenant), maxOfTenant: 100 });
    await assert.rejects(late, ({ code }) => code === 'rate_limited');
    const { webhooks } = await this.#storage.listWebhooks({ ...PAGE_BY_TENANT, sort: 'id', tenant });
    for (const { id } of webhooks) assert.equal(await this.#storage.deleteWebhook(id), true);
    this.reference.removeTenant(tenant);
    await this.#purgeRemains();
  }

  async #purgeRemains(): Promise<void> {
    // As the engine does: a purge that finds nothing old removes what the webhook left.
    const remains = { createdBefore: timestampText(0), now: this.reference.now, limit: REMAINS_PER_PURGE };
    for (let removed: number = REMAINS_PER_PURGE; removed === REMAINS_PER_PURGE; ) {
      const receipt = await this.#storage.purgeDeliveries(remains);
      assert.deepEqual(receipt.expired, []);
      removed = receipt.removed;
    }
  }

  async dispatch(events: readonly Event[]): Promise<void> {
    this.#lastDispatches = this.#recordsOf(events);
    const receipts = await this.#storage.recordDispatches(this.#lastDispatches);
    this.#compareReceipts(receipts, this.reference.dispatch(this.#lastDispatches));
    this.#becameDue();
  }

  /** The answer to the last dispatches was lost: they are written once more. */
  async repeatDispatches(): Promise<void> {
    const again = this.#lastDispatches.map((dispatch) => ({ ...dispatch, isRetry: true }));
    const receipts = await this.#storage.recordDispatches(again);
    this.#compareReceipts(receipts, this.reference.dispatch(again));
    this.#becameDue();
  }

  async dispatchInTransaction(events: readonly Event[], isCommitted: boolean): Promise<void> {
    const records = this.#recordsOf(events);
    const { inTransaction } = this.under;
    assert.ok(inTransaction);
    const rolledBack = new Error('rolled back');
    await inTransaction(async (dispatch) => {
      const receipts = await dispatch(records);
      if (!isCommitted) throw rolledBack;
      this.#compareReceipts(receipts, this.reference.dispatch(records));
    }).catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
    this.#becameDue();
  }

  answer(worker: Worker, index: number, answer: Answer): void {
    at(worker.requests, index)?.answer(answer);
  }

  /** A process is killed: nothing it does from now on happens but what was under way. */
  vanish(index: number): void {
    const [worker, storage] = [this.workers[index], this.#storages[index]];
    assert.ok(worker && storage);
    this.vanished.push(worker);
    this.workers[index] = this.#startWorker(storage);
    void worker.close();
  }

  /** Back, where `ms` is negative: clocks are set. */
  async pass(ms: number): Promise<void> {
    this.reference.now += ms;
    this.#monotonic += Math.max(ms, 0);
    await this.under.pass?.(ms);
    this.#becameDue();
  }

  /** These processes look at outages, at once. */
  async look(workers: readonly Worker[] = this.workers): Promise<void> {
    if (!this.isFollowed) return;
    await Promise.all(workers.map((worker) => worker.look()));
    const webhookIds = [...this.reference.webhooks.keys()];
    for (const { webhookId, failureRun } of await this.#storage.readOverview({
      webhookIds,
      failureRun: shownRun,
    })) {
      this.outages.looked(webhookId, (failureRun?.recoverFrom ?? '') !== '');
    }
    this.#becameDue();
  }

  async redeliver(delivery: ReferenceDelivery): Promise<void> {
    const { deliveryId, webhookId, status } = delivery;
    const target = { webhookId, deliveryId };
    const { outcome } = await this.#storage.reopenDeliveries({ target, now: this.reference.now, limit: 1 });
    assert.equal(outcome, status === 'pending' ? 'pending' : 'reopened');
    if (status !== 'pending') this.reference.reopen(delivery, false);
    this.#becameDue();
  }

  async recover(limit: number): Promise<void> {
    const createdSince = timestampText(0);
    const target = { createdSince };
    const request = { target, now: this.reference.now, limit };
    const { deliveries: reopened } = await this.#storage.reopenDeliveries(request);
    const expected = this.reference.recoverable(limit);
    assert.deepEqual(idsOf(reopened), idsOf(expected), 'others are recovered');
    for (const delivery of expected) this.reference.reopen(delivery, true);
    this.#becameDue();
  }

  async purge(createdBefore: string, limit: number): Promise<void> {
    const { now, deliveries } = this.reference;
    const { removed, expired } = await this.#storage.purgeDeliveries({ createdBefore, now, limit });
    const left = new Set((await this.#everyDelivery()).map(({ deliveryId }) => deliveryId));
    const gone = [...deliveries.values()].filter(({ deliveryId }) => !left.has(deliveryId));
    const old = [...deliveries.values()].filter((delivery) => delivery.createdAt < createdBefore);
    assert.equal(gone.length, removed);
    assert.equal(removed, Math.min(old.length, limit));
    assert.ok(
      gone.every((delivery) => old.includes(delivery)),
      'a delivery is purged too early',
    );
    assert.deepEqual(idsOf(expired).sort(), idsOf(gone.filter(({ status }) => status === 'pending')).sort());
    for (const { deliveryId } of gone) deliveries.delete(deliveryId);
    // The counters of an hour go once all of it has.
    this.#stillCounted.push(...gone);
    if (removed === limit) return;
    const hour = createdBefore.slice(0, HOUR_LENGTH);
    this.#stillCounted = this.#stillCounted.filter(
      ({ createdAt }) => createdAt.slice(0, HOUR_LENGTH) >= hour,
    );
  }

  /** As the purge ends what has been due for too long. */
  async expire(dueForHours: number, limit: number): Promise<void> {
    const { now, claimedAt } = this.reference;
    // What the clock of a server says: there, what happens grows older instead.
    const present = this.under.keepHours ? Date.now() : now;
    const hours = claimedAt.map((at) => hourOf(present - (now - at)));
    await this.under.keepHours?.([...new Set(hours)].sort());
    const { removed, expired } = await this.#storage.purgeDeliveries({ dueForHours, now, limit });
    const past = [...new Set(hours)].filter((hour) => hour < hourOf(present)).sort();
    const since = past.at(-dueForHours);
    const before = since === undefined ? 0 : Date.parse(`${since}:00:00Z`) - present + now;
    assert.equal(removed, 0);
    this.reference.expire(idsOf(expired), before, limit);
    this.outages.expired(idsOf(expired));
  }

  async purgeKeys(createdBefore: string): Promise<void> {
    const { keys } = this.reference;
    const old = [...keys].filter(([, { createdAt }]) => createdAt < createdBefore);
    const forgotten = await this.#storage.purgeIdempotencyKeys({ createdBefore, limit: 1_000 });
    const closings = forgotten - old.length;
    assert.ok(closings >= 0 && closings <= this.#closings, 'other keys are forgotten');
    this.#closings -= closings;
    for (const [key] of old) keys.delete(key);
  }

  /**
   * Waits until nothing goes on but what waits for a recipient, and compares everything with the
   * reference.
   */
  async verify(): Promise<void> {
    await this.#settle();
    if (this.#violations.length > 0) throw this.#violations[0];
    for (const worker of this.workers) this.#checkGoesOn(worker);
    const rows = await this.#everyDelivery();
    assert.deepEqual(
      rows.map(({ deliveryId, webhookId, status, attempts }) => ({
        deliveryId,
        webhookId,
        status,
        attempts,
      })),
      this.#webhookIds.flatMap((id) =>
        this.reference.of(id).map(({ deliveryId, webhookId, status, attempts, deferrals }) => ({
          deliveryId,
          webhookId,
          status,
          attempts: attempts - deferrals,
        })),
      ),
      'the deliveries are others',
    );
    for (const webhookId of this.#webhookIds) await this.#checkCounts(webhookId);
    await this.#checkTenants();
  }

  /** Every recipient answers and time goes by: every delivery ends, those of outages included. */
  async end(): Promise<void> {
    for (let round = 0, idleRounds = 0; idleRounds < 2; round++) {
      assert.ok(round < MAX_ROUNDS_TO_END, 'deliveries are due again and again, and never end');
      for (const worker of [...this.workers, ...this.vanished]) {
        for (const request of [...worker.requests]) request.answer('success');
      }
      await this.verify();
      await this.look();
      idleRounds = this.#isPending() ? 0 : idleRounds + 1;
      await this.pass(DAY_MS);
      for (const worker of this.workers) worker.poll();
      await this.verify();
    }
    if (this.isFollowed) this.outages.assertRecovered();
  }

  async close(): Promise<void> {
    for (const worker of [...this.workers, ...this.vanished]) {
      for (const request of [...worker.requests]) request.answer('refused');
      void worker.close();
    }
    this.#violations.length = 0;
    await this.#settle();
  }

  get #storage() {
    const [first] = this.#storages;
    assert.ok(first);
    return first.storage;
  }

  #startWorker(storage: ObservedStorage): Worker {
    const time = { now: () => this.reference.now, monotonic: () => this.#monotonic };
    const worker = new Worker(storage, this.#settings, time, this.#violations, this.outages);
    worker.onResumed = () => {
      for (const other of this.workers) if (other !== worker) other.isInformed = false;
    };
    return worker;
  }

  #present(): string {
    return timestampText(this.reference.now);
  }

  #recordsOf(events: readonly Event[]): DispatchRecord[] {
    return events.map(({ name, key, webhook, tenant = '', only = false }) => {
      const [entity] = name.split('.');
      const one = webhook === undefined ? undefined : this.webhookAt(webhook);
      const tenants = tenant === '' || only ? [tenant] : ['', tenant];
      return {
        event: name,
        payload: '{}',
        createdAt: this.#present(),
        id: generateDispatchId(),
        ...(tenant !== '' && { tenant }),
        target: one === undefined ? { patterns: ['*', `${entity}.*`, name], tenants } : { webhookId: one.id },
        ...(key !== undefined && { idempotencyKey: key }),
      };
    });
  }

  #compareReceipts(
    receipts: readonly { readonly deliveryIds: readonly string[]; readonly outcome: string }[],
    expected: typeof receipts,
  ): void {
    const sorted = (all: typeof receipts) =>
      all.map(({ deliveryIds, outcome }) => ({ deliveryIds: deliveryIds.toSorted(), outcome }));
    assert.deepEqual(sorted(receipts), sorted(expected), 'the receipts are others');
  }

  #becameDue(): void {
    for (const worker of this.workers) worker.isInformed = false;
  }

  async #settle(): Promise<void> {
    // A storage that breaks a promise may keep its processes busy for ever.
    for (let quietRounds = 0; quietRounds < 2 && this.#violations.length === 0; ) {
      const { made } = this.#calls;
      for (let turn = 0; turn < TURNS || this.#calls.underway > 0; turn++) await nextTurn();
      mock.timers.tick(TICK_MS);
      await nextTurn();
      quietRounds = this.#calls.made === made ? quietRounds + 1 : 0;
    }
  }

  /** A process that was told of everything that is due does not stand still. */
  #checkGoesOn(worker: Worker): void {
    if (!worker.isInformed || worker.inFlight() > 0) return;
    const { slackMs } = this.reference;
    const left = this.reference
      .free()
      .find(({ isLate, webhookId }) => !isLate && this.reference.pauseOf(webhookId) <= -slackMs);
    assert.ok(left === undefined, `${left?.deliveryId} is due, nothing is in flight, and nobody polls`);
  }

  async #everyDelivery(): Promise<DeliverySummary[]> {
    const all: DeliverySummary[] = [];
    for (const webhookId of this.#webhookIds) {
      const rows: DeliverySummary[] = [];
      for (let before: DeliveryPlace | null | undefined; before !== null; ) {
        const search = { webhookId, limit: PAGE, maxScanned: 5_000, ...(before && { before }) };
        const { deliveries, next }: DeliverySearchPage = await this.#storage.findDeliveries(search);
        rows.push(...deliveries);
        before = next;
      }
      all.push(...rows.reverse());
    }
    return all;
  }

  async #checkTenants(): Promise<void> {
    const { webhooks } = await this.#storage.listWebhooks({ ...PAGE_BY_TENANT, tenantAfter: '' });
    const expected = TENANTS.toSorted().flatMap((tenant) =>
      [...this.reference.webhooks.values()].filter((webhook) => webhook.tenant === tenant),
    );
    const named = (all: typeof expected | typeof webhooks) => all.map(({ id, tenant }) => [id, tenant]);
    assert.deepEqual(named(webhooks), named(expected), 'the webhooks of tenants are others');
  }

  async #checkCounts(webhookId: number): Promise<void> {
    const statuses = this.reference.of(webhookId).map(({ status }) => status);
    const countOf = (wanted: string) => statuses.filter((status) => status === wanted).length;
    const counts = { success: countOf('success'), failed: countOf('failed'), pending: countOf('pending') };
    const created = this.reference.of(webhookId).map(({ createdAt }) => createdAt);
    const [from, to] = [created.toSorted()[0], created.toSorted().at(-1)];
    const activity = from !== undefined && to !== undefined ? { activity: { from, to } } : {};
    const query = { webhookIds: [webhookId], counts: true, ...activity };
    const [overview] = await this.#storage.readOverview(query);
    this.#assertCounts(
      overview?.counts ?? NO_COUNTS,
      counts,
      webhookId,
      'the counters are others than the rows',
    );
    const sums = { ...NO_COUNTS };
    for (const { success, failed, pending } of overview?.activity ?? []) {
      sums.success += success;
      sums.failed += failed;
      sums.pending += pending;
    }
    this.#assertCounts(sums, counts, webhookId, 'the hours are others than the rows');
  }

  /** A storage may still count what was purged of an hour of which something is left. */
  #assertCounts(actual: Counts, rows: Counts, webhookId: number, message: string): void {
    const purged = this.#stillCounted.filter((one) => one.webhookId === webhookId);
    for (const status of ['success', 'failed', 'pending'] as const) {
      const more = purged.filter((one) => one.status === status && status !== 'pending').length;
      const [is, least] = [actual[status], rows[status]];
      assert.ok(
        is >= least && is <= least + more,
        `${message}: ${is} ${status}, not ${least} to ${least + more}`,
      );
    }
  }

  #isPending(): boolean {
    return [...this.reference.deliveries.values()].some(({ status }) => status === 'pending');
  }
}

const PAGE_BY_TENANT = { limit: PAGE, offset: 0, sort: 'tenant', order: 'asc' } as const;
const NO_COUNTS = { success: 0, failed: 0, pending: 0 };
type Counts = Readonly<typeof NO_COUNTS>;
/** `2026-11-20T04` */
const HOUR_LENGTH = 13;

function at<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % items.length];
}

function hourOf(ms: number): string {
  return timestampText(ms).slice(0, HOUR_LENGTH);
}

function idsOf(deliveries: readonly { readonly deliveryId: string }[]): string[] {
  return deliveries.map(({ deliveryId }) => deliveryId);
}
