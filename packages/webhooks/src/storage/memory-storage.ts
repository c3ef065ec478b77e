import { randomBytes } from 'node:crypto';
import { timestampText } from '../clock.ts';
import type { Delivery, DeliveryCounts, DeliverySummary, Webhook } from './records.ts';
import type {
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQuery,
  DispatchReceipt,
  DispatchRecord,
  NewWebhook,
  PurgeReceipt,
  PurgeRequest,
  WebhookChange,
  WebhookQuery,
  WebhookStorage,
} from './storage.ts';
import { compareText, pageOf } from './webhook-page.ts';

/**
 * Keeps webhooks and deliveries in this process's memory, for tests and for trying out.
 *
 * It keeps the promises of {@link WebhookStorage} for as long as the process lives: everything, undelivered events
 * included, is lost with it, and no other process sees any of it. It grows with every delivery until the daily
 * purge removes those older than 30 days, and a claim looks at every pending one. Use `kyselyStorage` in production.
 */
export function memoryStorage(): WebhookStorage {
  const state = new MemoryState();
  // Each method does its work in one turn of the event loop: nothing can come in between.
  return {
    createWebhook: async (webhook) => state.createWebhook(webhook),
    findWebhook: async (id) => state.findWebhook(id),
    listWebhooks: async (query) => state.listWebhooks(query),
    updateWebhook: async (id, change) => state.updateWebhook(id, change),
    deleteWebhook: async (id) => state.deleteWebhook(id),
    countDeliveries: async (webhookId) => state.countDeliveries(webhookId),
    listDeliveries: async (query) => state.listDeliveries(query),
    findDelivery: async (webhookId, deliveryId) => state.findDelivery(webhookId, deliveryId),
    async recordDispatches(dispatches, transaction) {
      if (transaction !== undefined) throw new TypeError('memoryStorage takes no transaction');
      return dispatches.map((dispatch) => state.recordDispatch(dispatch));
    },
    claimDueDeliveries: async (request) => state.claimDueDeliveries(request),
    recordAttempts: async (records) => records.map((record) => state.recordAttempt(record)),
    purgeDeliveries: async (request) => state.purgeDeliveries(request),
    purgeIdempotencyKeys: async (request) => state.purgeIdempotencyKeys(request.createdBefore, request.limit),
  };
}

/** A delivery's row: its record, replaced as a whole at every change, and who holds it. */
interface StoredDelivery {
  delivery: Delivery;
  claim: { readonly token: string; readonly lockedUntil: number } | undefined;
  readonly seriesStart: number;
}

class MemoryState {
  readonly #webhooks = new Map<number, { readonly webhook: Webhook; readonly secret: string }>();
  /** In ascending order of id, as they were added. */
  readonly #deliveries = new Map<number, StoredDelivery>();
  readonly #pendingIds = new Set<number>();
  /** When each idempotency key was first seen, by {@link keyOf}. */
  readonly #keys = new Map<string, string>();
  #lastWebhookId = 0;
  #lastDeliveryId = 0;

  createWebhook({ secret, ...fields }: NewWebhook): Webhook {
    const id = ++this.#lastWebhookId;
    const webhook = { id, ...fields, events: [...fields.events], updatedAt: fields.createdAt };
    this.#webhooks.set(id, { webhook, secret });
    return structuredClone(webhook);
  }

  findWebhook(id: number): Webhook | undefined {
    return structuredClone(this.#webhooks.get(id)?.webhook);
  }

  listWebhooks(query: WebhookQuery): { webhooks: Webhook[]; total: number } {
    const { webhooks, total } = pageOf(
      [...this.#webhooks.values()].map(({ webhook }) => webhook),
      query,
    );
    return { webhooks: structuredClone(webhooks), total };
  }

  updateWebhook(id: number, change: WebhookChange): Webhook | undefined {
    const stored = this.#webhooks.get(id);
    if (stored === undefined) return undefined;
    const { webhook, secret } = stored;
    const updated: Webhook = {
      ...webhook,
      url: change.url ?? webhook.url,
      description: change.description ?? webhook.description,
      events: [...(change.events ?? webhook.events)],
      isActive: change.isActive ?? webhook.isActive,
      updatedAt: change.updatedAt,
    };
    this.#webhooks.set(id, { webhook: updated, secret });
    return structuredClone(updated);
  }

  deleteWebhook(id: number): boolean {
    for (const [deliveryId, { delivery }] of this.#deliveries) {
      if (delivery.webhookId === id) this.#removeDelivery(deliveryId);
    }
    return this.#webhooks.delete(id);
  }

  countDeliveries(webhookId: number): DeliveryCounts {
    const counts = { total: 0, success: 0, failed: 0, pending: 0 };
    for (const { delivery } of this.#deliveries.values()) {
      if (delivery.webhookId !== webhookId) continue;
      counts[delivery.status]++;
      counts.total++;
    }
    return counts;
  }

  listDeliveries(query: DeliveryQuery): DeliverySummary[] {
    return [...this.#deliveries.values()]
      .map(({ delivery }) => delivery)
      .filter(
        (delivery) =>
          delivery.webhookId === query.webhookId &&
          (query.status === undefined || delivery.status === query.status) &&
          (query.event === undefined || delivery.event === query.event) &&
          (query.beforeId === undefined || delivery.id < query.beforeId),
      )
      .reverse()
      .slice(0, query.limit)
      .map(summaryOf);
  }

  findDelivery(webhookId: number, deliveryId: string): Delivery | undefined {
    for (const { delivery } of this.#deliveries.values()) {
      if (delivery.deliveryId === deliveryId && delivery.webhookId === webhookId) {
        return structuredClone(delivery);
      }
    }
    return undefined;
  }

  recordDispatch(dispatch: DispatchRecord): DispatchReceipt {
    if (dispatch.idempotencyKey !== undefined) {
      const key = keyOf(dispatch.event, dispatch.idempotencyKey);
      if (this.#keys.has(key)) return { deliveryIds: [], repeated: true };
      this.#keys.set(key, dispatch.createdAt);
    }
    const deliveryIds = [...this.#webhooks.values()]
      .filter(({ webhook }) => isTarget(webhook, dispatch.target))
      .map(({ webhook }) => this.#addDelivery(webhook.id, dispatch));
    return { deliveryIds, repeated: false };
  }

  claimDueDeliveries(request: ClaimRequest): ClaimedDelivery[] {
    const now = timestampText(request.now);
    const due: StoredDelivery[] = [];
    for (const id of this.#pendingIds) {
      const stored = this.#deliveries.get(id);
      if (stored === undefined || dueAt(stored) > now) continue;
      if (stored.claim === undefined || stored.claim.lockedUntil <= request.now) due.push(stored);
    }
    due.sort((a, b) => compareText(dueAt(a), dueAt(b)) || a.delivery.id - b.delivery.id);
    return due.slice(0, request.limit).flatMap((stored) => this.#claim(stored, request));
  }

  recordAttempt(record: AttemptRecord): boolean {
    const stored = this.#deliveries.get(record.id);
    if (stored?.claim?.token !== record.claimToken || stored.delivery.status !== 'pending') return false;
    const { id, claimToken, now, retryInMs, ...outcome } = record;
    const isPending = outcome.status === 'pending';
    stored.delivery = {
      ...stored.delivery,
      ...structuredClone(outcome),
      completedAt: isPending ? null : timestampText(now),
      nextAttemptAt: isPending ? timestampText(now + retryInMs) : null,
    };
    stored.claim = undefined;
    if (!isPending) this.#pendingIds.delete(id);
    return true;
  }

  purgeDeliveries(request: PurgeRequest): PurgeReceipt {
    const old = [...this.#deliveries.values()]
      .map(({ delivery }) => delivery)
      .filter(({ createdAt }) => createdAt < request.createdBefore)
      .sort((a, b) => compareText(a.createdAt, b.createdAt) || a.id - b.id)
      .slice(0, request.limit);
    for (const { id } of old) this.#removeDelivery(id);
    const expired = old
      .filter(({ status }) => status === 'pending')
      .map((delivery) => ({
        ...summaryOf(delivery),
        status: 'failed' as const,
        error: 'expired',
        completedAt: timestampText(request.now),
        nextAttemptAt: null,
      }));
    return { removed: old.length, expired };
  }

  purgeIdempotencyKeys(createdBefore: string, limit: number): number {
    const old = [...this.#keys].filter(([, createdAt]) => createdAt < createdBefore).slice(0, limit);
    for (const [key] of old) this.#keys.delete(key);
    return old.length;
  }

  #addDelivery(webhookId: number, { event, payload, createdAt }: DispatchRecord): string {
    const id = ++this.#lastDeliveryId;
    const deliveryId = randomBytes(16).toString('hex');
    const delivery: Delivery = {
      id,
      webhookId,
      deliveryId,
      event,
      payload,
      status: 'pending',
      statusCode: 0,
      responseBody: '',
      error: '',
      attempts: 0,
      attemptLog: [],
      createdAt,
      completedAt: null,
      nextAttemptAt: createdAt,
    };
    this.#deliveries.set(id, { delivery, claim: undefined, seriesStart: 0 });
    this.#pendingIds.add(id);
    return deliveryId;
  }

  #claim(stored: StoredDelivery, request: ClaimRequest): ClaimedDelivery[] {
    const recipient = this.#webhooks.get(stored.delivery.webhookId);
    if (recipient === undefined) return [];
    const before = stored.delivery.attempts;
    const isExhausted = before - stored.seriesStart >= request.maxAttempts;
    const lostAttempt = stored.claim === undefined ? null : before;
    const attempts = isExhausted ? before : before + 1;
    stored.delivery = { ...stored.delivery, attempts };
    stored.claim = { token: request.claimToken, lockedUntil: request.now + request.leaseMs };
    const { id, deliveryId, event, payload, createdAt, attemptLog } = stored.delivery;
    return [
      {
        id,
        claimToken: request.claimToken,
        deliveryId,
        event,
        payload,
        createdAt,
        attempt: attempts,
        seriesAttempt: attempts - stored.seriesStart,
        attemptLog: structuredClone(attemptLog),
        lostAttempt,
        isExhausted,
        webhook: {
          id: recipient.webhook.id,
          url: recipient.webhook.url,
          secret: recipient.secret,
          isActive: recipient.webhook.isActive,
        },
      },
    ];
  }

  #removeDelivery(id: number): void {
    this.#deliveries.delete(id);
    this.#pendingIds.delete(id);
  }
}

function isTarget(webhook: Webhook, target: DispatchRecord['target']): boolean {
  if (!webhook.isActive) return false;
  if ('webhookId' in target) return webhook.id === target.webhookId;
  return target.patterns.some((pattern) => webhook.events.includes(pattern));
}

function dueAt({ delivery }: StoredDelivery): string {
  return delivery.nextAttemptAt ?? '';
}

function summaryOf({ payload, attemptLog, ...summary }: Delivery): DeliverySummary {
  return summary;
}

/** Unambiguous whatever characters the two hold. */
function keyOf(event: string, key: string): string {
  return JSON.stringify([event, key]);
}
