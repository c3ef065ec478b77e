import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';
import type { Clock } from '../clock.ts';
import type { WebhookErrorCode } from '../error-codes.ts';
import type { LastError, Notifier } from '../hooks/notifier.ts';
import type { ErrorSource, TenantBacklogs } from '../hooks/webhook-hooks.ts';
import type { DueSummary } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { WriteWatch } from '../storage/write-watch.ts';
import type { Backlogs } from './backlogs.ts';
import type { OutageDetector } from './outage-detector.ts';

/**
 * Why an engine is not `ok`:
 *
 * - `claims_slow`: a claim of the last 60 s took more than a second: the database is overloaded, or
 *   an open transaction keeps it from cleaning up.
 * - `deliveries_late`: for more than 30 s (or two sweeps, if that is longer) deliveries have
 *   been due, and this process, which delivers, has had too few slots for webhooks that are neither
 *   slow nor at their limit, or its claims have failed.
 * - `dispatches_waiting`: half of the dispatches that may wait for the storage are waiting.
 * - `dispatches_refused`: a dispatch of the last 60 s was refused with `overloaded` or
 *   `storage_unavailable`, and none has been taken since.
 * - `results_not_written`: a result of the last 60 s could not be written: its delivery will be
 *   sent again.
 * - `no_answers`: all attempts of the last 60 s, to three webhooks at least, went unanswered: check
 *   this process's own network, name servers and proxies first.
 * - `storage_stalled`: a claim, a result or a dispatch has waited for the storage for more than 10
 *   s, although the storage answers other queries: a lock, a full pool, or dead connections that
 *   are still open.
 * - `storage_unreachable`: the storage failed to answer, or did not within 2 s.
 * - `storage_not_writable`: a claim, a result or three dispatches in a row failed to be written, no
 *   more than 15 s ago, and no write has succeeded since: a full disk, a read-only replica. Or the
 *   database's role lacks the privilege to write.
 */
export type HealthReason =
  | 'deliveries_late'
  | 'claims_slow'
  | 'dispatches_waiting'
  | 'dispatches_refused'
  | 'results_not_written'
  | 'no_answers'
  | 'storage_stalled'
  | 'storage_unreachable'
  | 'storage_not_writable';

/** The health of an engine. */
export interface EngineHealth {
  /**
   * - `ok`: the storage answers, and deliveries that are due are being sent, except those of
   *   saturated webhooks. A recipient that hangs changes nothing.
   * - `degraded`: the storage answers, but see `reasons`.
   * - `unavailable`: the storage does not answer, or does not take writes.
   * - `closed`: `close()` was called.
   *
   * For a readiness probe: `ok` and `degraded` are ready, `unavailable` and `closed` are not. For a
   * liveness probe, do not use it: a restart does not bring a storage back.
   */
  readonly status: 'ok' | 'degraded' | 'unavailable' | 'closed';
  /** Every reason that applies now; empty if the status is `ok`. */
  readonly reasons: readonly HealthReason[];
  /** Whether this process delivers: `start()` has succeeded and `close()` was not called. */
  readonly isRunning: boolean;
  /** Attempts under way in this process, those whose result is being written included. */
  readonly inFlight: number;
  /** Dispatches accepted by this process that are not durable yet. */
  readonly waitingDispatches: number;
  /**
   * Deliveries of all processes that are due now and not leased, counted up to 10,000; null if
   * the storage is away. Those of webhooks that pause for a busy recipient are left out. Beside
   * more than 10,000 of these, only the newest 300 are seen.
   */
  readonly backlog: number | null;
  /**
   * For how long the oldest of these has been due; null when nothing is due or the storage is away.
   */
  readonly oldestDueMs: number | null;
  /**
   * Tenants with a backlog: see `maxPendingPerTenant`. Null if the storage is away; none where the
   * storage cannot keep them.
   */
  readonly tenantBacklogs: TenantBacklogs | null;
  /** Webhooks whose outage is over and is being recovered, as this process saw them last. */
  readonly recovering: number;
  /**
   * The last failure of storage, queue or engine since the engine was created; it may be long over.
   */
  readonly lastError: LastError | null;
}

/** Reports an engine's health. */
export interface HealthCheck {
  /**
   * Reports the health of this engine. Never rejects, and answers within about 2 s whatever the
   * storage does. Concurrent calls share one query of bounded cost.
   */
  health(): Promise<EngineHealth>;
}

const MAX_COUNTED_BACKLOG = 10_000;
const STORAGE_TIMEOUT_MS = 2_000;
/**
 * A delivery that no limit delays is claimed long before, by a wake-up or by the next sweep.
 */
const LATE_MS = 30_000;
const RECENT_MS = 60_000;
/**
 * A write takes milliseconds; one that waits for another transaction's lock gives up within a few
 * seconds, or soon after.
 */
const STALLED_MS = 10_000;
/**
 * A query without an answer for this long is not waited for any more: its connection may be dead
 * while others work.
 */
const ASK_AGAIN_MS = 30_000;

interface Summary extends DueSummary, Pick<EngineHealth, 'tenantBacklogs'> {}

/** @internal */
export function createHealthCheck(deps: {
  readonly storage: Pick<WebhookStorage, 'dueSummary'>;
  readonly writes: WriteWatch;
  readonly outages: Pick<OutageDetector, 'isOutage'>;
  readonly state: () => 'created' | 'running' | 'closed';
  readonly inFlight: () => number;
  /**
   * Since when this process has had too few slots, by `monotonicClock`; undefined: it has enough.
   */
  readonly shortSince: () => number | undefined;
  readonly recovering: () => number;
  readonly readBacklogs: Backlogs['readBacklogs'];
  readonly waitingDispatches: () => number;
  readonly isRefusing: () => boolean;
  readonly maxWaitingDispatches: number;
  readonly notifier: Pick<Notifier, 'lastError' | 'lastFailureAt'>;
  readonly sweepIntervalMs: number;
  readonly clock: Clock;
  /** Milliseconds since any fixed time. Default: `performance.now`. */
  readonly monotonicClock?: Clock;
}): HealthCheck {
  const { storage, state, clock, notifier, monotonicClock = () => performance.now() } = deps;
  const lateMs = Math.max(LATE_MS, 2 * deps.sweepIntervalMs);
  let asking: { readonly since: number; readonly answer: Promise<Summary | undefined> } | undefined;

  // One query serves several calls: it belongs to the asynchronous context of none of them.
  const ask = outsideRequests.bind(async (): Promise<Summary> => {
    const summary = await storage.dueSummary({ now: clock(), limit: MAX_COUNTED_BACKLOG });
    return { ...summary, tenantBacklogs: await deps.readBacklogs().catch(() => null) };
  });

  /**
   * Undefined if the storage is away. At most one query runs at a time, and a new one begins
   * beside one that hangs after 30 s.
   */
  function dueSummary(): Promise<Summary | undefined> {
    const now = monotonicClock();
    if (asking === undefined || now - asking.since > ASK_AGAIN_MS) {
      const answer = ask()
        .catch(() => undefined)
        .finally(() => {
          if (asking === asked) asking = undefined;
        });
      const asked = { since: now, answer };
      asking = asked;
    }
    return withDeadline(asking.answer, STORAGE_TIMEOUT_MS, () => undefined);
  }

  function isRecent(source: ErrorSource, code: WebhookErrorCode): boolean {
    const at = notifier.lastFailureAt(source, code);
    return at !== undefined && clock() - at < RECENT_MS;
  }

  /** Whether deliveries wait for slots, and not for recipients that are slow. */
  function isShort(): boolean {
    return monotonicClock() - (deps.shortSince() ?? monotonicClock()) > lateMs;
  }

  function reasonsOf(summary: Summary | undefined): HealthReason[] {
    const holds: readonly (readonly [HealthReason, boolean])[] = [
      ['storage_unreachable', summary === undefined],
      ['storage_not_writable', deps.writes.isFailing() || summary?.isReadOnly === true],
      ['storage_stalled', deps.writes.longestUnderwayMs() > STALLED_MS],
      ['deliveries_late', state() === 'running' && isShort() && (summary?.oldestDueMs ?? 0) > lateMs],
      ['claims_slow', deps.writes.isClaimSlow()],
      ['dispatches_waiting', deps.waitingDispatches() >= deps.maxWaitingDispatches / 2],
      [
        'dispatches_refused',
        deps.isRefusing() &&
          (isRecent('dispatch', 'overloaded') || isRecent('dispatch', 'storage_unavailable')),
      ],
      ['results_not_written', isRecent('record', 'storage_unavailable')],
      ['no_answers', deps.outages.isOutage()],
    ];
    return holds.filter(([, isTrue]) => isTrue).map(([reason]) => reason);
  }

  return {
    async health() {
      const summary = await dueSummary();
      const reasons = reasonsOf(summary);
      return {
        status: state() === 'closed' ? 'closed' : statusOf(reasons),
        reasons,
        isRunning: state() === 'running',
        inFlight: deps.inFlight(),
        waitingDispatches: deps.waitingDispatches(),
        backlog: summary?.due ?? null,
        oldestDueMs: summary?.oldestDueMs ?? null,
        tenantBacklogs: summary?.tenantBacklogs ?? null,
        recovering: deps.recovering(),
        lastError: notifier.lastError(),
      };
    },
  };
}

function statusOf(reasons: readonly HealthReason[]): 'ok' | 'degraded' | 'unavailable' {
  if (reasons.includes('storage_unreachable') || reasons.includes('storage_not_writable')) {
    return 'unavailable';
  }
  return reasons.length === 0 ? 'ok' : 'degraded';
}
