import { timestampText } from '../../clock.ts';
import { type HealthLevel, levelOf, shownRun } from '../failure-run.ts';
import type {
  ActivityBucket,
  Delivery,
  FailureRun,
  OverviewRecord,
  StatusCounts,
  WebhookHealth,
} from '../records.ts';
import { compareText } from '../webhook-page.ts';
import type { OverviewQuery } from '../webhook-requests.ts';
import {
  type DeliveryRow,
  deliveriesOf,
  type MemoryTables,
  pausedUntil,
  summaryOf,
  type WebhookRow,
} from './memory-tables.ts';

/** Goes over the deliveries of each webhook. */
export function readOverview(tables: MemoryTables, query: OverviewQuery): OverviewRecord[] {
  return [...tables.webhooks.values()]
    .filter(({ webhook }) => query.webhookIds.includes(webhook.id))
    .map((webhook) => recordOf(webhook, deliveriesOf(tables, webhook.webhook.id), query));
}

function recordOf(webhook: WebhookRow, rows: readonly DeliveryRow[], query: OverviewQuery): OverviewRecord {
  const deliveries = rows.map(({ delivery }) => delivery);
  const newest = deliveries.at(-1);
  const { counts, healthSince, lastDelivery, pausedAt, activity } = query;
  const untilMs = pausedAt === undefined ? undefined : pausedUntil(webhook, pausedAt);
  return {
    webhookId: webhook.webhook.id,
    ...(counts && { counts: countsOf(deliveries) }),
    ...(healthSince !== undefined && { health: healthOf(webhook, deliveries, hourOf(healthSince)) }),
    ...(lastDelivery && { lastDelivery: newest === undefined ? null : summaryOf(newest) }),
    ...(pausedAt !== undefined && { pausedUntil: untilMs === undefined ? null : timestampText(untilMs) }),
    ...(query.failureRun && { failureRun: failureRunOf(webhook) }),
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

function failureRunOf({ lastSuccessAt, activation, failureRun }: WebhookRow): FailureRun | null {
  return failureRun ? shownRun(failureRun, activation, lastSuccessAt) : null;
}

/** The level of a webhook by its deliveries since that hour. */
export function levelIn(tables: MemoryTables, row: WebhookRow, since = ''): HealthLevel {
  const deliveries = deliveriesOf(tables, row.webhook.id).map(({ delivery }) => delivery);
  return levelOf(healthOf(row, deliveries, since && hourOf(since)), failureRunOf(row));
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
