import { coalesced } from './coalesced.ts';
import type { DeliveryJob } from './queue.ts';
import { withTimeout } from './with-timeout.ts';

/** A job of a shared backend: it makes one worker poll. */
export interface WakeUp {
  /** Of the wake-ups with one key that wait at the same time, any one is enough. */
  readonly key: string;
  /**
   * The content of the job, for people who inspect the backend: a worker polls for whatever is due.
   */
  readonly data: { readonly deliveryIds: readonly string[] };
  /** 0: at once. */
  readonly delayMs: number;
}

/** The wake-ups that one process files for the workers of all processes. */
export interface WakeUps {
  /**
   * Resolves once the backend has a wake-up for the jobs. Rejects when it takes none within 5 s.
   */
  file(jobs: readonly DeliveryJob[]): Promise<void>;
  /** Resolves once everything is filed, or the backend has not taken it. */
  idle(): Promise<void>;
}

/** As many as a worker with default settings attempts at once. */
const IDS_PER_WAKE_UP = 50;
const MAX_PER_SECOND = 10;
/** The most due seconds that are distinguished. */
const MAX_SECONDS = 10_000;
const FILE_TIMEOUT_MS = 5_000;
/**
 * A backend that has not answered for this long is sent the next wake-ups beside those it may still
 * take.
 */
const UNANSWERED_TIMEOUT_MS = 60_000;
/** The most sends without an answer: the backend may still take them, and gets no more. */
const MAX_UNANSWERED = 5;
/** The key of all deliveries that are already due. */
const NOW = 0;

/**
 * Files at most ten wake-ups of up to 50 deliveries for each second in which deliveries are due,
 * one every 100 ms. More deliveries need no more: a worker continues by itself until nothing is
 * due.
 *
 * @internal
 * @param send gives wake-ups to the backend; need not time out by itself
 */
export function createWakeUps(send: (wakeUps: readonly WakeUp[]) => Promise<void>): WakeUps {
  const limits = { maxAtOnce: MAX_UNANSWERED, gapMs: 1_000 / MAX_PER_SECOND };
  /** Deliveries without a wake-up, by the second in which they are due. */
  const pending = new Map<number, string[]>();
  /** How many wake-ups a future second has. */
  const filed = new Map<number, number>();
  let lastNow = 0;

  function add({ deliveryId, delayMs }: DeliveryJob): void {
    const second = delayMs > 0 ? Math.ceil((Date.now() + delayMs) / 1_000) : NOW;
    const ids = pending.get(second) ?? [];
    const left = MAX_PER_SECOND - (filed.get(second) ?? 0);
    if (ids.length >= left * IDS_PER_WAKE_UP || pending.size >= MAX_SECONDS) return;
    ids.push(deliveryId);
    pending.set(second, ids);
  }

  function take(second: number, ids: string[]): WakeUp {
    const deliveryIds = ids.splice(0, IDS_PER_WAKE_UP);
    if (ids.length === 0) pending.delete(second);
    // Forgotten wake-ups may be filed again: the backend knows the keys.
    if (filed.size >= MAX_SECONDS) filed.clear();
    const number = filed.get(second) ?? 0;
    if (second !== NOW) filed.set(second, number + 1);
    const delayMs = Math.max(second * 1_000 - Date.now(), 0);
    // Numbered: a backend that keeps one job for a key must not take ten of one second for one.
    if (delayMs > 0) return { key: `${second}-${number}`, data: { deliveryIds }, delayMs };
    lastNow = (lastNow + 1) % MAX_PER_SECOND;
    return { key: `now-${lastNow}`, data: { deliveryIds }, delayMs };
  }

  const filePending = coalesced(async () => {
    const wakeUps = Array.from(pending, ([second, ids]) => take(second, ids));
    await withTimeout(UNANSWERED_TIMEOUT_MS, 'filing a wake-up', send(wakeUps));
    if (pending.size > 0) filePending().catch(() => undefined);
  }, limits);

  return {
    async file(jobs) {
      for (const job of jobs) add(job);
      if (pending.size > 0) await withTimeout(FILE_TIMEOUT_MS, 'filing a wake-up', filePending());
    },
    idle: filePending.idle,
  };
}
