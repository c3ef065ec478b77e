import { z } from 'zod';
import type { KnownEvent } from '../events/catalog.ts';
import { assertEventName } from '../events/event-name.ts';
import { matchesPattern } from '../events/pattern.ts';
import type { Webhook } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { existingWebhook } from './existing-webhook.ts';
import { parseInput } from './field-errors.ts';

/** What `explain` takes beside the event. */
export interface ExplainInput {
  /** This webhook alone. Default: all of them. */
  readonly webhookId?: number | undefined;
  /** 1–100, default 50. */
  readonly limit?: number | undefined;
  /** 0–1,000,000, default 0. */
  readonly offset?: number | undefined;
}

/** Whether one webhook would receive an event, and why. */
export interface ExplainedWebhook {
  readonly webhookId: number;
  readonly url: string;
  readonly isActive: boolean;
  readonly receives: boolean;
  /** `inactive` whatever its patterns; `matchedPatterns` says what it would receive once it is active. */
  readonly reason: 'subscribed' | 'inactive' | 'no_matching_pattern';
  /** The webhook's patterns, and those of them that select the event. */
  readonly patterns: readonly string[];
  readonly matchedPatterns: readonly string[];
}

/** Who would receive an event that is dispatched now. */
export interface EventExplanation {
  readonly event: string;
  /** Whether the discovery endpoint names it; one that it does not name is delivered all the same. */
  readonly known: boolean;
  /** One page, by id, the oldest first. */
  readonly webhooks: readonly ExplainedWebhook[];
  /** How many webhooks there are in all, those that do not receive the event included. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Tells administrators why a webhook receives an event, or why not. */
export interface Explain {
  /**
   * Says of each webhook whether it would receive an event dispatched now, and why or why not. Nothing is sent. A test
   * event goes to its webhook whatever this says.
   *
   * @throws WebhookError `invalid_event`, `validation_failed`, `webhook_not_found`, `storage_unavailable`
   */
  explain(event: string, input?: ExplainInput): Promise<EventExplanation>;
}

const explainInput = z.strictObject({
  webhookId: z.number().optional(),
  limit: z.int().min(1).max(100).default(50),
  offset: z.int().min(0).max(1_000_000).default(0),
});

/** @internal */
export function createExplain(deps: {
  readonly storage: Pick<WebhookStorage, 'findWebhook' | 'listWebhooks'>;
  readonly knownEvents: readonly KnownEvent[];
}): Explain {
  const { storage } = deps;
  const names = new Set(deps.knownEvents.map(({ name }) => name));

  return {
    async explain(event, input = {}) {
      assertEventName(event);
      const { webhookId, limit, offset } = parseInput(explainInput, input);
      const { webhooks, total } =
        webhookId === undefined
          ? await storage.listWebhooks({ limit, offset, sort: 'id', order: 'asc' })
          : pageOfOne(await existingWebhook(storage, webhookId), offset);
      return {
        event,
        known: names.has(event),
        webhooks: webhooks.map((webhook) => explained(webhook, event)),
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

function explained({ id, url, isActive, events }: Webhook, event: string): ExplainedWebhook {
  const matchedPatterns = events.filter((pattern) => matchesPattern(pattern, event));
  const receives = isActive && matchedPatterns.length > 0;
  const reason = receives ? 'subscribed' : isActive ? 'no_matching_pattern' : 'inactive';
  return { webhookId: id, url, isActive, receives, reason, patterns: events, matchedPatterns };
}
