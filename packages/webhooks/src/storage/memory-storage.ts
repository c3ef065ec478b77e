import { timestampText } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import { type DeliveryIds, deliveryIdOf, deliveryIdsOf, drawDispatchId } from './delivery-ids.ts';
import type {
  AttemptReceipt,
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQuery,
  DispatchReceipt,
  DispatchRecord,
  FailedQuery,
  PurgeReceipt,
  PurgeRequest,
  ReopenedDelivery,
  ReopenRequest,
} from './delivery-requests.ts';
import { byPlace, type DeliveryRow, summaryOf } from './memory/delivery-row.ts';
import { DeliveryRows } from './memory/delivery-rows.ts';
import { IdempotencyKeys } from './memory/idempotency-keys.ts';
import { copyOf, type WebhookRow } from './memory/webhook-row.ts';
import { WebhookRows } from './memory/webhook-rows.ts';
import type { Delivery, DeliverySummary } from './records.ts';
import type { WebhookStorage } from './storage.ts';

/**
 * Keeps webhooks and deliveries in this process's memory, for tests and for trying out.
 *
 * It keeps the promises of {@link WebhookStorage} for as long as the process lives: everything, undelivered events
 * included, is lost with it, and no other process sees any of it. It grows with every delivery until the daily
 * purge removes those older than 30 days; 100,000 webhooks and 1,000,000 deliveries are workable, and take about
 * one gigabyte. Use `kyselyStorage` in production.
 */
export function memoryStorage(): WebhookStorage {
  const webhooks = new WebhookRows();
  const deliveries = new DeliveryRows();
  const keys = new IdempotencyKeys();
  // Each method does its work in one turn of the event loop: nothing can come in between.
  return {
    createWebhook: async (webhook) => webhooks.create(webhook),
    async findWebhook(id) {
      const row = webhooks.get(id);
      return row && copyOf(row.webhook);
    },
    listWebhooks: async (query) => webhooks.list(query),
    updateWebhook: async (id, change) => webhooks.update(id, change),
    async deleteWebhook(id, expectedUpdatedAt) {
      if (!webhooks.isAsExpected(id, expectedUpdatedAt)) return false;
      for (const row of [...(deliveries.history(id)?.rows.from() ?? [])]) deliveries.remove(row);
      return webhooks.delete(id);
    },
    deactivateWebhook: async (id, deactivation) => webhooks.deactivate(id, deactivation),
    rotateSecret: async (id, rotation) => webhooks.rotateSecret(id, rotation),

    countDeliveries: async (webhookId) =>
      deliveries.history(webhookId)?.tally.counts() ?? { total: 0, success: 0, failed: 0, pending: 0 },
    readActivity: async ({ webhookId, from, to }) =>
      deliveries.history(webhookId)?.tally.activity(from, to) ?? [],
    lastDeliveries: async (webhookIds) =>
      [...new Set(webhookIds)].flatMap((id) => {
        const last = deliveries.history(id)?.rows.last;
        return last === undefined ? [] : [summaryOf(last.delivery)];
      }),
    countFailuresInARow: async (webhookId, limit) =>
      countFailuresInARow(webhooks, deliveries, webhookId, limit),
    countFailed: async (query) => [...failedRows(webhooks, deliveries, query)].length,
    listDeliveries: async (query) => listDeliveries(deliveries, query),
    findDelivery: async (webhookId, deliveryId) =>
      structuredClone(deliveries.find(webhookId, deliveryId)?.delivery),

    async recordDispatches(dispatches, transaction) {
      if (transaction !== undefined) {
        throw new WebhookError(
          'invalid_options',
          'memoryStorage takes no transaction: SQLite in memory does',
        );
      }
      return dispatches.map((dispatch) => recordDispatch(webhooks, deliveries, keys, dispatch));
    },
    async reopenDelivery({ webhookId, deliveryId, now }) {
      const row = deliveries.find(webhookId, deliveryId);
      if (row === undefined) return undefined;
      if (row.delivery.status === 'pending') return 'pending';
      deliveries.reopen(row, now, false);
      return 'reopened';
    },
    reopenFailed: async (request) => reopenFailed(webhooks, deliveries, request),
    dueSummary: async (query) => deliveries.line.summary(query),
    claimDueDeliveries: async (request) => claimDueDeliveries(webhooks, deliveries, request),
    recordAttempts: async (records) => records.map((record) => recordAttempt(webhooks, deliveries, record)),
    purgeDeliveries: async (request) => purgeDeliveries(deliveries, request),
    purgeIdempotencyKeys: async ({ createdBefore, limit }) => keys.purge(createdBefore, limit),
  };
}

function countFailuresInARow(
  webhooks: WebhookRows,
  deliveries: DeliveryRows,
  webhookId: number,
  limit: number,
): number {
  const webhook = webhooks.get(webhookId);
  if (webhook === undefined) return 0;
  let failures = 0;
  for (const row of deliveries.history(webhookId)?.failedByEnd.backFrom() ?? []) {
    if (failures >= limit || (row.delivery.completedAt ?? '') <= webhook.lastSuccessAt) break;
    if (row.activation === webhook.activations) failures++;
  }
  return failures;
}

/** Oldest first; the deliveries must not change meanwhile. */
function* failedRows(
  webhooks: WebhookRows,
  deliveries: DeliveryRows,
  { webhookId, createdSince, after }: FailedQuery & Pick<ReopenRequest, 'after'>,
): Generator<DeliveryRow, undefined> {
  const failed = webhookId === undefined ? deliveries.failed : deliveries.history(webhookId)?.failed;
  const comesBefore = ({ delivery }: DeliveryRow) =>
    delivery.createdAt < createdSince || (after !== undefined && byPlace(delivery, after) <= 0);
  for (const row of failed?.from(comesBefore) ?? []) {
    if (webhooks.get(row.webhookId)?.webhook.isActive === true) yield row;
  }
}

function reopenFailed(
  webhooks: WebhookRows,
  deliveries: DeliveryRows,
  { now, limit, ...query }: ReopenRequest,
): ReopenedDelivery[] {
  const rows: DeliveryRow[] = [];
  for (const row of failedRows(webhooks, deliveries, query)) {
    if (rows.length >= limit) break;
    rows.push(row);
  }
  for (const row of rows) deliveries.reopen(row, now, true);
  return rows.map(({ delivery: { id, deliveryId, createdAt } }) => ({ id, deliveryId, createdAt }));
}

function listDeliveries(deliveries: DeliveryRows, query: DeliveryQuery): DeliverySummary[] {
  const { webhookId, status, event, beforeId = Number.POSITIVE_INFINITY, limit } = query;
  const page: DeliverySummary[] = [];
  for (const { delivery } of deliveries.history(webhookId)?.rows.backFrom(({ id }) => id < beforeId) ?? []) {
    if (page.length >= limit) break;
    if (status !== undefined && delivery.status !== status) continue;
    if (event !== undefined && delivery.event !== event) continue;
    page.push(summaryOf(delivery));
  }
  return page;
}

function recordDispatch(
  webhooks: WebhookRows,
  deliveries: DeliveryRows,
  keys: IdempotencyKeys,
  dispatch: DispatchRecord,
): DispatchReceipt {
  const { event, idempotencyKey: key, createdAt, target, id = drawDispatchId(), isRetry = false } = dispatch;
  const broughtBy = key === undefined ? undefined : keys.keep(event, key, createdAt, id);
  const isOwnKey = isRetry && broughtBy === id;
  if (broughtBy !== undefined && !isOwnKey) return { deliveryIds: [], repeated: true };
  const ids = deliveryIdsOf(id);
  const written = isRetry ? writtenBefore(webhooks, deliveries, ids) : [];
  if (isOwnKey || written.length > 0) return { deliveryIds: written, repeated: false };
  const fresh = webhooks
    .targets(target)
    .map((webhookId) => ({ webhookId, deliveryId: deliveryIdOf(ids, webhookId) }));
  if (fresh.some(({ webhookId, deliveryId }) => deliveries.find(webhookId, deliveryId) !== undefined)) {
    throw new Error('the dispatch was written before, and is no retry');
  }
  for (const { webhookId, deliveryId } of fresh) deliveries.add(webhookId, deliveryId, dispatch);
  return { deliveryIds: fresh.map(({ deliveryId }) => deliveryId), repeated: false };
}

/** The deliveries of a dispatch that an earlier try wrote: of any webhook, also one that is no target by now. */
function writtenBefore(webhooks: WebhookRows, deliveries: DeliveryRows, ids: DeliveryIds): string[] {
  return Array.from(webhooks.ids(), (webhookId) => ({ webhookId, deliveryId: deliveryIdOf(ids, webhookId) }))
    .filter(({ webhookId, deliveryId }) => deliveries.find(webhookId, deliveryId) !== undefined)
    .map(({ deliveryId }) => deliveryId);
}

function claimDueDeliveries(
  webhooks: WebhookRows,
  deliveries: DeliveryRows,
  request: ClaimRequest,
): ClaimedDelivery[] {
  return deliveries.line.take(request).flatMap((row) => {
    const recipient = webhooks.get(row.webhookId);
    // A webhook's deliveries go with it: it is always there.
    return recipient === undefined ? [] : [claim(row, recipient, deliveries, request)];
  });
}

function claim(
  row: DeliveryRow,
  recipient: WebhookRow,
  deliveries: DeliveryRows,
  { now, leaseMs, maxAttempts, claimToken }: ClaimRequest,
): ClaimedDelivery {
  const before = row.delivery.attempts;
  const isExhausted = before - row.seriesStart >= maxAttempts;
  const lostAttempt = row.claim === undefined ? null : before;
  const attempts = isExhausted ? before : before + 1;
  row.delivery = { ...row.delivery, attempts };
  row.claim = { token: claimToken, lockedUntil: now + leaseMs };
  deliveries.line.hold(row);
  const { id, deliveryId, event, payload, createdAt, attemptLog } = row.delivery;
  return {
    id,
    claimToken,
    deliveryId,
    event,
    payload,
    createdAt,
    attempt: attempts,
    seriesAttempt: attempts - row.seriesStart,
    attemptLog: structuredClone(attemptLog),
    lostAttempt,
    isExhausted,
    webhook: {
      id: recipient.id,
      url: recipient.webhook.url,
      secret: recipient.secret,
      previousSecret: recipient.previousSecret && { ...recipient.previousSecret },
      isActive: recipient.webhook.isActive,
      activation: recipient.activations,
    },
  };
}

function recordAttempt(
  webhooks: WebhookRows,
  deliveries: DeliveryRows,
  record: AttemptRecord,
): AttemptReceipt {
  const row = deliveries.get(record.id);
  if (row === undefined) return 'gone';
  if (row.recordedToken === record.claimToken) return 'recorded';
  if (row.claim?.token !== record.claimToken) return 'late';
  row.recordedToken = record.claimToken;
  const { now, retryInMs, status, statusCode, responseBody, error } = record;
  const attemptLog = structuredClone(record.attemptLog);
  const outcome: Partial<Delivery> = { statusCode, responseBody, error, attemptLog };
  if (status === 'pending') {
    deliveries.retryLater(row, now + retryInMs, outcome);
  } else {
    deliveries.end(row, now, { ...outcome, status });
    const webhook = webhooks.get(row.webhookId);
    row.activation = record.activation;
    if (webhook !== undefined && status === 'success') webhook.lastSuccessAt = timestampText(now);
  }
  return 'recorded';
}

function purgeDeliveries(deliveries: DeliveryRows, request: PurgeRequest): PurgeReceipt {
  const old: DeliveryRow[] = [];
  for (const row of deliveries.oldest()) {
    if (old.length >= request.limit || row.delivery.createdAt >= request.createdBefore) break;
    old.push(row);
  }
  for (const row of old) deliveries.remove(row);
  const expired = old.flatMap(({ delivery }) =>
    delivery.status === 'pending' ? [expiredSummary(delivery, request.now)] : [],
  );
  return { removed: old.length, expired };
}

function expiredSummary(delivery: Delivery, now: number): DeliverySummary {
  const end = {
    status: 'failed',
    error: 'expired',
    completedAt: timestampText(now),
    nextAttemptAt: null,
  } as const;
  return { ...summaryOf(delivery), ...end };
}
