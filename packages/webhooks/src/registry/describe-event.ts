import { WebhookError } from '../errors.ts';
import { type EventCatalog, exampleOf, isForTenants, type KnownEvent } from '../events/catalog.ts';
import { type JsonSchema, schemasOf } from '../events/event-schemas.ts';
import { matchesPattern, patternsMatching } from '../events/pattern.ts';
import { tenantField } from '../events/tenant.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Webhook } from '../storage/webhook-record.ts';
import { readInput } from './read-input.ts';

/** Which subscribers `event` returns. */
export interface DescribeEventInput {
  /** 1–100. Default: 50. */
  readonly limit?: number | undefined;
  /** 0–1,000,000. Default: 0. */
  readonly offset?: number | undefined;
}

/** A webhook with a pattern that matches an event. */
export interface EventSubscriber {
  readonly webhookId: number;
  /** Whose webhook it is; absent for the host's own. */
  readonly tenant?: string;
  readonly url: string;
  /** '' where it has none. */
  readonly name: string;
  /** An inactive webhook does not receive the event. */
  readonly isActive: boolean;
  /** Those of its patterns that match. */
  readonly matchedPatterns: readonly string[];
}

/** A known event, and who subscribes to it. */
export interface EventDescription extends KnownEvent {
  /** The JSON Schema of the callback's body: see {@link eventSchemas}. */
  readonly schema: JsonSchema;
  /** The payload of the catalog's example; null if it has none. */
  readonly example: Readonly<Record<string, unknown>> | null;
  /** One page, by id, oldest first. */
  readonly subscribers: readonly EventSubscriber[];
  /** The number of all subscribers. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Describes the events of an installation. */
export interface DescribeEvent {
  /**
   * Describes a known event: its schema, its example, and the webhooks that subscribe to it. Reads
   * one page of webhooks, however many there are.
   *
   * @throws WebhookError `event_not_found`, `validation_failed`, `storage_unavailable`
   */
  describeEvent(event: string, input?: DescribeEventInput): Promise<EventDescription>;
}

/** @internal */
export function createDescribeEvent(deps: {
  readonly storage: Pick<WebhookStorage, 'listWebhooks'>;
  readonly knownEvents: readonly KnownEvent[];
  readonly events?: EventCatalog | undefined;
}): DescribeEvent {
  const { storage, knownEvents, events = {} } = deps;
  const byName = new Map(knownEvents.map((event) => [event.name, event]));

  return {
    async describeEvent(event, input = {}) {
      const { limit, offset } = await readInput(({ describeEventInput }) => describeEventInput, input);
      const known = byName.get(event);
      if (known === undefined) throw new WebhookError('event_not_found', 'There is no such event');
      const patterns = patternsMatching(event);
      const whose = isForTenants(events, event) ? {} : { tenant: '' };
      const page = { ...whose, patterns, limit, offset, sort: 'id', order: 'asc' } as const;
      const { webhooks, total } = await storage.listWebhooks(page);
      return {
        ...known,
        schema: schemasOf([known], events)[event] ?? {},
        example: exampleOf(events, event) ?? null,
        subscribers: webhooks.map((webhook) => subscriberOf(webhook, event)),
        total,
        limit,
        offset,
      };
    },
  };
}

function subscriberOf({ id, tenant, url, name, isActive, events }: Webhook, event: string): EventSubscriber {
  const matchedPatterns = events.filter((pattern) => matchesPattern(pattern, event));
  return { webhookId: id, ...tenantField(tenant), url, name, isActive, matchedPatterns };
}
