import { timestampText } from '../../clock.ts';
import { isTestDelivery } from '../../test-deliveries.ts';
import type { DeliveryPlace, FailedQuery, ReopenRequest } from '../delivery-requests.ts';
import type { DeliverySearch, DeliverySearchPage } from '../delivery-search.ts';
import type { Delivery, DeliveryStatus, DeliverySummary } from '../records.ts';
import type { WebhookStorage } from '../storage.ts';
import { compareText } from '../webhook-page.ts';
import { type DeliveryRow, deliveriesOf, type MemoryTables, schedule } from './memory-tables.ts';

/** The methods that count, list and find deliveries. */
export function historyMethods(tables: MemoryTables) {
  return {
    async countDeliveries(webhookId) {
      const counts = { total: 0, success: 0, failed: 0, pending: 0 };
      for (const { delivery } of deliveriesOf(tables, webhookId)) {
        counts.total += 1;
        counts[delivery.status] += 1;
      }
      return counts;
    },
    async readActivity({ webhookId, from, to }) {
      const hours = new Map<string, Record<DeliveryStatus, number>>();
      for (const { delivery } of deliveriesOf(tables, webhookId)) {
        const hour = hourOf(delivery.createdAt);
        const counts = hours.get(hour) ?? { success: 0, failed: 0, pending: 0 };
        counts[delivery.status] += 1;
        hours.set(hour, counts);
      }
      return [...hours]
        .map(([hour, counts]) => ({ hour, ...counts }))
        .filter(({ hour }) => hour >= hourOf(from) && hour <= hourOf(to))
        .sort((a, b) => compareText(a.hour, b.hour));
    },
    async lastDeliveries(webhookIds) {
      const all = Array.from(tables.deliveries.values(), ({ delivery }) => delivery);
      const last = new Map(all.map((delivery) => [delivery.webhookId, delivery]));
      return [...last.values()].filter(({ webhookId }) => webhookIds.includes(webhookId)).map(summaryOf);
    },
    async readHealth({ webhookIds, from }) {
      const rows = [...tables.webhooks.values()].filter(({ webhook }) => webhookIds.includes(webhook.id));
      return rows.map(({ webhook, lastSuccessAt, lastFailureAt }) => {
        const recent = deliveriesOf(tables, webhook.id)
          .map(({ delivery }) => delivery)
          .filter(({ createdAt }) => createdAt >= hourOf(from));
        return {
          webhookId: webhook.id,
          success: recent.filter(({ status }) => status === 'success').length,
          failed: recent.filter(({ status }) => status === 'failed').length,
          lastSuccessAt: lastSuccessAt || null,
          lastFailureAt: lastFailureAt || null,
        };
      });
    },
    async countFailuresInARow(webhookId, limit) {
      const failures = deliveriesOf(tables, webhookId)
        .filter(({ delivery }) => delivery.status === 'failed')
        .filter(({ delivery, recipient }) => (delivery.completedAt ?? '') > recipient.lastSuccessAt)
        .filter(({ recipient, activation }) => activation === recipient.activation);
      return Math.min(failures.length, limit);
    },
    async listDeliveries({ webhookId, status, event, beforeId = Number.POSITIVE_INFINITY, limit }) {
      return deliveriesOf(tables, webhookId)
        .map(({ delivery }) => delivery)
        .filter((delivery) => delivery.id < beforeId)
        .filter((delivery) => delivery.status === (status ?? delivery.status))
        .filter((delivery) => delivery.event === (event ?? delivery.event))
        .slice(-limit)
        .reverse()
        .map(summaryOf);
    },
    searchDeliveries: async (search) => searchDeliveries(tables, search),
    findDelivery: async (webhookId, deliveryId) =>
      structuredClone(findRow(tables, webhookId, deliveryId)?.delivery),
  } satisfies Partial<WebhookStorage>;
}

/** The methods that begin new series of attempts, and those that remove old records. */
export function retentionMethods(tables: MemoryTables) {
  const { deliveries, idempotencyKeys } = tables;

  /** Oldest first. */
  function failedRows({ after, ...query }: FailedQuery & Pick<ReopenRequest, 'after'>) {
    const { webhookId, createdSince, createdBefore, events } = query;
    return [...deliveries.values()]
      .filter(({ delivery }) => createdBefore === undefined || delivery.createdAt < createdBefore)
      .filter(({ delivery }) => events === undefined || events.includes(delivery.event))
      .filter(({ delivery }) => delivery.status === 'failed' && delivery.createdAt >= createdSince)
      .filter(({ delivery }) => !isTestDelivery(delivery.deliveryId))
      .filter(({ delivery }) => after === undefined || byPlace(delivery, after) > 0)
      .filter(({ recipient: { webhook } }) => webhook.isActive && webhook.id === (webhookId ?? webhook.id))
      .sort((a, b) => byPlace(a.delivery, b.delivery));
  }

  return {
    async reopenDelivery({ webhookId, deliveryId, now }) {
      const row = findRow(tables, webhookId, deliveryId);
      if (row === undefined) return undefined;
      if (row.delivery.status === 'pending') return 'pending';
      row.seriesStart = row.delivery.attempts;
      row.recipient.revision += 1;
      schedule(row, now, { isRetry: false });
      return 'reopened';
    },
    countFailed: async (query) => failedRows(query).length,
    async reopenFailed({ now, limit, ...query }) {
      const rows = failedRows(query).slice(0, limit);
      for (const row of rows) {
        row.seriesStart = row.delivery.attempts;
        row.recipient.revision += 1;
        schedule(row, now, { isRetry: true });
      }
      return rows.map(({ delivery: { id, deliveryId, createdAt } }) => ({ id, deliveryId, createdAt }));
    },
    async purgeDeliveries({ createdBefore, now, limit }) {
      const removed = Array.from(deliveries.values(), ({ delivery }) => delivery)
        .filter(({ createdAt }) => createdAt < createdBefore)
        .sort(byPlace)
        .slice(0, limit);
      for (const { id, webhookId } of removed) {
        deliveries.delete(id);
        const recipient = tables.webhooks.get(webhookId);
        if (recipient !== undefined) recipient.revision += 1;
      }
      const completedAt = timestampText(now);
      const end = { status: 'failed', error: 'expired', completedAt, nextAttemptAt: null } as const;
      const expired = removed.filter(({ status }) => status === 'pending').map(summaryOf);
      return { removed: removed.length, expired: expired.map((summary) => ({ ...summary, ...end })) };
    },
    async purgeIdempotencyKeys({ createdBefore, limit }) {
      const old = [...idempotencyKeys].filter(([, { createdAt }]) => createdAt < createdBefore);
      const forgotten = old.slice(0, limit);
      for (const [key] of forgotten) idempotencyKeys.delete(key);
      return forgotten.length;
    },
  } satisfies Partial<WebhookStorage>;
}

function findRow(tables: MemoryTables, webhookId: number, deliveryId: string): DeliveryRow | undefined {
  return deliveriesOf(tables, webhookId).find(({ delivery }) => delivery.deliveryId === deliveryId);
}

function searchDeliveries(tables: MemoryTables, search: DeliverySearch): DeliverySearchPage {
  const found = [...tables.deliveries.values()]
    .filter(({ delivery }) => isFound(delivery, search))
    .sort((a, b) => byPlace(b.delivery, a.delivery));
  const deliveries = found
    .slice(0, search.limit)
    .map(({ delivery, recipient }) => ({ ...summaryOf(delivery), webhookUrl: recipient.webhook.url }));
  const last = deliveries.at(-1);
  const next = found.length > deliveries.length && last ? { createdAt: last.createdAt, id: last.id } : null;
  return { deliveries, next, isCut: false };
}

function isFound(delivery: Delivery, search: DeliverySearch): boolean {
  const { deliveryId, status, event, error, statusCode, createdFrom, createdBefore, before } = search;
  return (
    (deliveryId ?? delivery.deliveryId) === delivery.deliveryId &&
    (status ?? delivery.status) === delivery.status &&
    (event ?? delivery.event) === delivery.event &&
    (error ?? delivery.error) === delivery.error &&
    (statusCode ?? delivery.statusCode) === delivery.statusCode &&
    (createdFrom ?? '') <= delivery.createdAt &&
    (createdBefore === undefined || delivery.createdAt < createdBefore) &&
    (before === undefined || byPlace(delivery, before) < 0)
  );
}

function summaryOf({ payload, attemptLog, ...summary }: Delivery): DeliverySummary {
  return summary;
}

/** The start of a timestamp's hour. */
function hourOf(timestamp: string): string {
  return `${timestamp.slice(0, 'YYYY-MM-DDTHH'.length)}:00:00.000Z`;
}

function byPlace(a: DeliveryPlace, b: DeliveryPlace): number {
  return compareText(a.createdAt, b.createdAt) || a.id - b.id;
}
