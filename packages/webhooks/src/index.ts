export type { Administration } from './administration.ts';
export type { EngineHealth } from './delivery/health.ts';
export { PURGE_JOB } from './delivery/retention.ts';
export type { PublicUrlOptions } from './egress/public-url-options.ts';
export { assertPublicUrl } from './egress/url-policy.ts';
export type { WebhookErrorCode } from './error-codes.ts';
export { type FieldError, isWebhookError, WebhookError } from './errors.ts';
export { defineEvents } from './events/catalog.ts';
export { eventSchemas } from './events/event-schemas.ts';
export { matchesPattern } from './events/pattern.ts';
export type {
  DisabledWebhook,
  ErrorContext,
  FailedDelivery,
  FailingWebhook,
  ReportedAttempt,
  ReportedFailing,
  TenantBacklog,
  TenantBacklogs,
} from './hooks/webhook-hooks.ts';
export type { Logger } from './logging/logger.ts';
export { inProcessQueue } from './queue/in-process-queue.ts';
export type { DeliveryQueue } from './queue/queue.ts';
export type { WebhookActivity } from './registry/activity.ts';
export type { EventDescription } from './registry/describe-event.ts';
export type { EventExplanation } from './registry/explain.ts';
export type {
  Changes,
  CreatedWebhook,
  DeliveryDetail,
  DeliveryPage,
  ListedWebhook,
  RotatedWebhook,
  WebhookDetail,
  WebhookPage,
} from './registry/webhook-input.ts';
export type { AttemptLogEntry, Delivery, DeliverySummary } from './storage/delivery-record.ts';
export { memoryStorage } from './storage/memory-storage.ts';
export type { Webhook } from './storage/webhook-record.ts';
export { isTestDelivery } from './test-deliveries.ts';
export { type AnyWebhooks, createWebhooks, type Webhooks } from './webhooks.ts';
export type { WebhooksOptions } from './webhooks-options.ts';
