import { type EventCatalog, isForTenants, type KnownEvent } from '../events/catalog.ts';
import { assertEventName } from '../events/event-name.ts';
import { matchesPattern, searchedPatterns } from '../events/pattern.ts';
import { tenantField } from '../events/tenant.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Webhook } from '../storage/webhook-record.ts';
import { existingWebhook } from './existing-webhook.ts';
import { readInput } from './read-input.ts';

/** What `explain` takes besides the event. */
export interface ExplainInput {
  /** Only this webhook. Default: all webhooks. */
  readonly webhookId?: number | undefined;
  /**
   * Only webhooks that `list` finds by this text: at most 200 characters. Not with `webhookId`.
   * Default: all webhooks.
   */
  readonly search?: string | undefined;
  /** 1–100. Default: 50. */
  readonly limit?: number | undefined;
  /** 0–1,000,000. Default: 0. */
  readonly offset?: number | undefined;
}

/** Whether one webhook would receive an event, and why. */
export interface ExplainedWebhook {
  readonly webhookId: number;
  /** Whose webhook it is; absent for the host's own. */
  readonly tenant?: string;
  readonly url: string;
  /** '' where it has none. */
  readonly name: string;
  readonly isActive: boolean;
  readonly receives: boolean;
  /**
   * `not_for_tenants`: it is a customer's, and the event is internal. `inactive` regardless of its
   * patterns; `matchedPatterns` shows what it would receive once it is active.
   */
  readonly reason: 'subscribed' | 'inactive' | 'no_matching_pattern' | 'not_for_tenants';
  /** The webhook's patterns, and those of them that match the event. */
  readonly patterns: readonly string[];
  readonly matchedPatterns: readonly string[];
}

/** Which webhooks would receive an event that is dispatched now. */
export interface EventExplanation {
  readonly event: string;
  /**
   * Whether the discovery endpoint lists the event. An unlisted event is delivered nevertheless.
   */
  readonly known: boolean;
  /** One page, by id, oldest first. */
  readonly webhooks: readonly ExplainedWebhook[];
  /** The number of all webhooks on these pages, including those that do not receive the event. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Tells administrators why a webhook receives an event, or why not. */
export interface Explain {
  /**
   * Tells for each webhook whether it would receive an event dispatched now, and why or why not.
   * Sends nothing. A test event goes to its webhook regardless of the result.
   *
   * @throws WebhookError `invalid_event`, `validation_failed`, `webhook_not_found`,
   *   `storage_unavailable`
   */
  explain(event: string, input?: ExplainInput): Promise<EventExplanation>;
}

/** @internal */
export function createExplain(deps: {
  readonly storage: Pick<WebhookStorage, 'findWebhook' | 'listWebhooks'>;
  readonly knownEvents: readonly KnownEvent[];
  readonly events?: EventCatalog | undefined;
}): Explain {
  const { storage, events = {} } = deps;
  const names = new Set(deps.knownEvents.map(({ name }) => name));

  return {
    async explain(event, input = {}) {
      assertEventName(event);
      const { webhookId, search, limit, offset } = await readInput(({ explainInput }) => explainInput, input);
      const searching = search && { search, ...searchedPatterns(search) };
      const { webhooks, total } =
        webhookId === undefined
          ? await storage.listWebhooks({ limit, offset, sort: 'id', order: 'asc', ...searching })
          : pageOfOne(await existingWebhook(storage, webhookId), offset);
      return {
        event,
        known: names.has(event),
        webhooks: webhooks.map((webhook) => explained(webhook, event, isForTenants(events, event))),
        total,
        limit,
        offset,
      };
    },
  };
}

function pageOfOne(webhook: Webhook, offset: number) {
  return { webhooks: offset === 0 ? [webhook] : [], total: 1 };
}

function explained(webhook: Webhook, event: string, isForThem: boolean): ExplainedWebhook {
  const { id, tenant, url, name, isActive, events } = webhook;
  const mayReceive = tenant === '' || isForThem;
  const matchedPatterns = mayReceive ? events.filter((pattern) => matchesPattern(pattern, event)) : [];
  const receives = isActive && matchedPatterns.length > 0;
  const whyNot = !mayReceive ? 'not_for_tenants' : isActive ? 'no_matching_pattern' : 'inactive';
  const reason = receives ? 'subscribed' : whyNot;
  const named = { webhookId: id, ...tenantField(tenant), url, name, isActive };
  return { ...named, receives, reason, patterns: events, matchedPatterns };
}
