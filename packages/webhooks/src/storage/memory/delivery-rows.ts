import { timestampText } from '../../clock.ts';
import type { DispatchRecord } from '../delivery-requests.ts';
import type { Delivery, DeliveryStatus } from '../records.ts';
import { RETRY_TURN_DELAY_MS } from '../turn.ts';
import { DeliveryLine } from './delivery-line.ts';
import { byCreation, byEnd, type DeliveryRow } from './delivery-row.ts';
import { DeliveryTally } from './delivery-tally.ts';
import { SortedList } from './sorted-list.ts';

/** What is kept of one webhook's deliveries. */
interface History {
  /** In the order of their ids. */
  readonly rows: SortedList<DeliveryRow>;
  /** Those that ended `failed`, in the order of their creation. */
  readonly failed: SortedList<DeliveryRow>;
  /** The same, in the order in which they ended. */
  readonly failedByEnd: SortedList<DeliveryRow>;
  readonly tally: DeliveryTally;
}

/** How a delivery changes when a series of attempts ends or begins. */
type SeriesChange = Pick<Delivery, 'status' | 'completedAt' | 'nextAttemptAt'> & Partial<Delivery>;

/** The deliveries, and every order in which they are looked for: all change together, in here. */
export class DeliveryRows {
  readonly line: DeliveryLine = new DeliveryLine();
  /** Those that ended `failed`, of every webhook, in the order of their creation. */
  readonly failed: SortedList<DeliveryRow> = new SortedList(byCreation);
  readonly #rows = new Map<number, DeliveryRow>();
  readonly #byDeliveryId = new Map<string, DeliveryRow>();
  readonly #byAge = new SortedList(byCreation);
  readonly #histories = new Map<number, History>();
  #lastId = 0;

  get(id: number): DeliveryRow | undefined {
    return this.#rows.get(id);
  }

  find(webhookId: number, deliveryId: string): DeliveryRow | undefined {
    const row = this.#byDeliveryId.get(deliveryId);
    return row?.webhookId === webhookId ? row : undefined;
  }

  history(webhookId: number): History | undefined {
    return this.#histories.get(webhookId);
  }

  /** Every delivery, in the order of their creation. */
  oldest(): Iterable<DeliveryRow> {
    return this.#byAge.from();
  }

  add(webhookId: number, deliveryId: string, { event, payload, createdAt }: DispatchRecord): void {
    const id = ++this.#lastId;
    const delivery: Delivery = {
      id,
      webhookId,
      deliveryId,
      event,
      payload,
      status: 'pending',
      statusCode: 0,
      responseBody: '',
      error: '',
      attempts: 0,
      attemptLog: [],
      createdAt,
      completedAt: null,
      nextAttemptAt: createdAt,
    };
    const dueMs = Date.parse(createdAt);
    const row: DeliveryRow = {
      ...{ id, webhookId, delivery, seriesStart: 0, dueMs, turnMs: dueMs },
      ...{ claim: undefined, recordedToken: undefined, activation: 0 },
    };
    this.#rows.set(id, row);
    this.#byDeliveryId.set(deliveryId, row);
    this.#byAge.add(row);
    this.#historyOf(webhookId).rows.add(row);
    this.#count(row);
    this.line.add(row);
  }

  /** Another attempt of the series is due at that time. */
  retryLater(row: DeliveryRow, dueMs: number, outcome: Partial<Delivery>): void {
    this.line.remove(row);
    row.delivery = { ...row.delivery, ...outcome, nextAttemptAt: timestampText(dueMs) };
    row.dueMs = dueMs;
    row.turnMs = dueMs + RETRY_TURN_DELAY_MS;
    row.claim = undefined;
    this.line.add(row);
  }

  /** The series has ended. */
  end(row: DeliveryRow, now: number, outcome: Partial<Delivery> & { readonly status: DeliveryStatus }): void {
    this.line.remove(row);
    row.claim = undefined;
    this.#change(row, { ...outcome, completedAt: timestampText(now), nextAttemptAt: null });
  }

  /** A new series begins; one of many that are recovered stands in line as a retry does. */
  reopen(row: DeliveryRow, now: number, isRecovered: boolean): void {
    this.#change(row, { status: 'pending', completedAt: null, nextAttemptAt: timestampText(now) });
    row.seriesStart = row.delivery.attempts;
    row.dueMs = now;
    row.turnMs = isRecovered ? now + RETRY_TURN_DELAY_MS : now;
    this.line.add(row);
  }

  remove(row: DeliveryRow): void {
    if (row.delivery.status === 'pending') this.line.remove(row);
    this.#discount(row);
    const history = this.#historyOf(row.webhookId);
    history.rows.delete(row);
    if (history.rows.size === 0) this.#histories.delete(row.webhookId);
    this.#byAge.delete(row);
    this.#byDeliveryId.delete(row.delivery.deliveryId);
    this.#rows.delete(row.id);
  }

  #change(row: DeliveryRow, change: SeriesChange): void {
    this.#discount(row);
    row.delivery = { ...row.delivery, ...change };
    this.#count(row);
  }

  #count(row: DeliveryRow): void {
    const { tally, failed, failedByEnd } = this.#historyOf(row.webhookId);
    tally.add(row.delivery.createdAt, row.delivery.status);
    if (row.delivery.status !== 'failed') return;
    failed.add(row);
    failedByEnd.add(row);
    this.failed.add(row);
  }

  #discount(row: DeliveryRow): void {
    const { tally, failed, failedByEnd } = this.#historyOf(row.webhookId);
    tally.remove(row.delivery.createdAt, row.delivery.status);
    if (row.delivery.status !== 'failed') return;
    failed.delete(row);
    failedByEnd.delete(row);
    this.failed.delete(row);
  }

  #historyOf(webhookId: number): History {
    const known = this.#histories.get(webhookId);
    if (known !== undefined) return known;
    const created = {
      rows: new SortedList<DeliveryRow>((a, b) => a.id - b.id),
      failed: new SortedList(byCreation),
      failedByEnd: new SortedList(byEnd),
      tally: new DeliveryTally(),
    };
    this.#histories.set(webhookId, created);
    return created;
  }
}
