import type { Clock } from '../clock.ts';
import type { LastError, Notifier } from '../hooks.ts';
import type { DueSummary } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';

/** How an engine is. */
export interface EngineHealth {
  /**
   * - `ok`: the storage answers and what is due is being sent.
   * - `degraded`: the storage answers, but something has been due for more than two minutes and a sweep, or half of the
   *   dispatches that may wait are waiting. A single recipient that hangs brings it about where much is due for it: look
   *   at the backlog, do not restart.
   * - `unavailable`: the storage failed, or did not answer within 2 s.
   * - `closed`: `close()` was called.
   *
   * For a readiness probe: `ok` and `degraded` are ready, `unavailable` and `closed` are not. For a liveness probe,
   * use none of it: a restart does not bring a storage back.
   */
  readonly status: 'ok' | 'degraded' | 'unavailable' | 'closed';
  /** Whether this process delivers: `start()` has succeeded and `close()` was not called. */
  readonly isRunning: boolean;
  /** Attempts under way in this process. */
  readonly inFlight: number;
  /** Dispatches accepted by this process that are not durable yet. */
  readonly waitingDispatches: number;
  /** Deliveries due now that nobody holds, of all processes, counted up to 10,000; null where the storage is away. */
  readonly backlog: number | null;
  /** For how long the longest waiting of these has been due; null when nothing is due or the storage is away. */
  readonly oldestDueMs: number | null;
  /** The last failure of storage, queue or engine since the engine was created; it may be long over. */
  readonly lastError: LastError | null;
}

/** Answers an engine's health. */
export interface HealthCheck {
  /**
   * Reports how the engine is. Never rejects, and answers within about 2 s whatever the storage does. Calls of one
   * moment share one query of bounded cost.
   */
  health(): Promise<EngineHealth>;
}

const MAX_COUNTED_BACKLOG = 10_000;
const STORAGE_TIMEOUT_MS = 2_000;
/** First attempts go before retries by a minute, and a sweep may have to find what no hint announced. */
const LATE_MS = 120_000;

/** @internal */
export function createHealthCheck(deps: {
  readonly storage: Pick<WebhookStorage, 'dueSummary'>;
  readonly state: () => 'created' | 'running' | 'closed';
  readonly inFlight: () => number;
  readonly waitingDispatches: () => number;
  readonly maxWaitingDispatches: number;
  readonly notifier: Pick<Notifier, 'lastError'>;
  readonly sweepIntervalMs: number;
  readonly clock: Clock;
}): HealthCheck {
  const { storage, state, clock } = deps;
  let asking: Promise<DueSummary | undefined> | undefined;

  /** Undefined where the storage is away. One query at a time: a storage that hangs is not asked again and again. */
  function dueSummary(): Promise<DueSummary | undefined> {
    asking ??= storage
      .dueSummary({ now: clock(), limit: MAX_COUNTED_BACKLOG })
      .catch(() => undefined)
      .finally(() => {
        asking = undefined;
      });
    return withinTime(asking);
  }

  function isLate(waiting: number, oldestDueMs: number | null): boolean {
    if (waiting >= deps.maxWaitingDispatches / 2) return true;
    return oldestDueMs !== null && oldestDueMs > LATE_MS + deps.sweepIntervalMs;
  }

  return {
    async health() {
      const summary = await dueSummary();
      const oldestDueAt = summary?.oldestDueAt ?? null;
      const oldestDueMs = oldestDueAt === null ? null : Math.max(clock() - Date.parse(oldestDueAt), 0);
      const waitingDispatches = deps.waitingDispatches();
      const rated = isLate(waitingDispatches, oldestDueMs) ? 'degraded' : 'ok';
      const open = summary === undefined ? 'unavailable' : rated;
      return {
        status: state() === 'closed' ? 'closed' : open,
        isRunning: state() === 'running',
        inFlight: deps.inFlight(),
        waitingDispatches,
        backlog: summary?.due ?? null,
        oldestDueMs,
        lastError: deps.notifier.lastError(),
      };
    },
  };
}

async function withinTime<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, STORAGE_TIMEOUT_MS, undefined);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
