import type { Clock } from './clock.ts';
import type { Backlogs } from './delivery/backlogs.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import { createTestDispatch, type TestDispatch, type TestInput } from './dispatch/test-event.ts';
import { WebhookError } from './errors.ts';
import { type BuiltInEventName, type EventCatalog, isForTenants, type KnownEvent } from './events/catalog.ts';
import { type EventSchemas, schemasOf } from './events/event-schemas.ts';
import { isTenant, TENANT_BOUNDS } from './events/tenant.ts';
import type { EventPattern } from './events/typed-catalog.ts';
import type { Logger } from './logging/logger.ts';
import type { Announce } from './queue/announce.ts';
import type { CallLimit } from './registry/call-limit.ts';
import { createDescribeEvent, type DescribeEvent } from './registry/describe-event.ts';
import { existingWebhook } from './registry/existing-webhook.ts';
import { createExplain, type Explain } from './registry/explain.ts';
import { createOverviewReader, type OverviewReader } from './registry/overview/overview.ts';
import { createRedelivery, type RecoverInput, type Redelivery } from './registry/redelivery.ts';
import type { SharedReads } from './registry/shared-reads.ts';
import type { TenantBounds } from './registry/tenant-bounds.ts';
import type { WebhookConcurrency } from './registry/webhook-input.ts';
import { createWebhookRegistry, type WebhookRegistry } from './registry/webhook-registry.ts';
import type { Counters } from './stats.ts';
import { type AdministeredStorage, storageOfTenant } from './storage/tenant-storage.ts';

/** Everything that is done with webhooks and their deliveries: of all of them, or of one tenant. */
export interface Administration<
  Catalog extends EventCatalog = EventCatalog,
  BuiltIn extends BuiltInEventName = BuiltInEventName,
> extends WebhookRegistry<EventPattern<Catalog, BuiltIn>>,
    TestDispatch,
    Redelivery,
    Explain,
    DescribeEvent,
    OverviewReader {
  /**
   * The administration whose test events and redeliveries count as one call against the bound of a
   * tenant (`maxTenantCallsPerMinute`): for one action on a selection. Of all webhooks there is no
   * bound.
   *
   * @throws WebhookError `rate_limited`
   */
  asOneCall(): Administration<Catalog, BuiltIn>;
  /** Every event that the discovery endpoint names: the built-in ones, then the host's own. */
  readonly events: readonly KnownEvent[];
  /**
   * The JSON Schema of every known event's callback body, for the API's document: see {@link
   * eventSchemas}.
   */
  eventSchemas(): EventSchemas<Catalog, BuiltIn>;
}

/** @internal What an administration is made of. */
export interface AdministrationParts {
  readonly storage: AdministeredStorage;
  readonly knownEvents: readonly KnownEvent[];
  readonly events: EventCatalog | undefined;
  readonly assertUrl: (url: string, tenant: string) => Promise<URL>;
  readonly concurrencyOf: (webhookId: number) => WebhookConcurrency | undefined;
  readonly tenantBounds: TenantBounds;
  readonly takeTenantCall: CallLimit;
  readonly dispatcher: Pick<Dispatcher, 'dispatchTest'>;
  readonly announce: Announce;
  readonly share: SharedReads;
  readonly readBacklogs: Backlogs['readBacklogs'];
  readonly counters: Counters;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly standardHeaders: boolean;
  readonly userAgent: string;
  readonly disableAfterFailingMs: number;
  readonly recoverAfterOutage: boolean;
  readonly requiresTenant?: boolean;
  readonly removals: { readonly begin: () => void };
}

/** @internal The administration of all webhooks, or of those in a tenant's storage. */
export function createAdministration<Catalog extends EventCatalog, BuiltIn extends BuiltInEventName>(
  parts: AdministrationParts,
  tenant?: string,
): Administration<Catalog, BuiltIn> {
  const { storage, knownEvents, events } = parts;
  const administration: Administration<Catalog, BuiltIn> = {
    asOneCall: () => administration,
    events: knownEvents,
    eventSchemas: () => schemasOf<Catalog, BuiltIn>(knownEvents, events as Catalog | undefined),
    ...createWebhookRegistry({ ...parts, tenant }),
    ...createExplain({ storage, knownEvents, events }),
    ...createDescribeEvent({ storage, knownEvents, events }),
    ...createOverviewReader({ ...parts, tenant }),
    ...createTestDispatch({ ...parts, getWebhook: (id) => existingWebhook(storage, id) }),
    ...createRedelivery(parts),
  };
  return administration;
}

/** @internal Gives each tenant its administration. @throws WebhookError `invalid_options` */
export function createForTenant<Catalog extends EventCatalog, BuiltIn extends BuiltInEventName>(
  parts: AdministrationParts,
): (tenant: string) => Administration<Catalog, BuiltIn> {
  return (tenant) => {
    if (isTenant(tenant)) return administrationOf<Catalog, BuiltIn>(parts, tenant);
    throw new WebhookError('invalid_options', `A tenant is text of ${TENANT_BOUNDS}`);
  };
}

/**
 * The administration of one tenant: the same methods over the tenant's storage, which has
 * nothing of others, and with the events that are for tenants.
 */
function administrationOf<Catalog extends EventCatalog, BuiltIn extends BuiltInEventName>(
  parts: AdministrationParts,
  tenant: string,
): Administration<Catalog, BuiltIn> {
  const { events = {}, knownEvents, tenantBounds } = parts;
  const own = {
    ...parts,
    storage: storageOfTenant(parts.storage, tenant, () => tenantBounds.maxWebhooksPerTenant(tenant)),
    knownEvents: Object.freeze(knownEvents.filter(({ name }) => isForTenants(events, name))),
    // How fast this process sends is the operator's business.
    concurrencyOf: () => undefined,
  };
  const unbounded = createAdministration<Catalog, BuiltIn>(own, tenant);
  const take = () => parts.takeTenantCall(tenant);
  return Object.freeze({
    ...unbounded,
    asOneCall() {
      take();
      return unbounded;
    },
    async test(id: number, input?: TestInput) {
      take();
      return unbounded.test(id, input);
    },
    async redeliver(webhookId: number, deliveryId: string) {
      take();
      return unbounded.redeliver(webhookId, deliveryId);
    },
    async recover(input: RecoverInput) {
      if (input?.dryRun !== true) take();
      return unbounded.recover(input);
    },
  });
}
