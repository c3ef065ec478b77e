import {
  booleanOption,
  functionOption,
  integerOption,
  refuseUnknownOptions,
  serviceOption,
} from '../../toolkit/src/options.ts';
import { type Clock, checkedClock, systemClock } from './clock.ts';
import { createRetrySchedule, type RetryOptions, type RetrySchedule } from './delivery/retry-schedule.ts';
import type { EgressOptions } from './egress/egress.ts';
import {
  type BuiltInChoice,
  builtInEventsOf,
  defineEvents,
  type EventCatalog,
  type KnownEvent,
  knownEvents,
} from './events/catalog.ts';
import { HOOK_NAMES, type TracedAttempt, type WebhookHooks } from './hooks/webhook-hooks.ts';
import { consoleLogger } from './logging/console-logger.ts';
import { LOGGER, type Logger, nonThrowingLogger, silentLogger } from './logging/logger.ts';
import { inProcessQueue } from './queue/in-process-queue.ts';
import { DELIVERY_QUEUE, type DeliveryQueue } from './queue/queue.ts';
import {
  readTenantBounds,
  TENANT_BOUND_NAMES,
  type TenantBounds,
  type TenantBoundsOptions,
} from './registry/tenant-bounds.ts';
import { engineStorage } from './storage/engine-storage.ts';
import type { WebhookStorage } from './storage/storage.ts';
import type { WriteWatch } from './storage/write-watch.ts';

/** Options of `createWebhooks`. */
export interface WebhooksOptions<
  Transaction = never,
  Catalog extends EventCatalog = EventCatalog,
  BuiltIn extends BuiltInChoice = BuiltInChoice,
> extends WebhookHooks,
    TenantBoundsOptions {
  /**
   * Where webhooks and deliveries are kept: `memoryStorage()`, `kyselyStorage(db)` or one of your
   * own.
   */
  readonly storage: WebhookStorage<Transaction>;
  /**
   * The queue that makes workers poll, one for each engine. Default: `inProcessQueue()`, for one
   * process.
   */
  readonly queue?: DeliveryQueue | undefined;
  /** The host's own events, made by `defineEvents`. Default: none besides the built-in ones. */
  readonly events?: Catalog | undefined;
  /**
   * Which of `BUILT_IN_EVENTS` the application dispatches: all, none, or the names in a list. The
   * others are not listed for administrators, and with `events` they do not compile. `webhook.test`
   * always stays. Default true.
   */
  readonly builtInEvents?: BuiltIn | undefined;
  /**
   * `required` is for an application with customers. A dispatch then names a `tenant` or says
   * `tenant: null`; any other is refused (`invalid_options`), as is `tenant: undefined` in `create`
   * and `list` (`validation_failed`). Default: a dispatch without a tenant reaches the host's own
   * webhooks alone.
   */
  readonly tenants?: 'required' | undefined;
  /** When failed attempts are repeated. Default: 4 attempts, 30 s, 5 min and 50 min apart. */
  readonly retry?: RetryOptions | undefined;
  /** Where deliveries may go, and how long an attempt may take. Default: public addresses, 15 s. */
  readonly egress?: EgressOptions | undefined;
  /**
   * Slots of this process, each for one attempt at a time: 1–1,000, default 50. A slow attempt
   * leaves its slot, so that up to eleven times as many are in flight, each with a socket.
   */
  readonly concurrency?: number | undefined;
  /**
   * The most attempts at once to one webhook in this process, 1–1,000, default 10; capped at
   * `concurrency`. Each webhook begins with 2: a success doubles its limit up to this one, a
   * timeout sets it to 1. Webhooks that are slow or do not answer occupy a quarter of the slots at
   * most, all together.
   */
  readonly maxConcurrentPerWebhook?: number | undefined;
  /**
   * Whether 410 (Gone) ends a delivery at once and deactivates its webhook. Default false: a
   * failure like any other. Reported to `onWebhookDisabled`; `inactiveReason` is then `gone`.
   */
  readonly disableOnGone?: boolean | undefined;
  /**
   * Deactivates a webhook once its deliveries have ended as `failed` for this long, and none has
   * succeeded, tests aside. At most 30 days, 0: never. Default: five days with `tenants`, else 0. At
   * least three deliveries must have failed, the second and the last one a day apart. Judged when
   * one has used up its attempts; an attempt that a busy recipient put off is no failure. A success,
   * an activation or another URL begins anew. Reported to `onWebhookDisabled`; `inactiveReason` is
   * then `failing`, and `recover` sends what failed until then. Costs a query for each failure.
   */
  readonly disableAfterFailingMs?: number | undefined;
  /**
   * Whether outages heal themselves. Default: true with `tenants`, else false. An outage of a webhook
   * is a time of at least ten minutes in which at least three deliveries ended as `failed`, and none
   * succeeded. Once one has succeeded, those that failed in the outage and were created in its last three days
   * are reopened, oldest first, behind what is new, and as fast as the recipient takes them; each
   * once per outage. Those that could not be sent (`webhook_inactive`, `blocked_address`) are not.
   *
   * During the outage, 1, 3, 9, 24, 48 and 72 hours after the first failure, its oldest failed
   * delivery that was not yet reopened is tried again: a webhook without new events recovers, too.
   * The engine looks for outages at every sixth sweep, and in `drain()`. An activation, another URL
   * and a deactivation end the outage, and `recover` then sends the rest.
   */
  readonly recoverAfterOutage?: boolean | undefined;
  /**
   * Whether the Standard Webhooks headers (`webhook-id`, …) accompany the `X-Webhook-*` ones. The
   * code that the panel and the portal show to recipients verifies these: without them, it refuses
   * every callback. Default true.
   */
  readonly standardHeaders?: boolean | undefined;
  /**
   * Returns the `traceparent` header of an attempt (W3C Trace Context, `00-<trace id>-<parent
   * id>-<flags>`), or undefined for none. Called before each attempt, in the asynchronous context
   * of no request. If it throws or returns anything else, the error goes to `onError`, and the
   * request goes without. Default: no request carries a header of a tracing tool.
   */
  readonly traceparent?: ((attempt: TracedAttempt) => string | undefined) | undefined;
  /**
   * How often this process polls for deliveries that no job announced: those of a process that
   * died, or whose jobs were lost. 100 ms – 1 h, default 5,000. One read per interval while nothing
   * is due, and a count every ten minutes (`onBacklog`): all that idling costs besides a shared queue.
   */
  readonly sweepIntervalMs?: number | undefined;
  /** Days after which delivery records are removed, 1–3,650, default 30. */
  readonly retentionDays?: number | undefined;
  /**
   * Ends deliveries with the error `expired`, and keeps them, once they have been due for this long:
   * 1–90 days, default 7. Only hours count in which a worker claimed. What no worker has tried yet
   * expires only if its webhook has a limit, fails, or has a busy recipient. Part of the purge.
   */
  readonly pendingDays?: number | undefined;
  /**
   * Whether the engine itself runs the retention job daily, and for the first time ten minutes
   * after `start()`. Default true; `false` for hosts that call `purgeDeliveries()` from their own
   * scheduler (see `PURGE_JOB`).
   */
  readonly schedulePurge?: boolean | undefined;
  /** Default `Date.now`. */
  readonly clock?: Clock | undefined;
  /**
   * Default: without `onError` either, errors go to `console.error`, once a minute for each kind
   * with their number; else no output. pino fits as it is. Secrets, payloads and responses are
   * never logged, nor are the errors of drivers themselves, since some attach the values of the
   * statement. The messages are fixed, for alerts: the guide "Hooks and logs" has them, with their
   * fields.
   */
  readonly logger?: Logger | undefined;
}

const OPTION_NAMES: readonly (keyof WebhooksOptions)[] = [
  'storage',
  'queue',
  'events',
  'builtInEvents',
  'tenants',
  ...TENANT_BOUND_NAMES,
  'retry',
  'egress',
  'concurrency',
  'maxConcurrentPerWebhook',
  'disableOnGone',
  'disableAfterFailingMs',
  'recoverAfterOutage',
  'standardHeaders',
  'traceparent',
  'sweepIntervalMs',
  'retentionDays',
  'pendingDays',
  'schedulePurge',
  'clock',
  'logger',
  ...HOOK_NAMES,
];

/** {@link WebhooksOptions} checked, with every default in its place. */
export interface ReadOptions<Transaction, Catalog extends EventCatalog> {
  readonly storage: WebhookStorage<Transaction>;
  readonly writes: WriteWatch;
  readonly queue: DeliveryQueue;
  readonly events: Catalog | undefined;
  /** The built-in events and the host's own. */
  readonly knownEvents: readonly KnownEvent[];
  readonly requiresTenant: boolean;
  readonly tenantBounds: TenantBounds;
  readonly retry: RetrySchedule;
  readonly concurrency: number;
  readonly maxConcurrentPerWebhook: number;
  readonly disableOnGone: boolean;
  readonly disableAfterFailingMs: number;
  readonly recoverAfterOutage: boolean;
  readonly standardHeaders: boolean;
  readonly traceparent: (attempt: TracedAttempt) => string | undefined;
  readonly sweepIntervalMs: number;
  readonly retentionDays: number;
  readonly pendingDays: number;
  readonly schedulePurge: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reads the options that belong to no single room.
 *
 * @throws TypeError naming the option, what was given and its bounds
 */
export function readOptions<Transaction, Catalog extends EventCatalog>(
  options: WebhooksOptions<Transaction, Catalog>,
): ReadOptions<Transaction, Catalog> {
  refuseUnknownOptions('createWebhooks', options, OPTION_NAMES);
  const integer = (
    name: NumericOption,
    bounds: { readonly default: number; readonly min: number; readonly max: number },
  ) => integerOption(name, options[name], bounds);
  const events = options.events === undefined ? undefined : defineEvents(options.events);
  const requiresTenant = options.tenants === 'required';
  if (options.tenants !== undefined && !requiresTenant) {
    throw new TypeError("tenants must be 'required' or left out");
  }
  // Nobody of the host's watches the webhooks of customers: five days.
  const failingMs = requiresTenant ? 432_000_000 : 0;
  return {
    clock: checkedClock(functionOption('clock', options.clock, systemClock)),
    logger: nonThrowingLogger(serviceOption('logger', options.logger ?? unheard(options), LOGGER)),
    ...engineStorage(options.storage),
    queue: serviceOption('queue', options.queue ?? inProcessQueue(), DELIVERY_QUEUE),
    retry: createRetrySchedule(options.retry),
    requiresTenant,
    events,
    knownEvents: knownEvents(events, builtInEventsOf(options.builtInEvents)),
    tenantBounds: readTenantBounds(options),
    concurrency: integer('concurrency', { default: 50, min: 1, max: 1_000 }),
    maxConcurrentPerWebhook: integer('maxConcurrentPerWebhook', { default: 10, min: 1, max: 1_000 }),
    disableOnGone: booleanOption('disableOnGone', options.disableOnGone, false),
    disableAfterFailingMs: integer('disableAfterFailingMs', {
      default: failingMs,
      min: 0,
      max: 2_592_000_000,
    }),
    recoverAfterOutage: booleanOption('recoverAfterOutage', options.recoverAfterOutage, requiresTenant),
    standardHeaders: booleanOption('standardHeaders', options.standardHeaders, true),
    traceparent: functionOption('traceparent', options.traceparent, () => undefined),
    sweepIntervalMs: integer('sweepIntervalMs', { default: 5_000, min: 100, max: 3_600_000 }),
    retentionDays: integer('retentionDays', { default: 30, min: 1, max: 3_650 }),
    pendingDays: integer('pendingDays', { default: 7, min: 1, max: 90 }),
    schedulePurge: booleanOption('schedulePurge', options.schedulePurge, true),
  };
}

/** A host that passes neither `logger` nor `onError` still hears of errors. */
function unheard({ onError }: Pick<WebhooksOptions, 'onError'>): Logger {
  return onError === undefined ? consoleLogger() : silentLogger;
}

type NumericOption = {
  [Name in keyof WebhooksOptions]-?: WebhooksOptions[Name] extends number | undefined ? Name : never;
}[keyof WebhooksOptions];
