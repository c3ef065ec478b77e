import type { Clock } from '../clock.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { Logger } from '../logger.ts';
import type { ClaimedDelivery } from '../storage/delivery-requests.ts';
import { allocateSlots } from '../storage/slot-allocation.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { AnswerWatch } from './answer-watch.ts';
import type { Attempt, AttemptResult } from './attempt.ts';
import { createClaimScheduler } from './claim/claim-scheduler.ts';
import { createClaimWithinLimits } from './claim/claim-within-limits.ts';
import { createSlots } from './claim/slots.ts';
import { type AttemptEnd, createWebhookLimits } from './claim/webhook-limits.ts';
import { createInFlight } from './in-flight.ts';
import type { Recorder } from './recorder.ts';

/** Delivers what is due: claim → attempt → record, as many at once as there are slots. */
export interface Runner {
  /**
   * Claims due deliveries and starts their attempts. Resolves when it has claimed at least once after the call, for
   * which a busy process waits until a slot becomes free; it goes on by itself while more is due. Calls of one moment
   * share a claim. Never rejects.
   */
  poll(): Promise<void>;
  /** Attempts under way, those whose result is being recorded included. */
  inFlight(): number;
  /** Webhooks of which the last claim could start no more, for they had all that they may have. */
  limited(): ReadonlySet<number>;
  /** Whether no attempt and no claim is under way, and none will begin unless somebody polls. */
  isIdle(): boolean;
  /** Waits until no attempt is under way, those whose result is being recorded included. */
  attemptsEnded(): Promise<void>;
  /** Stops claiming and waits until every attempt under way is recorded. Idempotent. */
  close(): Promise<void>;
}

/** What a runner needs. */
export interface RunnerDependencies {
  readonly storage: Pick<WebhookStorage, 'claimDueDeliveries'>;
  readonly attempt: Attempt;
  readonly record: Recorder;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'error'>;
  readonly answers: Pick<AnswerWatch, 'attempted'>;
  readonly logger: Logger;
  /** Attempts at once. */
  readonly concurrency: number;
  /** Attempts at once to one webhook; no more than `concurrency` count. */
  readonly maxConcurrentPerWebhook: number;
  readonly maxAttempts: number;
  /** The longest an attempt takes. */
  readonly attemptTimeoutMs: number;
  /** Milliseconds since any fixed moment, unmoved by changes of the clock. Default: `performance.now`. */
  readonly monotonicClock?: Clock;
}

/** A claim outlives its attempt's deadline by this much: time to begin it and to record the result. */
const LEASE_MARGIN_MS = 30_000;

/** Failures that say nothing of the network: no connection was tried. */
const UNSENT: readonly string[] = ['url_not_public', 'blocked_address', 'internal_error', 'closed'];

/** @internal */
export function createRunner(deps: RunnerDependencies): Runner {
  const { concurrency, monotonicClock = () => performance.now() } = deps;
  const leaseMs = deps.attemptTimeoutMs + LEASE_MARGIN_MS;
  const maxPerWebhook = Math.min(deps.maxConcurrentPerWebhook, concurrency);
  const slots = createSlots(concurrency, (webhookId) => scheduler.released(webhookId));
  const limits = createWebhookLimits({ concurrency, maxPerWebhook, monotonicClock });
  const claims = createClaimWithinLimits({ ...deps, slots, limits, start, leaseMs, monotonicClock });
  const scheduler = createClaimScheduler({
    claim: claims.claim,
    free: slots.free,
    capacityOf(webhookIds) {
      const waiting = [...webhookIds].map((webhookId) => ({ webhookId, due: Number.POSITIVE_INFINITY }));
      const most = limits.beyondHalf(slots.byWebhook()) ?? limits.current(slots.byWebhook());
      const startable = allocateSlots(waiting, slots.free(), most);
      return [...startable.values()].reduce((sum, count) => sum + count, 0);
    },
    concurrency,
    monotonicClock,
  });
  const inFlight = createInFlight();

  function start(delivery: ClaimedDelivery, claimedAt: number): void {
    // A clock that was set forward ends the lease of an attempt under way: the new claim extends it.
    if (!inFlight.add(delivery.id, delivery.claimToken)) return;
    slots.occupy(delivery.webhook.id);
    void deliver(delivery, claimedAt);
  }

  async function deliver(claimed: ClaimedDelivery, claimedAt: number): Promise<void> {
    const { id, deliveryId, attempt, claimToken, webhook } = claimed;
    const end = limits.begin(webhook.id);
    let holdsSlot = true;
    try {
      // A process that was frozen or starved may wake up after its lease: somebody else may be sending already.
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
        deps.answers.attempted(webhook.id, statusCode !== 0);
      }
      const { record, sent } = result;
      const recorded = deps.record(claimed, {
        record: { ...record, claimToken: inFlight.tokenOf(id) ?? claimToken },
        sent,
      });
      // The next attempt need not wait until this result is durable; but no more results wait than there are slots.
      if (inFlight.count() - slots.occupied() < concurrency) {
        holdsSlot = false;
        slots.release(webhook.id);
      }
      await recorded;
    } finally {
      end(undefined);
      inFlight.remove(id);
      if (holdsSlot) slots.release(webhook.id);
    }
  }

  return {
    poll: () => scheduler.poll(),
    inFlight: inFlight.count,
    limited: claims.limited,
    isIdle: () => inFlight.count() === 0 && !scheduler.isClaiming(),
    attemptsEnded: inFlight.none,
    async close() {
      await scheduler.stop();
      await inFlight.none();
    },
  };
}

function endOf({ record, sent }: AttemptResult): AttemptEnd | undefined {
  if (sent === null) return undefined;
  const { status, statusCode, error } = record;
  return { isSuccess: status === 'success', isAnswered: statusCode !== 0, isTimeout: error === 'timeout' };
}
