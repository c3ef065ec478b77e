import type { Clock } from './clock.ts';
import { createAttempt } from './delivery/attempt.ts';
import { createRecorder } from './delivery/recorder.ts';
import { createPurge, type PurgeResult } from './delivery/retention.ts';
import { createRetrySchedule, type RetryOptions } from './delivery/retry-schedule.ts';
import { createRunner } from './delivery/runner.ts';
import { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts';
import { createTestDispatch, type TestDispatch } from './dispatch/test-event.ts';
import { createEgress, type EgressOptions } from './egress/egress.ts';
import { assertEgressGuard } from './egress/egress-guard.ts';
import { type EventCatalog, type KnownEvent, knownEvents } from './events/catalog.ts';
import { createNotifier, type WebhookHooks } from './hooks.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { fearlessLogger, type Logger, silentLogger } from './logger.ts';
import {
  booleanOption,
  functionOption,
  integerOption,
  refuseUnknownOptions,
  serviceOption,
} from './options.ts';
import { inProcessQueue } from './queue/in-process-queue.ts';
import type { DeliveryQueue } from './queue/queue.ts';
import { existingWebhook } from './registry/existing-webhook.ts';
import { createWebhookRegistry, type WebhookRegistry } from './registry/webhook-registry.ts';
import { withCodedErrors } from './storage/coded-storage.ts';
import type { WebhookStorage } from './storage/storage.ts';
import { VERSION } from './version.ts';

/** What {@link createWebhooks} is made of. */
export interface WebhooksOptions<Transaction = never> extends WebhookHooks {
  /** Where webhooks and deliveries are kept: `memoryStorage()`, `kyselyStorage(db)` or one of your own. */
  readonly storage: WebhookStorage<Transaction>;
  /** What says "look now". Default: `inProcessQueue()`, for one process. */
  readonly queue?: DeliveryQueue | undefined;
  /** The host's own events, made by `defineEvents`. Default: none beside the built-in ones. */
  readonly events?: EventCatalog | undefined;
  /** When failed attempts are repeated. Default: 4 attempts, 30 s, 5 min and 50 min apart. */
  readonly retry?: RetryOptions | undefined;
  /** Where deliveries may go, and how long an attempt may take. Default: public addresses, 15 s. */
  readonly egress?: EgressOptions | undefined;
  /** Attempts at once in this process, 1–1,000, default 50. */
  readonly concurrency?: number | undefined;
  /** Whether the Standard Webhooks headers (`webhook-id`, …) accompany the `X-Webhook-*` ones. Default true. */
  readonly standardHeaders?: boolean | undefined;
  /**
   * How often this process looks for deliveries that no job announced: those of a process that died, or whose
   * jobs were lost. 100 ms – 1 h, default 5,000. One query each, the whole idle cost of a running engine.
   */
  readonly sweepIntervalMs?: number | undefined;
  /** Days after which delivery records are removed, 1–3,650, default 30. */
  readonly retentionDays?: number | undefined;
  /**
   * Whether the engine itself runs the retention job daily, and for the first time ten minutes after `start()`.
   * Default true; `false` for hosts that call `purgeDeliveries()` from their own scheduler (see `PURGE_JOB`).
   */
  readonly schedulePurge?: boolean | undefined;
  /** Default `Date.now`. */
  readonly clock?: Clock | undefined;
  /** Default: no output. pino fits as it is. Secrets, payloads and responses are never logged. */
  readonly logger?: Logger | undefined;
}

const OPTION_NAMES: readonly (keyof WebhooksOptions)[] = [
  'storage',
  'queue',
  'events',
  'retry',
  'egress',
  'concurrency',
  'standardHeaders',
  'sweepIntervalMs',
  'retentionDays',
  'schedulePurge',
  'clock',
  'logger',
  'onError',
  'onDeliveryFailed',
];

/** A webhook engine inside its host. */
export interface Webhooks<Transaction = never>
  extends WebhookRegistry,
    Pick<Dispatcher<Transaction>, 'dispatch'>,
    TestDispatch,
    Lifecycle {
  /** Every event the discovery endpoint names: the built-in ones, then the host's own. */
  readonly events: readonly KnownEvent[];
  /**
   * Removes deliveries created more than `retentionDays` ago, what interrupted removals of webhooks left behind, and
   * idempotency keys older than 30 days, in batches between which deliveries go on. Safe to run in several processes
   * at once.
   *
   * @throws WebhookError `storage_unavailable`; what was removed until then stays removed
   */
  purgeDeliveries(): Promise<PurgeResult>;
}

/**
 * Creates a webhook engine: administrators register URLs and event patterns, the host dispatches events, and every
 * subscribed URL receives a signed callback, retried until it is accepted or its attempts are used up.
 *
 * At least once: a delivery is sent again when the process dies between a recipient's answer and its recording.
 * Recipients deduplicate on `X-Webhook-ID`. Order between deliveries is not guaranteed.
 *
 * @throws TypeError naming the option, what was given and its bounds
 * @example
 * const webhooks = createWebhooks({ storage: memoryStorage() });
 * await webhooks.start();
 * await webhooks.create({ url: 'https://example.com/hooks', events: ['user.*'] });
 * webhooks.dispatch('user.registered', { id: 42 });
 */
export function createWebhooks<Transaction = never>(
  options: WebhooksOptions<Transaction>,
): Webhooks<Transaction> {
  refuseUnknownOptions('createWebhooks', options, OPTION_NAMES);
  const clock = functionOption('clock', options.clock, Date.now);
  const logger = fearlessLogger(
    serviceOption('logger', options.logger ?? silentLogger, ['debug', 'info', 'warn', 'error']),
  );
  const storage = withCodedErrors(options.storage);
  const queue = serviceOption('queue', options.queue ?? inProcessQueue(), ['enqueue', 'start', 'stop']);
  const retry = createRetrySchedule(options.retry);
  const egress = createEgress(options.egress);
  const notifier = createNotifier(options, logger);

  const registry = createWebhookRegistry({
    storage,
    assertUrl: egress.assertPublicUrl,
    clock,
  });
  const dispatcher = createDispatcher({ storage, queue, clock, notifier });
  const attempt = createAttempt({
    egress,
    retry,
    clock,
    notifier,
    standardHeaders: booleanOption('standardHeaders', options.standardHeaders, true),
    userAgent: `acme-webhooks/${VERSION}`,
  });
  const runner = createRunner({
    storage,
    attempt,
    record: createRecorder({ storage, queue, notifier, logger }),
    clock,
    notifier,
    logger,
    concurrency: integerOption('concurrency', options.concurrency, { default: 50, min: 1, max: 1_000 }),
    maxAttempts: retry.maxAttempts,
    attemptTimeoutMs: egress.timeoutMs,
  });
  const purge = createPurge({
    storage,
    clock,
    notifier,
    retentionDays: integerOption('retentionDays', options.retentionDays, { default: 30, min: 1, max: 3_650 }),
  });
  const lifecycle = createLifecycle({
    egress,
    assertGuarded: assertEgressGuard,
    queue,
    runner,
    dispatcher,
    notifier,
    purge,
    sweepIntervalMs: integerOption('sweepIntervalMs', options.sweepIntervalMs, {
      default: 5_000,
      min: 100,
      max: 3_600_000,
    }),
    schedulePurge: booleanOption('schedulePurge', options.schedulePurge, true),
  });

  return Object.freeze({
    events: knownEvents(options.events ?? {}),
    ...registry,
    dispatch: dispatcher.dispatch,
    ...createTestDispatch({ dispatcher, getWebhook: (id) => existingWebhook(storage, id), clock }),
    purgeDeliveries: () => purge(),
    ...lifecycle,
  });
}
