import { randomUUID } from 'node:crypto';
import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';
import type { Clock } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { Logger } from '../logging/logger.ts';
import { type ProgressTimers, progressTimers } from '../progress-timers.ts';
import type { ClaimedDelivery } from '../storage/delivery-requests.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Attempt, AttemptResult } from './attempt.ts';
import type { Recorder } from './attempt-recorder.ts';
import { createClaimScheduler } from './claim-scheduler.ts';
import { createClaimsInFlight } from './claims-in-flight.ts';
import { withPause } from './deferral.ts';
import type { OutageDetector } from './outage-detector.ts';
import { UNSENT } from './outcome.ts';
import { Pace } from './pace.ts';
import type { AttemptEnd } from './paced-attempt.ts';

/** Delivers what is due: claim → attempt → record, as many at once as there are slots. */
export interface Runner {
  /**
   * Claims due deliveries and starts their attempts; the runner goes on without another poll while
   * more is due. Resolves once a claim that began after the call has ended: a busy process waits
   * for a free slot first. Concurrent calls share a claim. Never rejects.
   */
  poll(): Promise<void>;
  /** Attempts under way, those whose result is being recorded included. */
  inFlight(): number;
  readonly shortSince: Pace['shortSince'];
  readonly limitOf: Pace['limitOf'];
  readonly tokenInMs: Pace['tokenInMs'];
  /**
   * Whether nothing is in flight or being claimed, and no claim will begin soon without another
   * poll.
   */
  isIdle(): boolean;
  /** Waits until nothing is in flight. */
  attemptsEnded(): Promise<void>;
  /** Stops claiming and waits until the result of every attempt is recorded. Idempotent. */
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
  /** Slots. */
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
  /** Those of the claims and of the slow pool. Default: Node's own. */
  readonly timers?: ProgressTimers;
}

/**
 * A lease outlasts its attempt's deadline by this much: time to begin the attempt and to record the
 * result.
 */
const LEASE_MARGIN_MS = 30_000;

/** How often a claim reads the queue from its start: the default interval of sweeps. */
const FROM_START_MS = 5_000;

/** @internal */
export function createRunner(deps: RunnerDependencies): Runner {
  const { concurrency, monotonicClock = () => performance.now(), timers = progressTimers } = deps;
  const leaseMs = deps.attemptTimeoutMs + LEASE_MARGIN_MS;
  const pace = new Pace({ slots: concurrency, maxPerWebhook: deps.maxConcurrentPerWebhook, monotonicClock });
  const scheduler = createClaimScheduler({ ...stateOf(pace), claim, slots: concurrency, timers });
  const claims = createClaimsInFlight();
  const isFromStart = atMostEvery(FROM_START_MS);
  /** Results that are being recorded and whose attempt occupies no slot any more. */
  let recording = 0;

  async function claim(): Promise<boolean> {
    const paced = pace.claim();
    const claimedAt = monotonicClock();
    try {
      const deliveries = await deps.storage.claimDueDeliveries({
        now: deps.clock(),
        limit: paced.limit,
        leaseMs,
        maxAttempts: deps.maxAttempts,
        claimToken: randomUUID(),
        isFromStart: isFromStart(claimedAt),
        choose: (waiting) => pace.choose(paced, waiting),
      });
      pace.end(paced, deliveries.length);
      // A clock that was set forward ends the lease of an attempt under way: the new claim extends
      // it.
      const started = deliveries.filter(({ id, claimToken }) => claims.add(id, claimToken));
      for (const delivery of started) void deliver(delivery, claimedAt);
      return started.length >= sumOf(paced.chosen) && !paced.isBlind;
    } catch (error) {
      // The next poll, at the latest the sweep's, claims what this one did not.
      pace.end(paced, undefined);
      deps.notifier.error('claim', error);
      return true;
    }
  }

  async function deliver(claimed: ClaimedDelivery, claimedAt: number): Promise<void> {
    const { id, deliveryId, attempt, claimToken, webhook, pauses } = claimed;
    const paced = pace.begin(webhook.id, webhook.maxPerMinute, webhook.tenant);
    const slow = timers.setTimeout(() => scheduler.released(pace.outlast(paced)), paced.slowAfterMs);
    try {
      // A process that was frozen or starved may wake up after its lease: another worker may be
      // sending already.
      if (monotonicClock() - claimedAt > LEASE_MARGIN_MS) {
        const fields = { deliveryId, webhookId: webhook.id, ...tenantField(webhook.tenant), attempt };
        return deps.logger.warn(fields, 'webhook lease too old, attempt not made');
      }
      const result = await deps.attempt(claimed);
      timers.clearTimeout(slow);
      if (saysSomething(result)) {
        pace.answered(paced, endOf(result));
        deps.outages.attempted(webhook.id, result.record.statusCode !== 0);
      }
      const paused = withPause(result.record, pauses, (isStubborn) => pace.deferred(paced, isStubborn));
      const resumed = pauses > 0 ? { resumed: { webhookId: webhook.id } } : {};
      const record = { ...paused, ...resumed, claimToken: claims.tokenOf(id) ?? claimToken };
      const recorded = deps.record(claimed, { ...result, record });
      // The next attempt need not wait until this result is durable. No more results wait without a
      // slot than there are slots. A deferred one keeps its slot until every claim knows of the
      // pause, and the first one after a pause until every claim knows of its end.
      if (recording >= concurrency || record.deferral || record.resumed) return await recorded;
      recording += 1;
      scheduler.released(pace.release(paced));
      await recorded.finally(() => {
        recording -= 1;
      });
    } finally {
      timers.clearTimeout(slow);
      claims.remove(id);
      // What waited behind the first one after a pause may begin now, whoever has looked for it.
      scheduler.released(pace.release(paced) || pauses > 0);
    }
  }

  return {
    // A poll serves everything due: not the asynchronous context of the dispatch that woke it.
    poll: outsideRequests.bind(scheduler.poll),
    inFlight: claims.count,
    ...stateOf(pace),
    isIdle: () => claims.count() === 0 && !scheduler.isClaiming(),
    attemptsEnded: claims.none,
    async close() {
      await scheduler.stop();
      await claims.none();
    },
  };
}

function stateOf(pace: Pace) {
  return {
    free: () => pace.free(),
    tokenInMs: () => pace.tokenInMs(),
    shortSince: () => pace.shortSince(),
    limitOf: (webhookId: number) => pace.limitOf(webhookId),
  };
}

/**
 * Whether this much time has passed since it was last so, at a time that grows from call to call.
 */
function atMostEvery(ms: number): (now: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now - last < ms) return false;
    last = now;
    return true;
  };
}

function sumOf(counts: ReadonlyMap<number, number> = new Map()): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Whether the result is the recipient's, or the network's. */
function saysSomething({ sent, record }: AttemptResult): boolean {
  return sent !== null && !UNSENT.includes(record.error);
}

function endOf({ record }: AttemptResult): AttemptEnd {
  if (record.status === 'success') return 'succeeded';
  if (record.error === 'timeout') return 'timed-out';
  return record.statusCode === 0 ? 'unanswered' : 'failed';
}
