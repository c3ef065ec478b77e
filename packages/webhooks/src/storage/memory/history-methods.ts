import { timestampText } from '../../clock.ts';
import { isTestDelivery } from '../../test-deliveries.ts';
import { claimedSince, hourOf } from '../claimed-hours.ts';
import type { Delivery } from '../delivery-record.ts';
import type { DeliveryPlace, FailedQuery, ReopenReceipt } from '../delivery-requests.ts';
import type { DeliverySearch, DeliverySearchPage } from '../delivery-search.ts';
import type { PurgeReceipt, PurgeRequest } from '../purge-requests.ts';
import type { WebhookStorage } from '../storage.ts';
import { compareText } from '../webhook-page.ts';
import {
  closingKeyOf,
  type DeliveryRow,
  deliveriesOf,
  type MemoryTables,
  schedule,
  summaryOf,
} from './memory-tables.ts';
import { failureRunOf } from './read-overview.ts';

/** The method that finds deliveries, and the one that keeps the backlogs of tenants. */
export function historyMethods(tables: MemoryTables) {
  return {
    findDeliveries: async (search) => findDeliveries(tables, search),
    async stepBacklogs(step) {
      tables.backlogs = step(tables.backlogs) ?? tables.backlogs;
      return tables.backlogs;
    },
  } satisfies Partial<WebhookStorage>;
}

/** The methods that begin new series of attempts, and those that remove old records. */
export function retentionMethods(tables: MemoryTables) {
  const { deliveries, idempotencyKeys } = tables;

  /** Oldest first. */
  function failedRows({ webhookId, createdSince, createdBefore, events, ended }: FailedQuery) {
    return [...deliveries.values()]
      .filter(({ delivery }) => createdBefore === undefined || delivery.createdAt < createdBefore)
      .filter(({ delivery }) => ended === undefined || isWithin(delivery, ended))
      .filter(({ delivery }) => events === undefined || events.includes(delivery.event))
      .filter(({ delivery }) => delivery.status === 'failed' && delivery.createdAt >= createdSince)
      .filter(({ delivery }) => !isTestDelivery(delivery.deliveryId))
      .filter(({ recipient: { webhook } }) => webhook.isActive && webhook.id === (webhookId ?? webhook.id))
      .sort((a, b) => orderOf({ webhookId })(a.delivery, b.delivery));
  }

  function reopen(rows: readonly DeliveryRow[], now: number, isRetry: boolean): ReopenReceipt {
    for (const row of rows) {
      row.seriesStart = row.delivery.attempts;
      row.reopenedAt = now;
      row.recipient.revision += 1;
      schedule(row, now, { isRetry });
    }
    const reopened = rows.map(({ delivery: { id, deliveryId, createdAt } }) => ({
      id,
      deliveryId,
      createdAt,
    }));
    return { outcome: rows.length > 0 ? 'reopened' : 'none', deliveries: reopened, count: rows.length };
  }

  return {
    async reopenDeliveries({ target, now, limit, after, dryRun }) {
      if ('deliveryId' in target) {
        const rows = deliveriesOf(tables, target.webhookId).filter(
          ({ delivery }) => delivery.deliveryId === target.deliveryId,
        );
        const isPending = rows.some(({ delivery }) => delivery.status === 'pending');
        return isPending ? { outcome: 'pending', deliveries: [], count: 0 } : reopen(rows, now, false);
      }
      const failed = failedRows(target);
      if (dryRun) return { outcome: 'none', deliveries: [], count: failed.length };
      const isLeft = ({ delivery }: DeliveryRow) => !after || orderOf(target)(delivery, after) > 0;
      return reopen(failed.filter(isLeft).slice(0, limit), now, true);
    },
    async purgeDeliveries(request) {
      if ('busyForMs' in request) return endBusy(tables, request);
      if ('dueForHours' in request) return expire(tables, request);
      const { createdBefore, now, limit } = request;
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
    async purgeIdempotencyKeys({ limit, ...which }) {
      const closing = 'tenant' in which ? closingKeyOf(which.tenant) : undefined;
      const forgotten = [...idempotencyKeys]
        .filter(([key, { createdAt }]) => {
          if (!('tenant' in which)) return createdAt < which.createdBefore;
          return key !== closing && JSON.parse(key)[0] === which.tenant;
        })
        .slice(0, limit);
      for (const [key] of forgotten) idempotencyKeys.delete(key);
      if (closing !== undefined && 'tenant' in which) {
        idempotencyKeys.set(closing, { dispatchId: '', createdAt: timestampText(which.now) });
      }
      return forgotten.length;
    },
  } satisfies Partial<WebhookStorage>;
}

/** Ends what waits for recipients that are busy for too long. */
function endBusy(
  { deliveries }: MemoryTables,
  { busyForMs, askedWithinMs, now, limit, runAfter }: Extract<PurgeRequest, { busyForMs: number }>,
): PurgeReceipt {
  const isOld = (at: number) => now - at >= busyForMs;
  const ended = [...deliveries.values()]
    .filter(({ delivery, lease }) => delivery.status === 'pending' && (lease?.endsAt ?? 0) <= now)
    .filter(({ recipient, delivery: { createdAt }, reopenedAt }) => {
      const { busySince = '', busyAgainAt = '' } = failureRunOf(recipient) ?? {};
      const isLong = isOld(Date.parse(busySince)) && isOld(reopenedAt ?? Date.parse(createdAt));
      const isSilent = now - Date.parse(busyAgainAt || busySince) >= askedWithinMs;
      return recipient.webhook.isActive && isLong && !isSilent;
    })
    .filter(({ delivery: { deliveryId, error, attempts }, seriesStart }) => {
      return !isTestDelivery(deliveryId) && (error === 'deferred' || attempts <= seriesStart);
    })
    .slice(0, limit);
  const completedAt = timestampText(now);
  for (const row of ended) {
    const { recipient } = row;
    row.delivery = { ...row.delivery, status: 'failed', error: 'busy', completedAt, nextAttemptAt: null };
    row.lease = undefined;
    recipient.revision += 1;
    recipient.lastFailureAt = completedAt;
    const end = { activation: recipient.activation, at: completedAt, happened: { failedWith: 'busy' } };
    const events = row.reopenedAt === undefined ? [end] : [];
    recipient.failureRun = runAfter(recipient.failureRun, events, recipient.lastSuccessAt);
  }
  return { removed: 0, expired: ended.map(({ delivery }) => summaryOf(delivery)) };
}

/** Ends what has been due for too long, the oldest first. */
function expire(
  { deliveries, claimedHours }: MemoryTables,
  { dueForHours, now, limit }: Extract<PurgeRequest, { dueForHours: number }>,
): PurgeReceipt {
  const since = claimedSince(claimedHours, dueForHours, hourOf(now));
  if (since === undefined) return { removed: 0, expired: [] };
  const ended = [...deliveries.values()]
    .filter(({ delivery, lease }) => delivery.status === 'pending' && (lease?.endsAt ?? 0) <= now)
    .filter(({ priorityMs }) => priorityMs < Date.parse(`${since}:00:00Z`))
    .filter(({ recipient, delivery: { attempts, error }, seriesStart }) => {
      const { failed = 0, busySince = '' } = failureRunOf(recipient) ?? {};
      const isHeldBack = recipient.webhook.maxPerMinute !== null || failed > 0 || busySince !== '';
      return isHeldBack || attempts > seriesStart || error === 'deferred';
    })
    .sort((a, b) => a.priorityMs - b.priorityMs || a.delivery.id - b.delivery.id)
    .slice(0, limit);
  const end = { status: 'failed', error: 'expired', completedAt: timestampText(now) } as const;
  for (const row of ended) {
    row.delivery = { ...row.delivery, ...end, nextAttemptAt: null };
    row.lease = undefined;
    row.recipient.revision += 1;
  }
  return { removed: 0, expired: ended.map(({ delivery }) => summaryOf(delivery)) };
}

function isWithin({ completedAt, error }: Delivery, ended: NonNullable<FailedQuery['ended']>): boolean {
  const at = completedAt ?? '';
  return at >= ended.from && at <= ended.to && !ended.exceptErrors.includes(error);
}

function findDeliveries(tables: MemoryTables, search: DeliverySearch): DeliverySearchPage {
  const found = [...tables.deliveries.values()]
    .filter(({ recipient }) => (search.tenant ?? recipient.webhook.tenant) === recipient.webhook.tenant)
    .filter(({ delivery }) => isFound(delivery, search))
    .sort((a, b) => orderOf(search)(b.delivery, a.delivery));
  const deliveries = found.slice(0, search.limit).map(({ delivery, recipient }) => {
    const { payload, attemptLog } = delivery;
    const content = search.withContent && structuredClone({ payload, attemptLog });
    const { url: webhookUrl, name: webhookName } = recipient.webhook;
    return { ...summaryOf(delivery), webhookUrl, webhookName, ...(content && { content }) };
  });
  const last = deliveries.at(-1);
  const next = found.length > deliveries.length && last ? { createdAt: last.createdAt, id: last.id } : null;
  return { deliveries, next, isCut: false };
}

function isFound(delivery: Delivery, search: DeliverySearch): boolean {
  const {
    webhookId,
    deliveryId,
    status,
    event,
    error,
    hasError,
    statusCode,
    createdFrom,
    createdBefore,
    before,
  } = search;
  return (
    (webhookId ?? delivery.webhookId) === delivery.webhookId &&
    (deliveryId ?? delivery.deliveryId) === delivery.deliveryId &&
    (status ?? delivery.status) === delivery.status &&
    (event === undefined || isOfEvent(delivery, event)) &&
    (error ?? delivery.error) === delivery.error &&
    (!hasError || delivery.error !== '') &&
    (statusCode ?? delivery.statusCode) === delivery.statusCode &&
    (createdFrom ?? '') <= delivery.createdAt &&
    (createdBefore === undefined || delivery.createdAt < createdBefore) &&
    (before === undefined || orderOf(search)(delivery, before) < 0)
  );
}

function isOfEvent({ event }: Delivery, wanted: string): boolean {
  return wanted.endsWith('.*') ? event.startsWith(wanted.slice(0, -1)) : event === wanted;
}

/** The order of a webhook's history, or across webhooks. */
function orderOf({ webhookId }: { readonly webhookId?: number | undefined }) {
  return webhookId === undefined ? byPlace : (a: DeliveryPlace, b: DeliveryPlace) => a.id - b.id;
}

function byPlace(a: DeliveryPlace, b: DeliveryPlace): number {
  return compareText(a.createdAt, b.createdAt) || a.id - b.id;
}
