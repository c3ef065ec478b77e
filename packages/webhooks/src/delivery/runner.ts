import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';
import type { Clock } from '../clock.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { Logger } from '../logging/logger.ts';
import type { ProgressTimers } from '../progress-timers.ts';
import type { ClaimedDelivery } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Attempt, AttemptResult } from './attempt.ts';
import type { Recorder } from './attempt-recorder.ts';
import type { AttemptEnd } from './claim/attempt-end.ts';
import { createClaimScheduler } from './claim/claim-scheduler.ts';
import { createClaimWithinLimits } from './claim/claim-within-limits.ts';
import { type ConcurrencyLimits, createConcurrencyLimits } from './claim/concurrency-limits.ts';
import { allocateSlots } from './claim/slot-allocation.ts';
import { createSlots, type Slots } from './claim/slots.ts';
import { createOpenClaims } from './open-claims.ts';
import type { OutageDetector } from './outage-detector.ts';

/** Delivers what is due: claim → attempt → record, as many at once as there are slots. */
export interface Runner {
  /**
   * Claims due deliveries and starts their attempts; the runner goes on without another poll while
   * more is due. Resolves once a claim that began after the call has ended: a busy process waits
   * for a free slot first. Concurrent calls share a claim. Never rejects.
   */
  poll(): Promise<void>;
  /** Claims whose attempt is under way or whose result is being recorded. */
  openClaims(): number;
  /** The webhooks that were saturated after the last claim. */
  limited(): ReadonlySet<number>;
  /** The limit of one webhook; undefined where nothing was sent to it lately. */
  readonly limitOf: ConcurrencyLimits['limitOf'];
  /** Whether no claim is open or under way, and none will begin without another poll. */
  isIdle(): boolean;
  /** Waits until no claim is open. */
  attemptsEnded(): Promise<void>;
  /** Stops claiming and waits until the result of every open claim is recorded. Idempotent. */
  close(): Promise<void>;
}

/** The dependencies of a runner. */
export interface RunnerDependencies {
  readonly storage: Pick<WebhookStorage, 'claimDueDeliveries'>;
  readonly attempt: Attempt;
  readonly record: Recorder;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'error'>;
  readonly outages: Pick<OutageDetector, 'attempted'>;
  readonly logger: Logger;
  /** Attempts at once. */
  readonly concurrency: number;
  /** Attempts at once to one webhook; capped at `concurrency`. */
  readonly maxConcurrentPerWebhook: number;
  readonly maxAttempts: number;
  /** The longest an attempt takes. */
  readonly attemptTimeoutMs: number;
  /**
   * Milliseconds since any fixed time, unmoved by changes of the clock. Default: `performance.now`.
   */
  readonly monotonicClock?: Clock;
  /** Those of the claims. Default: Node's own. */
  readonly timers?: ProgressTimers;
}

/**
 * A lease outlasts its attempt's deadline by this much: time to begin the attempt and to record the
 * result.
 */
const LEASE_MARGIN_MS = 30_000;

/** Failures that say nothing about the network: no connection was tried. */
const UNSENT: readonly string[] = ['url_not_public', 'blocked_address', 'internal_error', 'closed'];

/** @internal */
export function createRunner(deps: RunnerDependencies): Runner {
  const { concurrency, monotonicClock = () => performance.now() } = deps;
  const leaseMs = deps.attemptTimeoutMs + LEASE_MARGIN_MS;
  const maxPerWebhook = Math.min(deps.maxConcurrentPerWebhook, concurrency);
  const slots = createSlots(concurrency, (webhookId) => scheduler.released(webhookId));
  const concurrencyLimits = createConcurrencyLimits({ concurrency, maxPerWebhook, monotonicClock });
  const claims = createClaimWithinLimits({
    ...deps,
    slots,
    concurrencyLimits,
    start,
    leaseMs,
    monotonicClock,
  });
  const scheduler = createClaimScheduler({
    claim: claims.claim,
    free: slots.free,
    capacityOf: (webhookIds) => capacityOf(webhookIds, concurrencyLimits, slots),
    concurrency,
    ...(deps.timers && { timers: deps.timers }),
  });
  const openClaims = createOpenClaims();

  function start(delivery: ClaimedDelivery, claimedAt: number): void {
    // A clock that was set forward ends the lease of an attempt under way: the new claim extends
    // it.
    if (!openClaims.add(delivery.id, delivery.claimToken)) return;
    slots.occupy(delivery.webhook.id);
    void deliver(delivery, claimedAt);
  }

  async function deliver(claimed: ClaimedDelivery, claimedAt: number): Promise<void> {
    const { id, deliveryId, attempt, claimToken, webhook } = claimed;
    const end = concurrencyLimits.begin(webhook.id);
    let occupiesSlot = true;
    try {
      // A process that was frozen or starved may wake up after its lease: another worker may be
      // sending already.
      if (monotonicClock() - claimedAt > LEASE_MARGIN_MS) {
        deps.logger.warn(
          { deliveryId, webhookId: webhook.id, attempt },
          'webhook lease too old, attempt not made',
        );
        return;
      }
      const result = await deps.attempt(claimed);
      end(endOf(result));
      const { error: failure, statusCode } = result.record;
      if (result.sent !== null && !UNSENT.includes(failure)) {
        deps.outages.attempted(webhook.id, statusCode !== 0);
      }
      const { record, sent } = result;
      const recorded = deps.record(claimed, {
        record: { ...record, claimToken: openClaims.tokenOf(id) ?? claimToken },
        sent,
      });
      // The next attempt need not wait until this result is durable. No more results wait than
      // there are slots.
      if (openClaims.count() - slots.occupied() < concurrency) {
        occupiesSlot = false;
        slots.release(webhook.id);
      }
      await recorded;
    } finally {
      end(undefined);
      openClaims.remove(id);
      if (occupiesSlot) slots.release(webhook.id);
    }
  }

  return {
    // A poll serves everything due: not the asynchronous context of the dispatch that woke it.
    poll: outsideRequests.bind(scheduler.poll),
    openClaims: openClaims.count,
    limited: claims.limited,
    limitOf: concurrencyLimits.limitOf,
    isIdle: () => openClaims.count() === 0 && !scheduler.isClaiming(),
    attemptsEnded: openClaims.none,
    async close() {
      await scheduler.stop();
      await openClaims.none();
    },
  };
}

function endOf({ record, sent }: AttemptResult): AttemptEnd | undefined {
  if (sent === null) return undefined;
  const { status, statusCode, error } = record;
  return { isSuccess: status === 'success', isAnswered: statusCode !== 0, isTimeout: error === 'timeout' };
}

/** How many attempts of these webhooks may begin now. */
function capacityOf(
  webhookIds: ReadonlySet<number>,
  limits: Pick<ConcurrencyLimits, 'slotLimits' | 'slotLimitsBeyondHalf'>,
  slots: Pick<Slots, 'free' | 'byWebhook'>,
): number {
  const waiting = [...webhookIds].map((webhookId) => ({ webhookId, due: Number.POSITIVE_INFINITY }));
  const inFlight = slots.byWebhook();
  const widest = limits.slotLimitsBeyondHalf(inFlight) ?? limits.slotLimits(inFlight);
  return [...allocateSlots(waiting, slots.free(), widest).values()].reduce((sum, count) => sum + count, 0);
}
