import { outsideRequests } from './outside-requests.ts';

/** The least time between two reports of one kind. */
export const REPORT_INTERVAL_MS = 60_000;

/** Reports the first occurrence at once, and those of each following minute together. */
export interface PacedReport<Occurrence = unknown> {
  /** Counts occurrences; `last` is what the report quotes of them. */
  note(last?: Occurrence, count?: number): void;
}

/**
 * Keeps something that happens with every request from filling the log.
 *
 * @param report gets the number of occurrences since the last report, and the last of them
 */
export function createPacedReport<Occurrence = unknown>(
  report: (count: number, last: Occurrence | undefined) => void,
): PacedReport<Occurrence> {
  let unreported = 0;
  let latest: Occurrence | undefined;
  let isPausing = false;
  // What is reported together comes from several asynchronous contexts: it belongs to none of them.
  const flushInOwnContext = outsideRequests.bind(flush);

  function flush(): void {
    isPausing = unreported > 0;
    if (!isPausing) return;
    const [count, last] = [unreported, latest];
    unreported = 0;
    latest = undefined;
    const timer = setTimeout(flushInOwnContext, REPORT_INTERVAL_MS);
    timer.unref?.();
    report(count, last);
  }

  return {
    note(last, count = 1) {
      unreported += count;
      latest = last;
      if (!isPausing) flush();
    },
  };
}
