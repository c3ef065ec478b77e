import { timestampText } from '../../clock.ts';
import type { DueSummary } from '../delivery-requests.ts';
import type { DeliveryRow } from './delivery-row.ts';
import { SortedList } from './sorted-list.ts';

/** How much later than it is due a retry stands in line. */
const RETRY_STANDS_BACK_MS = 60_000;

/** The waiting deliveries of one webhook. */
interface Lane {
  readonly webhookId: number;
  readonly rows: SortedList<DeliveryRow>;
  /** The first of them; decides the lane's place among the others. */
  head: DeliveryRow;
}

/**
 * Every pending delivery: those that wait, by webhook, and those that somebody holds.
 *
 * Neither the time a row is due, nor its attempts, nor its claim may change while it is in here.
 */
export class DeliveryLine {
  readonly #firstAttempts = new Lanes();
  readonly #retries = new Lanes();
  readonly #held = new SortedList<DeliveryRow>((a, b) => lockedUntil(a) - lockedUntil(b) || a.id - b.id);

  /** Lines up a row that nobody holds. */
  add(row: DeliveryRow): void {
    this.#lanesOf(row).add(row);
  }

  /** Keeps a row that its claim holds, until the lease ends. */
  hold(row: DeliveryRow): void {
    this.#held.add(row);
  }

  remove(row: DeliveryRow): void {
    if (!this.#held.delete(row)) this.#lanesOf(row).delete(row);
  }

  /**
   * Takes at most `limit` rows that are due, in their order, none of a webhook that has no room left. What it takes is
   * in the line no longer.
   */
  take(now: number, limit: number, room: (webhookId: number) => number): DeliveryRow[] {
    this.#releaseEndedLeases(now);
    const taken: DeliveryRow[] = [];
    const takenOf = new Map<number, number>();
    const full: [Lanes, Lane][] = [];
    while (taken.length < limit) {
      const lanes = this.#nextLanes(now);
      const lane = lanes?.first;
      if (lanes === undefined || lane === undefined) break;
      const before = takenOf.get(lane.webhookId) ?? 0;
      if (before < room(lane.webhookId)) {
        taken.push(lane.head);
        takenOf.set(lane.webhookId, before + 1);
        lanes.delete(lane.head);
      } else {
        // The rows behind its first one need not be looked at, however many they are.
        lanes.stepAside(lane);
        full.push([lanes, lane]);
      }
    }
    for (const [lanes, lane] of full) lanes.stepBack(lane);
    return taken;
  }

  summary(now: number, limit: number): DueSummary {
    this.#releaseEndedLeases(now);
    const heads = [this.#firstAttempts.first?.head, this.#retries.first?.head].flatMap((head) => head ?? []);
    const oldest = Math.min(...heads.map(({ dueMs }) => dueMs));
    const due = this.#firstAttempts.countDue(now, limit) + this.#retries.countDue(now, limit);
    return { oldestDueAt: oldest <= now ? timestampText(oldest) : null, due: Math.min(due, limit) };
  }

  #releaseEndedLeases(now: number): void {
    for (let row = this.#held.first; row !== undefined && lockedUntil(row) <= now; row = this.#held.first) {
      this.#held.delete(row);
      this.add(row);
    }
  }

  #nextLanes(now: number): Lanes | undefined {
    const first = this.#firstAttempts.dueHead(now);
    const retry = this.#retries.dueHead(now);
    if (first === undefined) return retry && this.#retries;
    if (retry === undefined) return this.#firstAttempts;
    const behind = retry.dueMs + RETRY_STANDS_BACK_MS - first.dueMs || retry.id - first.id;
    return behind < 0 ? this.#retries : this.#firstAttempts;
  }

  #lanesOf({ delivery, seriesStart }: DeliveryRow): Lanes {
    return delivery.attempts > seriesStart ? this.#retries : this.#firstAttempts;
  }
}

/** Rows in the order in which they fall due, as one lane per webhook. */
class Lanes {
  readonly #byWebhook = new Map<number, Lane>();
  readonly #inOrder = new SortedList<Lane>((a, b) => byDueTime(a.head, b.head));

  get first(): Lane | undefined {
    return this.#inOrder.first;
  }

  dueHead(now: number): DeliveryRow | undefined {
    const head = this.first?.head;
    return head !== undefined && head.dueMs <= now ? head : undefined;
  }

  add(row: DeliveryRow): void {
    const lane = this.#byWebhook.get(row.webhookId);
    if (lane === undefined) {
      const created = { webhookId: row.webhookId, rows: new SortedList(byDueTime), head: row };
      created.rows.add(row);
      this.#byWebhook.set(row.webhookId, created);
      this.#inOrder.add(created);
      return;
    }
    lane.rows.add(row);
    if (lane.rows.first === row) this.#moveTo(lane, row);
  }

  delete(row: DeliveryRow): void {
    const lane = this.#byWebhook.get(row.webhookId);
    if (lane === undefined || !lane.rows.delete(row)) return;
    const { first } = lane.rows;
    if (first === undefined) {
      this.#inOrder.delete(lane);
      this.#byWebhook.delete(lane.webhookId);
    } else if (lane.head === row) {
      this.#moveTo(lane, first);
    }
  }

  stepAside(lane: Lane): void {
    this.#inOrder.delete(lane);
  }

  stepBack(lane: Lane): void {
    this.#inOrder.add(lane);
  }

  /** Looks at no more than `limit` lanes. */
  countDue(now: number, limit: number): number {
    let due = 0;
    for (const { head, rows } of this.#inOrder.from()) {
      if (head.dueMs > now || due >= limit) break;
      due += rows.countBefore(({ dueMs }) => dueMs <= now);
    }
    return due;
  }

  #moveTo(lane: Lane, head: DeliveryRow): void {
    this.#inOrder.delete(lane);
    lane.head = head;
    this.#inOrder.add(lane);
  }
}

function byDueTime(a: DeliveryRow, b: DeliveryRow): number {
  return a.dueMs - b.dueMs || a.id - b.id;
}

/** Without a claim, a row sorts after every one that is held: it is not among them. */
function lockedUntil({ claim }: DeliveryRow): number {
  return claim?.lockedUntil ?? Number.MAX_SAFE_INTEGER;
}
