import { withDeadline } from '../../toolkit/src/deadline.ts';
import { type Periodic, startPeriodic } from './delivery/periodic.ts';
import type { Removals } from './delivery/removals.ts';
import type { PurgeResult } from './delivery/retention.ts';
import type { Runner } from './delivery/runner.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import type { Egress } from './egress/egress.ts';
import { isWebhookError, WebhookError } from './errors.ts';
import type { Notifier } from './hooks/notifier.ts';
import type { Logger } from './logging/logger.ts';
import { type DeliveryQueue, isQueueMisuse, queueUnavailable } from './queue/queue.ts';
import type { WebhookStorage } from './storage/storage.ts';

/** Start and end of an engine's work. */
export interface Lifecycle {
  /**
   * Begins to deliver, deliveries that earlier processes left behind included. A process that only
   * dispatches need not call it.
   *
   * A start that failed may be tried again; one during which the engine is closed fails. Once it
   * has succeeded, another call does nothing. The start succeeds also while the storage is away, or
   * does not answer within 5 s: the engine sweeps until it is back.
   *
   * @throws TypeError when another engine has started or stopped a queue of this package
   * @throws WebhookError `storage_misconfigured` when the storage can't be used as it is, not
   *   migrated perhaps: the message says what to run or to set; `queue_unavailable`; `closed` after
   *   `close()`, also one that came during the start
   */
  start(): Promise<void>;
  /**
   * Stops claiming, and waits for the attempts under way and until they and the accepted dispatches
   * are written. A storage that refuses results is asked again for 16 s. Deliveries that are still
   * due stay due for the next process. Idempotent.
   *
   * Takes at most one attempt's timeout and 20 s. What a storage that hangs has not taken by then
   * is logged and left: a delivery without its result is made again once its lease ends, a dispatch
   * rejects with `closed`.
   */
  close(): Promise<void>;
}

/** {@link Lifecycle} as the other parts see it. */
export interface ObservableLifecycle extends Lifecycle {
  /** `running` once a start has succeeded, `closed` as soon as `close()` is called. */
  state(): 'created' | 'running' | 'closed';
}

/**
 * A process that restarts often still purges; one that restarts at once does not begin with a
 * purge.
 */
const FIRST_PURGE_DELAY_MS = 600_000;
/** Webhooks that fail are looked at this many times less often than deliveries are swept. */
const SWEEPS_PER_LOOK = 6;
const PURGE_INTERVAL_MS = 86_400_000;

/**
 * How much longer than an attempt a close takes at most: a storage that refuses a result is asked
 * again for 16 s.
 */
const CLOSE_MARGIN_MS = 20_000;
/**
 * When a close stops waiting for dispatches that the storage does not take, so that the queue has
 * time for its end.
 */
const FLUSH_MARGIN_MS = 5_000;
const MAX_WAIT_FOR_START_MS = 10_000;
const MAX_WAIT_FOR_STORAGE_MS = 5_000;

const REACHES_INSIDE =
  "egress.dangerouslyAllowedTenantAddresses lets customers' webhooks reach addresses that are not public: never in production";

/** @internal */
export function createLifecycle(parts: {
  readonly egress: Pick<Egress, 'close' | 'timeoutMs'>;
  readonly storage: Pick<WebhookStorage, 'assertReady'>;
  readonly queue: DeliveryQueue;
  readonly runner: Pick<Runner, 'poll' | 'close' | 'inFlight'>;
  readonly dispatcher: Pick<Dispatcher, 'close' | 'abandon' | 'waiting'>;
  readonly notifier: Pick<Notifier, 'error'>;
  readonly logger: Logger;
  readonly removals: Removals;
  readonly purge: (signal: AbortSignal) => Promise<PurgeResult>;
  readonly sweepIntervalMs: number;
  readonly schedulePurge: boolean;
  /** Whether customers' webhooks may reach addresses that are not public. Default: no. */
  readonly reachesInside?: boolean;
  /** Never rejects. */
  readonly followOutages: (signal: AbortSignal) => Promise<void>;
}): ObservableLifecycle {
  const { egress, queue, runner, dispatcher, notifier, logger, sweepIntervalMs } = parts;
  const closing = new AbortController();
  let starting: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  let tasks: Periodic[] = [];
  let isStarted = false;

  async function start(): Promise<void> {
    await assertUsable(parts.storage);
    const report = (error: unknown): void => void notifier.error('queue', queueUnavailable(error));
    await queue.start(runner.poll, report).catch((error: unknown) => {
      // A queue that serves another engine is a mistake of the host's, which no second try fixes.
      throw isQueueMisuse(error) ? error : queueUnavailable(error);
    });
    if (closing.signal.aborted) throw closedError();
    tasks = [
      startSweep(runner, sweepIntervalMs),
      startPeriodic({
        firstDelayMs: sweepIntervalMs,
        intervalMs: SWEEPS_PER_LOOK * sweepIntervalMs,
        keepsProcessAlive: false,
        run: () => parts.followOutages(closing.signal),
      }),
    ];
    if (parts.schedulePurge) tasks.push(startDailyPurge());
    isStarted = true;
    if (parts.reachesInside) logger.warn({}, REACHES_INSIDE);
    logger.info({}, 'webhook engine started');
  }

  function startDailyPurge(): Periodic {
    return startPeriodic({
      firstDelayMs: FIRST_PURGE_DELAY_MS,
      intervalMs: PURGE_INTERVAL_MS,
      keepsProcessAlive: false,
      run: () => parts.purge(closing.signal).catch((error: unknown) => notifier.error('purge', error)),
    });
  }

  async function close(): Promise<void> {
    closing.abort();
    const maxMs = egress.timeoutMs + CLOSE_MARGIN_MS;
    logger.info({ maxMs }, 'webhook engine closes');
    const hasEnded = await endsWithin(maxMs, endWork());
    const left = { attempts: runner.inFlight(), dispatches: dispatcher.waiting() };
    await egress.close();
    if (hasEnded) logger.info({}, 'webhook engine closed');
    else {
      dispatcher.abandon();
      logger.warn(left, 'webhook engine closed with work left');
    }
  }

  async function endWork(): Promise<void> {
    const flushed = dispatcher.close();
    // A start under way ends first, so that nothing it begins is left running.
    const started = starting?.catch(() => undefined);
    if (started !== undefined) await endsWithin(MAX_WAIT_FOR_START_MS, started);
    // The queue takes the jobs of the last dispatches: it tells other processes of them, even if
    // this one only dispatches.
    const stopped = endsWithin(egress.timeoutMs + FLUSH_MARGIN_MS, flushed).then(() => queue.stop());
    const ended = [parts.removals.close(), ...tasks.map((task) => task.stop())];
    await Promise.all([flushed, stopped, runner.close(), ...ended]);
  }

  return {
    async start() {
      if (closing.signal.aborted) throw closedError();
      starting ??= start().catch((error: unknown) => {
        // The next start may succeed: Redis may be back.
        starting = undefined;
        throw error;
      });
      return starting;
    },
    close() {
      closed ??= close();
      return closed;
    },
    state: () => (closing.signal.aborted ? 'closed' : isStarted ? 'running' : 'created'),
  };
}

/**
 * Fails if the storage says that it can't be used. If it does not answer, the sweep reports the
 * failure.
 */
async function assertUsable(storage: Pick<WebhookStorage, 'assertReady'>): Promise<void> {
  const ready = (storage.assertReady?.() ?? Promise.resolve()).catch((error: unknown) => {
    if (isWebhookError(error, 'storage_misconfigured')) throw error;
  });
  await endsWithin(MAX_WAIT_FOR_STORAGE_MS, ready);
}

function closedError(): WebhookError {
  return new WebhookError('closed', 'The webhook engine was closed');
}

/** Whether the work ended in time; otherwise it goes on unobserved. */
async function endsWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  const ended = work.then(() => true);
  return await withDeadline(ended, timeoutMs, () => false);
}

/**
 * Starts the sweep, which finds what no job announced: deliveries of a process that died, or whose
 * jobs were lost. It keeps the process alive.
 */
function startSweep({ poll }: Pick<Runner, 'poll'>, intervalMs: number): Periodic {
  return startPeriodic({ firstDelayMs: 0, intervalMs, keepsProcessAlive: true, run: poll });
}
