import { type Administration, createAdministration, createForTenant } from './administration.ts';
import { carryClock, dependableClock } from './clock.ts';
import { createAttempt } from './delivery/attempt.ts';
import { createRecorder } from './delivery/attempt-recorder.ts';
import { createDrain, type Drain } from './delivery/drain.ts';
import { createFailingWebhooks, type ListFailing } from './delivery/failing-webhooks.ts';
import { followWebhooks } from './delivery/follow-webhooks.ts';
import { createHealthCheck, type HealthCheck } from './delivery/health.ts';
import { createOutageDetector } from './delivery/outage-detector.ts';
import { createRemovals } from './delivery/removals.ts';
import { createPurge, type PurgeResult } from './delivery/retention.ts';
import { createRunner } from './delivery/runner.ts';
import { createTenantRemoval, type TenantRemoval } from './delivery/tenant-removal.ts';
import { MAX_WAITING_DISPATCHES } from './dispatch/dispatch-writer.ts';
import { createDispatcher } from './dispatch/dispatcher.ts';
import type { TypedDispatch } from './dispatch/typed-dispatch.ts';
import { createEgress, type GuardedEgress } from './egress/egress.ts';
import { LOCAL_TENANT_ADVICE } from './egress/url-policy.ts';
import type { BuiltInChoice, BuiltInEventName, EventCatalog } from './events/catalog.ts';
import type { KeptEvents } from './events/typed-catalog.ts';
import { createNotifier } from './hooks/notifier.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import type { Logger } from './logging/logger.ts';
import { createAnnounce } from './queue/announce.ts';
import { takeQueue } from './queue/queue.ts';
import { createCallLimit } from './registry/call-limit.ts';
import { createSharedReads } from './registry/shared-reads.ts';
import { createCounters, type EngineStats } from './stats.ts';
import { VERSION } from './version.ts';
import { readOptions, type WebhooksOptions } from './webhooks-options.ts';

/** A webhook engine inside its host. */
export interface Webhooks<
  Transaction = never,
  Catalog extends EventCatalog = EventCatalog,
  BuiltIn extends BuiltInEventName = BuiltInEventName,
> extends Administration<Catalog, BuiltIn>,
    Lifecycle,
    Drain,
    ListFailing,
    TenantRemoval,
    HealthCheck {
  /**
   * The administration of one tenant, with the same methods. Webhooks of others, and everything of
   * theirs, do not exist there: an id of another tenant gets the same error as an unknown one, and
   * no count, page or version moves with what others do. Ids are sequential over all tenants.
   *
   * It knows the events for tenants alone. `create` and `list` take no `tenant`, `recover` needs a
   * `webhookId`, and `searchDeliveries` goes by id, newest first. `test`, `redeliver` and `recover`
   * reject with `rate_limited` beyond `maxTenantCallsPerMinute`.
   *
   * @throws WebhookError `invalid_options` unless it is a tenant
   */
  forTenant(tenant: string): Administration<Catalog, BuiltIn>;
  /**
   * Sends an event to every active webhook that subscribes to it, and returns at once.
   *
   * The promise may be ignored: a failure then goes to `onError` and never becomes an unhandled
   * rejection. Awaited, it resolves when the delivery records are durable; it never waits for a
   * recipient. Concurrent dispatches are written together.
   *
   * The payload is taken at the call: later changes to it do not matter. If its event has a
   * payload schema, the schema's output is sent: defaults applied, unknown members removed, as the
   * schema says. A schema may be asynchronous and is waited for, 10 s at most; its events may then
   * be written after later ones.
   *
   * @param event `entity.verb`: letters, digits, `_` and `-` in segments joined by dots, at most
   *   128 characters. A name that no catalog knows is sent all the same, to its subscribers; with a
   *   typed catalog it does not compile.
   * @param payload an object of at most 256 KiB as JSON. Default `{}`
   * @throws WebhookError (as a rejection) `invalid_event`, `invalid_payload` (with `errors` if
   *   it does not fit its schema), `payload_too_large`, `schema_failed`, `invalid_options`,
   *   `invalid_idempotency_key`, `overloaded`, `storage_unavailable` or `closed`
   */
  readonly dispatch: TypedDispatch<Transaction, Catalog, BuiltIn>;
  /**
   * Removes deliveries created more than `retentionDays` ago, what is left of removed webhooks, and
   * idempotency keys older than 30 days, and ends what has been due for `pendingDays`: in batches
   * between which deliveries go on. Safe to run in several processes at once.
   *
   * @throws WebhookError `storage_unavailable`; what was removed until then stays removed
   */
  purgeDeliveries(): Promise<PurgeResult>;
  /** Returns the present counters, after `close()` too. Costs no query. */
  stats(): EngineStats;
}

/**
 * Any engine, whatever its storage and its events: for what a container injects, or a parameter.
 * Its `dispatch` takes any event and any transaction, and both are checked at run time.
 */
export type AnyWebhooks = Webhooks<object>;

/**
 * Creates a webhook engine: administrators register URLs and event patterns, the host dispatches
 * events, and every subscribed URL receives a signed callback, retried until it is accepted or its
 * attempts are used up.
 *
 * At least once: a delivery is sent again when the process dies between a recipient's answer and
 * its recording. Recipients deduplicate on `X-Webhook-ID`. Order between deliveries is not
 * guaranteed.
 *
 * @throws TypeError naming the option, what was given and its bounds
 * @example
 * const webhooks = createWebhooks({ storage: memoryStorage() });
 * await webhooks.start();
 * await webhooks.create({ url: 'https://example.com/hooks', events: ['user.*'] });
 * webhooks.dispatch('user.registered', { id: 42 });
 */
export function createWebhooks<
  Transaction = never,
  const Catalog extends EventCatalog = EventCatalog,
  const BuiltIn extends BuiltInChoice = true,
>(
  options: WebhooksOptions<Transaction, Catalog, BuiltIn>,
): Webhooks<Transaction, Catalog, KeptEvents<BuiltIn>> {
  const read = readOptions(options);
  const { clock, logger, queue, storage, writes } = read;
  const egress = createLoggedEgress(options.egress, logger);
  const reachesInside = (options.egress?.dangerouslyAllowedTenantAddresses ?? []).length > 0;
  const notifier = createNotifier(options, logger, dependableClock(clock));
  const counters = createCounters();
  const announce = createAnnounce({ queue, notifier });
  const outages = createOutageDetector();
  const userAgent = `acme-webhooks/${VERSION}`;
  const removals = createRemovals({ storage, clock, notifier });
  const shared = { ...read, egress, notifier, counters, announce, outages, removals, userAgent };

  const dispatcher = createDispatcher(shared);
  const { followOutages, disable, recovering, readBacklogs } = followWebhooks(shared);
  const runner = createRunner({
    ...shared,
    attempt: createAttempt({ ...shared, clock: dependableClock(clock) }),
    record: createRecorder({ ...shared, disable }),
    maxAttempts: read.retry.maxAttempts,
    attemptTimeoutMs: egress.timeoutMs,
  });
  const purge = createPurge(shared);
  const lifecycle = createLifecycle({ ...shared, followOutages, runner, dispatcher, purge, reachesInside });
  const { start, close, state } = lifecycle;
  // Last: an engine whose creation fails takes no queue.
  takeQueue(queue);

  const administered = {
    ...shared,
    dispatcher,
    assertUrl: egress.assertPublicUrl,
    takeTenantCall: createCallLimit({
      clock: dependableClock(clock),
      maxPerMinute: read.tenantBounds.maxTenantCallsPerMinute,
    }),
    share: createSharedReads(),
    readBacklogs,
    concurrencyOf: (id: number) => runner.limitOf(id),
  };

  return Object.freeze({
    ...createAdministration<Catalog, KeptEvents<BuiltIn>>(administered),
    ...carryClock(dependableClock(clock)),
    forTenant: createForTenant<Catalog, KeptEvents<BuiltIn>>(administered),
    dispatch: dispatcher.dispatch,
    purgeDeliveries: () => purge(),
    ...createTenantRemoval(shared),
    start,
    close,
    ...createDrain({ storage, runner, dispatcher, followOutages, state, clock, notifier }),
    listFailing: createFailingWebhooks(shared).listFailing,
    stats: () => ({ ...counters }),
    ...createHealthCheck({
      ...shared,
      clock: dependableClock(clock),
      recovering,
      readBacklogs,
      state,
      writes,
      inFlight: runner.inFlight,
      shortSince: runner.shortSince,
      waitingDispatches: dispatcher.waiting,
      isRefusing: dispatcher.isRefusing,
      maxWaitingDispatches: MAX_WAITING_DISPATCHES,
    }),
  });
}

/** How many local hosts an engine logs, each once: administrators choose them. */
const MAX_LOGGED_LOCAL_HOSTS = 10;

/** Creates the egress, and logs each connection that it blocks, and the first local recipients. */
function createLoggedEgress(options: WebhooksOptions['egress'], logger: Logger): GuardedEgress {
  const warnOf = (advice: string) => {
    const localHosts = new Set<string>();
    return (host: string) => {
      if (localHosts.size === MAX_LOGGED_LOCAL_HOSTS || localHosts.has(host)) return;
      localHosts.add(host);
      logger.warn({ host }, `the URL of a local recipient was refused: ${advice}`);
    };
  };
  return createEgress(options, {
    onBlocked: (host, because) =>
      logger.warn({ host, because }, 'a delivery was kept from an address that is not public'),
    onLocal: warnOf(
      'egress.allowedAddresses, such as ["127.0.0.1/32"], allows an address, but never the name localhost, nor one without a dot',
    ),
    onLocalOfTenant: warnOf(LOCAL_TENANT_ADVICE),
  });
}
