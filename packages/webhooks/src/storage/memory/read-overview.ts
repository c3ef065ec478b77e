import { timestampText } from '../../clock.ts';
import type { Delivery } from '../delivery-record.ts';
import { downSinceOf, type HealthLevel, levelOf, shownRun } from '../failure-run.ts';
import type {
  ActivityBucket,
  FailureRun,
  OverviewRecord,
  StatusCounts,
  WaitingDeliveries,
  WebhookHealth,
} from '../overview-record.ts';
import { compareText, type PagedWebhook } from '../webhook-page.ts';
import type { Webhook } from '../webhook-record.ts';
import type { OverviewQuery, UnwellQuery, WebhookQuery } from '../webhook-requests.ts';
import {
  type DeliveryRow,
  deliveriesByWebhook,
  type MemoryTables,
  pausedUntil,
  summaryOf,
  type WebhookRow,
} from './memory-tables.ts';

/** Goes over the deliveries once. */
export function readOverview(tables: MemoryTables, query: OverviewQuery): OverviewRecord[] {
  const { webhookIds } = query;
  if (webhookIds === undefined) return [together(tables, query)];
  const rows = deliveriesByWebhook(tables);
  return [...tables.webhooks.values()]
    .filter(({ webhook }) => webhookIds.includes(webhook.id))
    .map((webhook) => recordOf(webhook, rows.get(webhook.webhook.id) ?? [], query));
}

function together(
  { webhooks, deliveries }: MemoryTables,
  { tenant, waiting, activity }: OverviewQuery,
): OverviewRecord {
  const isOwn = (id: number) =>
    webhooks.has(id) && (tenant === undefined || webhooks.get(id)?.webhook.tenant === tenant);
  const rows = [...deliveries.values()].filter(({ delivery }) => isOwn(delivery.webhookId));
  return {
    webhookId: 0,
    ...(activity && {
      activity: activityOf(
        rows.map(({ delivery }) => delivery),
        hourOf(activity.from),
        hourOf(activity.to),
      ),
    }),
    ...(waiting && { waiting: waitingOf(rows) }),
  };
}

function waitingOf(rows: readonly DeliveryRow[]): WaitingDeliveries {
  const pending = rows.filter(({ delivery }) => delivery.status === 'pending');
  const dueMs = pending.reduce((first, { priorityMs }) => Math.min(first, priorityMs), Infinity);
  return {
    count: pending.length,
    oldestAt: pending[0]?.delivery.createdAt ?? null,
    dueAt: pending.length === 0 ? null : timestampText(dueMs),
  };
}

function recordOf(webhook: WebhookRow, rows: readonly DeliveryRow[], query: OverviewQuery): OverviewRecord {
  const deliveries = rows.map(({ delivery }) => delivery);
  const newest = deliveries.at(-1);
  const { counts, healthSince, waiting, lastDelivery, pausedAt, activity } = query;
  const untilMs = pausedAt === undefined ? undefined : pausedUntil(webhook, pausedAt);
  return {
    webhookId: webhook.webhook.id,
    ...(counts && { counts: countsOf(deliveries) }),
    ...(healthSince !== undefined && { health: healthOf(webhook, deliveries, hourOf(healthSince)) }),
    ...(waiting && { waiting: waitingOf(rows) }),
    ...(lastDelivery && { lastDelivery: newest === undefined ? null : summaryOf(newest) }),
    ...(pausedAt !== undefined && { pausedUntil: untilMs === undefined ? null : timestampText(untilMs) }),
    ...(query.failureRun && { failureRun: failureRunOf(webhook, query.failureRun) }),
    ...(activity && { activity: activityOf(deliveries, hourOf(activity.from), hourOf(activity.to)) }),
  };
}

function countsOf(deliveries: readonly Delivery[]): StatusCounts {
  const counts = { success: 0, failed: 0, pending: 0 };
  for (const { status } of deliveries) counts[status] += 1;
  return counts;
}

function healthOf(webhook: WebhookRow, deliveries: readonly Delivery[], since: string): WebhookHealth {
  const { success, failed } = countsOf(deliveries.filter(({ createdAt }) => createdAt >= since));
  const { lastSuccessAt, lastFailureAt } = webhook;
  return { success, failed, lastSuccessAt: lastSuccessAt || null, lastFailureAt: lastFailureAt || null };
}

export function failureRunOf(
  { lastSuccessAt, activation, failureRun }: WebhookRow,
  shown: NonNullable<OverviewQuery['failureRun']> = shownRun,
): FailureRun | null {
  return failureRun ? shown(failureRun, activation, lastSuccessAt) : null;
}

/** A webhook with what a list of that query needs to know of it. */
export function pagedWebhook(
  row: WebhookRow,
  rows: readonly DeliveryRow[],
  { healthSince = '', now = 0, unwell }: WebhookQuery,
): PagedWebhook {
  const run = failureRunOf(row);
  const deliveries = rows.map(({ delivery }) => delivery);
  const health = healthOf(row, deliveries, healthSince && hourOf(healthSince));
  const level = levelOf(health, run, now);
  const downSince = downSinceOf(run, now);
  const isUnwell =
    unwell === undefined || isUnwellOf({ webhook: row.webhook, health, level, run, rows }, unwell);
  const isWaiting = deliveries.some(({ status }) => status === 'pending');
  return { webhook: row.webhook, level, downSince, isWaiting, isUnwell };
}

interface Condition {
  readonly webhook: Webhook;
  readonly health: WebhookHealth;
  readonly level: HealthLevel;
  readonly run: FailureRun | null;
  readonly rows: readonly DeliveryRow[];
}

function isUnwellOf(
  { webhook, health, level, run, rows }: Condition,
  { since, now, overdueMs, retries }: UnwellQuery,
) {
  const { isActive, inactiveReason, inactiveSince } = webhook;
  if (!isActive) return inactiveReason !== '' && (inactiveSince ?? '') > since;
  const isDown = level === 'down' && (run?.lastAt ?? '') > since;
  if (isDown || (level !== 'healthy' && run !== null && run.busySince !== '') || health.failed > 0)
    return true;
  const pending = rows.filter(({ delivery }) => delivery.status === 'pending');
  return pending.some(({ priorityMs }) => priorityMs < now - overdueMs || (retries && priorityMs > now));
}

function activityOf(deliveries: readonly Delivery[], first: string, last: string): ActivityBucket[] {
  const byHour = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const hour = hourOf(delivery.createdAt);
    if (hour >= first && hour <= last) byHour.set(hour, [...(byHour.get(hour) ?? []), delivery]);
  }
  return [...byHour]
    .map(([hour, ofHour]) => ({ hour, ...countsOf(ofHour) }))
    .sort((a, b) => compareText(a.hour, b.hour));
}

/** The start of a timestamp's hour. */
function hourOf(timestamp: string): string {
  return `${timestamp.slice(0, 'YYYY-MM-DDTHH'.length)}:00:00.000Z`;
}
