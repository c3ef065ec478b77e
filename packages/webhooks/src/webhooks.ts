import type { Clock } from './clock.ts';
import { createAttempt } from './delivery/attempt.ts';
import { createRecorder } from './delivery/recorder.ts';
import { createPurge, type PurgeResult } from './delivery/retention.ts';
import { createRetrySchedule, type RetryOptions } from './delivery/retry-schedule.ts';
import { createRunner } from './delivery/runner.ts';
import { createDispatcher } from './dispatch/dispatcher.ts';
import { createTestDispatch, type TestDispatch } from './dispatch/test-event.ts';
import type { TypedDispatch } from './dispatch/typed-dispatch.ts';
import { createEgress, type EgressOptions } from './egress/egress.ts';
import { assertEgressGuard } from './egress/egress-guard.ts';
import { defineEvents, type EventCatalog, type KnownEvent, knownEvents } from './events/catalog.ts';
import { type EventSchemas, type EventSchemasOptions, eventSchemas } from './events/event-schemas.ts';
import type { EventPattern } from './events/typed-catalog.ts';
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
export interface WebhooksOptions<Transaction = never, Catalog extends EventCatalog = EventCatalog>
  extends WebhookHooks {
  /** Where webhooks and deliveries are kept: `memoryStorage()`, `kyselyStorage(db)` or one of your own. */
  readonly storage: WebhookStorage<Transaction>;
  /** What says "look now". Default: `inProcessQueue()`, for one process. */
  readonly queue?: DeliveryQueue | undefined;
  /** The host's own events, made by `defineEvents`. Default: none beside the built-in ones. */
  readonly events?: Catalog | undefined;
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
export interface Webhooks<Transaction = never, Catalog extends EventCatalog = EventCatalog>
  extends WebhookRegistry<EventPattern<Catalog>>,
    TestDispatch,
    Lifecycle {
  /** Every event the discovery endpoint names: the built-in ones, then the host's own. */
  readonly events: readonly KnownEvent[];
  /** The JSON Schema of every known event's callback body, for the API's document: see {@link eventSchemas}. */
  eventSchemas(options?: EventSchemasOptions): EventSchemas<Catalog>;
  /**
   * Sends an event to every active webhook that subscribes to it, and returns at once.
   *
   * The promise may be ignored: a failure then goes to `onError` and never becomes an unhandled rejection. Awaited,
   * it resolves when the delivery records are durable; it never waits for a recipient. Dispatches of one moment are
   * written together.
   *
   * The payload is taken at the call: later changes to it do not matter. Where its event has a payload schema, the
   * schema's output is sent: defaults applied, unknown members removed, as the schema says. A schema may be
   * asynchronous and is waited for, 10 s at most; its events may then be written after later ones.
   *
   * @param event `entity.verb`: letters, digits, `_` and `-` in segments joined by dots, at most 128 characters. A name
   *   that no catalog knows is sent all the same, to those who subscribe to it; with a typed catalog it does not compile.
   * @param payload an object of at most 256 KiB as JSON
   * @throws WebhookError (as a rejection) `invalid_event`, `invalid_payload` (with `errors` where it does not fit its
   *   schema), `payload_too_large`, `schema_failed`, `invalid_options`, `invalid_idempotency_key`, `overloaded`,
   *   `storage_unavailable` or `closed`
   */
  readonly dispatch: TypedDispatch<Transaction, Catalog>;
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
export function createWebhooks<Transaction = never, const Catalog extends EventCatalog = EventCatalog>(
  options: WebhooksOptions<Transaction, Catalog>,
): Webhooks<Transaction, Catalog> {
  refuseUnknownOptions('createWebhooks', options, OPTION_NAMES);
  const clock = functionOption('clock', options.clock, Date.now);
  const logger = fearlessLogger(
    serviceOption('logger', options.logger ?? silentLogger, ['debug', 'info', 'warn', 'error']),
  );
  const storage = withCodedErrors(options.storage);
  const queue = serviceOption('queue', options.queue ?? inProcessQueue(), ['enqueue', 'start', 'stop']);
  const retry = createRetrySchedule(options.retry);
  const egress = createEgress(options.egress);
  const events = options.events === undefined ? undefined : defineEvents(options.events);
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
    events: knownEvents(events),
    eventSchemas: (format?: EventSchemasOptions) => eventSchemas(events, format),
    ...registry,
    dispatch: dispatcher.dispatch,
    ...createTestDispatch({ dispatcher, getWebhook: (id) => existingWebhook(storage, id), clock }),
    purgeDeliveries: () => purge(),
    ...lifecycle,
  });
}
