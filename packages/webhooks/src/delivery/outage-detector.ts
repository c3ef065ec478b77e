import type { Clock } from '../clock.ts';

/** How far back attempts are considered. */
const ANSWER_WINDOW_MS = 60_000;
/** If this many webhooks get no answer, the cause is not their recipients. */
const MIN_UNANSWERED_WEBHOOKS = 3;
/** The most webhooks that are remembered. */
const MAX_REMEMBERED = 1_000;

/** Observes whether this process gets any answers at all. */
export interface OutageDetector {
  /** Tells of an attempt that was sent, and whether the recipient gave any status. */
  attempted(webhookId: number, isAnswered: boolean): void;
  /**
   * Whether all attempts of the last minute went unanswered, and went to three webhooks at least.
   */
  isOutage(): boolean;
}

/** @internal */
export function createOutageDetector(monotonicClock: Clock = () => performance.now()): OutageDetector {
  let answeredAt = Number.NEGATIVE_INFINITY;
  /** When an attempt to a webhook last went unanswered, the longest ago first. */
  const unanswered = new Map<number, number>();

  return {
    attempted(webhookId, isAnswered) {
      if (isAnswered) {
        answeredAt = monotonicClock();
        unanswered.clear();
        return;
      }
      unanswered.delete(webhookId);
      unanswered.set(webhookId, monotonicClock());
      const [oldest] = unanswered.size > MAX_REMEMBERED ? unanswered.keys() : [];
      if (oldest !== undefined) unanswered.delete(oldest);
    },
    isOutage() {
      const since = monotonicClock() - ANSWER_WINDOW_MS;
      if (answeredAt >= since) return false;
      return [...unanswered.values()].filter((at) => at >= since).length >= MIN_UNANSWERED_WEBHOOKS;
    },
  };
}
