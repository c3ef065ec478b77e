import type { TestReceipt } from '../dispatch/test-event.ts';
import type { KnownEvent } from '../events/catalog.ts';
import { tenantField } from '../events/tenant.ts';
import type { Activity, ActivityPoint, WebhookActivity } from '../registry/activity.ts';
import type { EventDescription } from '../registry/describe-event.ts';
import type { EventExplanation } from '../registry/explain.ts';
import type { RecoverInput, RecoverResult, RedeliveryReceipt } from '../registry/redelivery.ts';
import type { TenantPage } from '../registry/tenants.ts';
import type {
  Changes,
  CreatedWebhook,
  CreateWebhookInput,
  DeliveryDetail,
  DeliveryPage,
  ListedWebhook,
  ReportedHealth,
  RotatedWebhook,
  SearchDeliveriesInput,
  UpdateWebhookInput,
  WebhookDetail,
  WebhookPage,
} from '../registry/webhook-input.ts';
import { type AttemptLogEntry, DELIVERY_FIELDS, type DeliverySummary } from '../storage/delivery-record.ts';
import { byColumn, fromColumns } from '../storage/field.ts';
import {
  WEBHOOK_FIELDS,
  WEBHOOK_SETTINGS,
  type Webhook,
  type WebhookSettings,
} from '../storage/webhook-record.ts';
import { isTestDelivery } from '../test-deliveries.ts';
import type { NameOf } from './actor-names.ts';
import { JsonText } from './admin-response.ts';
import { MAX_DURATION_MS } from './max-duration.ts';
import { answerTimesJson } from './overview-json.ts';
import type { CreateBody, RecoverBody, UpdateBody } from './schemas/bodies.ts';
import type { SearchQuery } from './schemas/queries.ts';

/**
 * Converts between the domain's camelCase and the wire's snake_case. A new member of a record, such
 * as a secret, stays hidden until it is described as a field or listed here.
 */

export function webhookJson(webhook: Webhook, nameOf: NameOf) {
  const { id, tenant, ...fields } = byColumn(WEBHOOK_FIELDS, webhook);
  return { id, ...tenantField(tenant), ...fields, created_by_name: nameOf(webhook) };
}

/** The only shape with a secret: the new one of a creation or rotation. */
export function webhookWithSecretJson(webhook: CreatedWebhook | RotatedWebhook, nameOf: NameOf) {
  return { ...webhookJson(webhook, nameOf), secret: webhook.secret };
}

export function webhookDetailJson(webhook: WebhookDetail, nameOf: NameOf) {
  const { total, success, failed, pending } = webhook.stats;
  const { health, disablesAt, concurrency, busyUntil } = webhook;
  return {
    ...webhookJson(webhook, nameOf),
    stats: { total, success, failed, pending },
    health: healthJson(health),
    disables_at: disablesAt,
    concurrency: concurrency && {
      limit: concurrency.limit,
      max: concurrency.max,
      is_slow: concurrency.isSlow,
    },
    busy_until: busyUntil,
  };
}

function healthJson(health: ReportedHealth) {
  return {
    success: health.success,
    failed: health.failed,
    success_rate: health.successRate,
    level: health.level,
    down_since: health.downSince,
    busy_since: health.busySince,
    is_recovering: health.isRecovering,
    last_success_at: health.lastSuccessAt,
    last_failure_at: health.lastFailureAt,
  };
}

export function changesJson({ version }: Changes) {
  return { version };
}

export function webhookPageJson({ webhooks, total, limit, offset }: WebhookPage, nameOf: NameOf) {
  return { webhooks: webhooks.map((webhook) => listedWebhookJson(webhook, nameOf)), total, limit, offset };
}

function listedWebhookJson({ lastDelivery: last, health, ...webhook }: ListedWebhook, nameOf: NameOf) {
  const lastJson = last && {
    delivery_id: last.deliveryId,
    event: last.event,
    status: last.status,
    error: last.error,
    created_at: last.createdAt,
  };
  return { ...webhookJson(webhook, nameOf), last_delivery: lastJson, health: healthJson(health) };
}

function deliverySummaryJson(delivery: DeliverySummary) {
  const { id, ...fields } = byColumn(DELIVERY_FIELDS, delivery);
  return { id, ...fields, is_test: isTestDelivery(delivery.deliveryId) };
}

export function deliveryPageJson({ deliveries, nextCursor, scannedUntil }: DeliveryPage) {
  return {
    deliveries: deliveries.map(deliverySummaryJson),
    next_cursor: nextCursor,
    scanned_until: scannedUntil,
  };
}

export function deliverySearchJson(page: DeliveryPage) {
  const deliveries = page.deliveries.map((delivery) => ({
    ...deliverySummaryJson(delivery),
    webhook_url: delivery.webhookUrl,
    webhook_name: delivery.webhookName,
  }));
  return { ...deliveryPageJson(page), deliveries };
}

export function searchInputOf(query: SearchQuery): SearchDeliveriesInput {
  const { webhook_id: webhookId, delivery_id: deliveryId, status_code: statusCode, ...filters } = query;
  return { ...filters, webhookId, deliveryId, statusCode };
}

export function deliveryJson(delivery: DeliveryDetail) {
  const { request } = delivery;
  return {
    ...deliverySummaryJson(delivery),
    payload: new JsonText(delivery.payload),
    request: request && {
      attempt: request.attempt,
      headers: request.headers,
      omitted_headers: request.omittedHeaders,
    },
    attempt_log: delivery.attemptLog.map(attemptJson),
  };
}

function attemptJson(entry: AttemptLogEntry) {
  return {
    attempt: entry.attempt,
    started_at: entry.startedAt,
    duration_ms: entry.durationMs,
    status_code: entry.statusCode,
    error: entry.error,
    detail: entry.detail ?? '',
    deferrals: entry.deferrals ?? null,
    response_headers: entry.responseHeaders ?? {},
    response_body: entry.responseBody,
  };
}

export function tenantPageJson({ tenants, next }: TenantPage) {
  return {
    tenants: tenants.map(({ tenant, webhooks, active }) => ({ tenant, webhooks, active })),
    next,
  };
}

export function eventsJson(events: readonly KnownEvent[]) {
  return { events: events.map(({ name, label }) => ({ name, label })) };
}

export function eventDescriptionJson(event: EventDescription) {
  const { name, label, schema, example, total, limit, offset } = event;
  const subscribers = event.subscribers.map((webhook) => ({
    id: webhook.webhookId,
    ...tenantField(webhook.tenant ?? ''),
    url: webhook.url,
    name: webhook.name,
    is_active: webhook.isActive,
    matched_patterns: webhook.matchedPatterns,
  }));
  return { name, label, schema, example, subscribers, total, limit, offset };
}

export function explanationJson({ event, known, webhooks, total, limit, offset }: EventExplanation) {
  return { event, known, webhooks: webhooks.map(explainedJson), total, limit, offset };
}

function explainedJson(webhook: EventExplanation['webhooks'][number]) {
  return {
    id: webhook.webhookId,
    ...tenantField(webhook.tenant ?? ''),
    url: webhook.url,
    name: webhook.name,
    is_active: webhook.isActive,
    receives: webhook.receives,
    reason: webhook.reason,
    events: webhook.patterns,
    matched_patterns: webhook.matchedPatterns,
  };
}

export function receiptJson(receipt: TestReceipt | RedeliveryReceipt) {
  return { delivery_id: receipt.deliveryId, status: receipt.status };
}

export function recoveryJson({ deliveries, nextCursor, dryRun }: RecoverResult) {
  return { deliveries, next_cursor: nextCursor, dry_run: dryRun };
}

export function recoverInputOf(body: RecoverBody, webhookId: number): RecoverInput {
  const { since, until, events, cursor, dry_run: dryRun } = body;
  return { since, until, events, cursor, maxDurationMs: MAX_DURATION_MS, dryRun, webhookId };
}

export function activityJson({ answers, ...activity }: WebhookActivity) {
  return { ...activityOfAllJson(activity), answers: answerTimesJson(answers) };
}

export function activityOfAllJson({ interval, from, to, activity }: Activity) {
  return { interval, from, to, activity: activity.map(activityPointJson) };
}

function activityPointJson({ start, success, failed, pending }: ActivityPoint) {
  return { start, success, failed, pending };
}

export function createInputOf(body: CreateBody, uid: string): CreateWebhookInput {
  return { ...updateInputOf(body), url: body.url, createdByUid: uid };
}

export function updateInputOf(body: UpdateBody): UpdateWebhookInput {
  return fromColumns<WebhookSettings>(WEBHOOK_SETTINGS, body);
}
