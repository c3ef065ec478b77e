import { timestampText } from '../../clock.ts';
import type { ClaimRequest, DueQuery, DueSummary } from '../delivery-requests.ts';
import { createFairShare, type FairShare, inTurn, takeWithRoom } from '../fair-share.ts';
import { RETRY_TURN_DELAY_MS } from '../turn.ts';
import type { DeliveryRow } from './delivery-row.ts';
import { SortedList } from './sorted-list.ts';

/** The waiting deliveries of one webhook, by their priority time. */
interface WebhookQueue {
  readonly webhookId: number;
  readonly rows: SortedList<DeliveryRow>;
  /** The first of them; decides the queue's place among the others. */
  head: DeliveryRow;
}

/**
 * Every pending delivery: those that wait, by webhook, and those that somebody holds.
 *
 * Neither the time a row is due, nor its attempts, nor its claim may change while it is in here.
 */
export class DeliveryLine {
  readonly #queues = new Map<number, WebhookQueue>();
  readonly #byHead = new SortedList<WebhookQueue>((a, b) => byPriority(a.head, b.head));
  readonly #byWebhook = new SortedList<WebhookQueue>((a, b) => a.webhookId - b.webhookId);
  readonly #held = new SortedList<DeliveryRow>((a, b) => lockedUntil(a) - lockedUntil(b) || a.id - b.id);
  /** Where the scan of the next claim goes on, so that every webhook is served in turn. */
  #afterWebhookId = 0;

  /** Lines up a row that nobody holds. */
  add(row: DeliveryRow): void {
    const queue = this.#queues.get(row.webhookId);
    if (queue === undefined) {
      const created = { webhookId: row.webhookId, rows: new SortedList(byPriority), head: row };
      created.rows.add(row);
      this.#queues.set(row.webhookId, created);
      this.#byHead.add(created);
      this.#byWebhook.add(created);
      return;
    }
    queue.rows.add(row);
    if (queue.rows.first === row) this.#moveTo(queue, row);
  }

  /** Keeps a row that its claim holds, until the lease ends. */
  hold(row: DeliveryRow): void {
    this.#held.add(row);
  }

  remove(row: DeliveryRow): void {
    if (!this.#held.delete(row)) this.#unqueue(row);
  }

  /**
   * Takes what the request allows: where everything due fits, all of it; where it does not, the webhooks are served in
   * turn. What it takes waits no longer.
   */
  take(request: ClaimRequest): DeliveryRow[] {
    const { now, limit } = request;
    this.#releaseEndedLeases(now);
    const share = createFairShare(request);
    const first = this.#due(now, limit + 1);
    const fits = first.length <= limit;
    const taken = takeWithRoom(inTurn(fits ? first : this.#scan(request, share), share), limit, share.copy());
    for (const row of taken) this.#unqueue(row);
    const last = taken.findLast(({ webhookId }) => share.suspectRank(webhookId) === undefined);
    if (!fits && taken.length === limit && last !== undefined) this.#afterWebhookId = last.webhookId;
    return taken.sort(byPriority);
  }

  summary({ now, limit, limited = new Set() }: DueQuery): DueSummary {
    this.#releaseEndedLeases(now);
    const all = this.#due(now, Number.POSITIVE_INFINITY);
    const others = all.filter(({ webhookId }) => !limited.has(webhookId));
    return {
      oldestDueAt: oldestOf(all),
      oldestOtherDueAt: oldestOf(others),
      due: Math.min(all.length, limit),
    };
  }

  /** What is due of webhooks with room, from where the last scan ended until enough have nothing in flight, or all the way round. */
  #scan({ now, limit, suspects = new Set() }: ClaimRequest, share: FairShare): DeliveryRow[] {
    const due: DeliveryRow[] = [];
    let idle = 0;
    for (const queue of this.#round(suspects)) {
      const room = share.roomOf(queue.webhookId);
      const rows = room === 0 ? [] : dueOf(queue, now, Math.min(room, limit));
      due.push(...rows);
      const isOthers = !suspects.has(queue.webhookId);
      if (isOthers && rows.length > 0 && share.isIdle(queue.webhookId)) idle += 1;
      if (idle === limit) break;
    }
    return due;
  }

  /** The queue of every webhook: of the suspects first, then of the others in the order of the scan. */
  *#round(suspects: ReadonlySet<number>): Generator<WebhookQueue, undefined> {
    const cursor = this.#afterWebhookId;
    for (const webhookId of suspects) {
      const queue = this.#queues.get(webhookId);
      if (queue !== undefined) yield queue;
    }
    for (const queue of this.#byWebhook.from(({ webhookId }) => webhookId <= cursor)) {
      if (!suspects.has(queue.webhookId)) yield queue;
    }
    for (const queue of this.#byWebhook.from()) {
      if (queue.webhookId > cursor) return;
      if (!suspects.has(queue.webhookId)) yield queue;
    }
  }

  /** At most so many rows that are due, of one webhook after the other. */
  #due(now: number, limit: number): DeliveryRow[] {
    const due: DeliveryRow[] = [];
    for (const queue of this.#byHead.from()) {
      if (due.length >= limit || queue.head.turnMs > now + RETRY_TURN_DELAY_MS) break;
      due.push(...dueOf(queue, now, limit - due.length));
    }
    return due;
  }

  #releaseEndedLeases(now: number): void {
    for (let row = this.#held.first; row !== undefined && lockedUntil(row) <= now; row = this.#held.first) {
      this.#held.delete(row);
      this.add(row);
    }
  }

  #unqueue(row: DeliveryRow): void {
    const queue = this.#queues.get(row.webhookId);
    if (queue === undefined || !queue.rows.delete(row)) return;
    const { first } = queue.rows;
    if (first === undefined) {
      this.#byHead.delete(queue);
      this.#byWebhook.delete(queue);
      this.#queues.delete(queue.webhookId);
    } else if (queue.head === row) {
      this.#moveTo(queue, first);
    }
  }

  #moveTo(queue: WebhookQueue, head: DeliveryRow): void {
    this.#byHead.delete(queue);
    queue.head = head;
    this.#byHead.add(queue);
  }
}

/** At most so many of its rows that are due. A first attempt that is not due yet may stand before a retry that is. */
function dueOf({ rows }: WebhookQueue, now: number, limit: number): DeliveryRow[] {
  const due: DeliveryRow[] = [];
  for (const row of rows.from()) {
    if (due.length >= limit || row.turnMs > now + RETRY_TURN_DELAY_MS) break;
    // A clock that was set back may make a lease live that had ended.
    if (row.dueMs <= now && (row.claim?.lockedUntil ?? 0) <= now) due.push(row);
  }
  return due;
}

function oldestOf(rows: readonly DeliveryRow[]): string | null {
  if (rows.length === 0) return null;
  return timestampText(rows.reduce((ms, { dueMs }) => Math.min(ms, dueMs), Number.POSITIVE_INFINITY));
}

function byPriority(a: DeliveryRow, b: DeliveryRow): number {
  return a.turnMs - b.turnMs || a.id - b.id;
}

/** Without a claim, a row sorts after every one that is held: it is not among them. */
function lockedUntil({ claim }: DeliveryRow): number {
  return claim?.lockedUntil ?? Number.MAX_SAFE_INTEGER;
}
