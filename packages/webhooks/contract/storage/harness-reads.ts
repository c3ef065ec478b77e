import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { timestampText } from '../../src/clock.ts';
import type { Delivery, DeliverySummary } from '../../src/storage/delivery-record.ts';
import type { DeliveryPlace, FailedQuery } from '../../src/storage/delivery-requests.ts';
import type { FoundDelivery } from '../../src/storage/delivery-search.ts';
import { shownRun } from '../../src/storage/failure-run.ts';
import type { ActivityBucket, OverviewRecord } from '../../src/storage/overview-record.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import type { OverviewQuery, WebhookQuery } from '../../src/storage/webhook-requests.ts';

/** Whose clock decides what is due: the `now` of a request, or the database's own. */
export type ContractClock = 'caller' | 'database';

/** Whose transactions do not matter. */
export type Reopening = Pick<WebhookStorage, 'reopenDeliveries'>;

const DAY_MS = 86_400_000;

const NO_COUNTS = { success: 0, failed: 0, pending: 0 };

/** Where a virtual clock begins. */
const START_MS = Date.parse('2026-11-20T04:10:00.123Z');

/** The clock of a case, and what it reads of the storage. */
export class HarnessReads<Transaction> {
  readonly storage: WebhookStorage<Transaction>;
  readonly #clock: ContractClock;
  #virtualMs = START_MS;

  constructor(storage: WebhookStorage<Transaction>, clock: ContractClock) {
    this.storage = storage;
    this.#clock = clock;
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

  async listIds(query: Partial<WebhookQuery>): Promise<number[]> {
    const all = { limit: 100, offset: 0, sort: 'id', order: 'asc' } as const;
    const { webhooks } = await this.storage.listWebhooks({ ...all, ...query });
    return webhooks.map(({ id }) => id);
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

  /** A webhook's failures since its last success; null if there are none, or no such webhook. */
  async failureRun(webhookId: number, storage?: WebhookStorage<Transaction>) {
    const overview = await this.overview(webhookId, { failureRun: shownRun }, storage);
    return overview ? present(overview.failureRun) : null;
  }

  /**
   * A webhook's activity by hour, by default of all that a case can have caused; no empty hours.
   */
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

  async delivery(webhookId: number, deliveryId: string): Promise<Delivery> {
    const search = { webhookId, deliveryId, withContent: true, limit: 1, maxScanned: 5_000 };
    const found = only((await this.storage.findDeliveries(search)).deliveries);
    return { ...summaryOf(found), ...present(found.content) };
  }

  /** How many failed deliveries would be reopened. */
  async countFailed(target: FailedQuery, storage: Reopening = this.storage): Promise<number> {
    const request = { target, now: this.now, limit: 1, dryRun: true };
    const { count, deliveries, outcome } = await storage.reopenDeliveries(request);
    assert.deepEqual([deliveries, outcome], [[], 'none']);
    return count;
  }
}

function summaryOf({ webhookUrl, webhookName, content, ...summary }: FoundDelivery): DeliverySummary {
  return summary;
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
