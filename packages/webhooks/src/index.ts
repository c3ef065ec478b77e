export type { Clock } from './clock.ts';
export type { DrainOptions } from './delivery/drain.ts';
export type { EngineHealth } from './delivery/health.ts';
export type { AttemptErrorCode } from './delivery/outcome.ts';
export { PURGE_JOB, type PurgeResult } from './delivery/retention.ts';
export type { RetryOptions } from './delivery/retry-schedule.ts';
export type { DispatchOptions, DispatchResult } from './dispatch/dispatcher.ts';
export type { TestInput, TestReceipt } from './dispatch/test-event.ts';
export type { EgressOptions } from './egress/egress.ts';
export { assertPublicUrl, type PublicUrlOptions } from './egress/url-policy.ts';
export {
  type FieldError,
  isWebhookError,
  WebhookError,
  type WebhookErrorCode,
  type WebhookErrorOptions,
} from './errors.ts';
export {
  BUILT_IN_EVENTS,
  type BuiltInChoice,
  type BuiltInEventName,
  defineEvents,
  type EventCatalog,
  type EventDefinition,
  type KnownEvent,
} from './events/catalog.ts';
export {
  type CatalogSchemasOptions,
  type EventSchemas,
  type EventSchemasOptions,
  eventSchemas,
  type JsonSchema,
} from './events/event-schemas.ts';
export { matchesPattern } from './events/pattern.ts';
export type { PayloadSchema } from './events/payload-schema.ts';
export type { EventData, EventName, EventPattern, EventPayload, KeptEvents } from './events/typed-catalog.ts';
export type { LastError } from './hooks/notifier.ts';
export type {
  DisabledWebhook,
  ErrorContext,
  ErrorSource,
  FailedDelivery,
  ReportedAttempt,
  TracedAttempt,
  WebhookHooks,
} from './hooks/webhook-hooks.ts';
export type { Logger } from './logging/logger.ts';
export { type InProcessQueueOptions, inProcessQueue } from './queue/in-process-queue.ts';
export { DELIVERY_JOB_KIND, type DeliveryJob, type DeliveryQueue } from './queue/queue.ts';
export type { ActivityInput, ActivityPoint, WebhookActivity } from './registry/activity.ts';
export type { DescribeEventInput, EventDescription, EventSubscriber } from './registry/describe-event.ts';
export type { EventExplanation, ExplainedWebhook, ExplainInput } from './registry/explain.ts';
export type { RecoverInput, RecoverResult, RedeliveryReceipt } from './registry/redelivery.ts';
export type { SentRequest } from './registry/sent-request.ts';
export type {
  Changes,
  ChangesInput,
  CreatedWebhook,
  CreateWebhookInput,
  DeliveryDetail,
  DeliveryPage,
  FailureStreak,
  ListDeliveriesInput,
  ListedWebhook,
  ListWebhooksInput,
  ReportedHealth,
  RotatedWebhook,
  SearchDeliveriesInput,
  UpdateWebhookInput,
  WebhookConcurrency,
  WebhookDetail,
  WebhookPage,
  WebhookPrecondition,
} from './registry/webhook-input.ts';
export type { WebhookOverview } from './registry/webhook-overview.ts';
export type { WebhookRegistry } from './registry/webhook-registry.ts';
export type { EngineStats } from './stats.ts';
export { changedState, type WebhookState } from './storage/changed-state.ts';
export type {
  ActivityQuery,
  AttemptReceipt,
  AttemptRecord,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryPlace,
  DispatchReceipt,
  DispatchRecord,
  DueQuery,
  DueSummary,
  FailedQuery,
  PurgeReceipt,
  PurgeRequest,
  ReopenedDelivery,
  ReopenReceipt,
  ReopenRequest,
} from './storage/delivery-requests.ts';
export type { DeliverySearch, DeliverySearchPage, FoundDelivery } from './storage/delivery-search.ts';
export type { HistoryStorage } from './storage/history-storage.ts';
export { memoryStorage } from './storage/memory-storage.ts';
export type {
  ActivityBucket,
  AttemptLogEntry,
  Delivery,
  DeliveryCounts,
  DeliveryStatus,
  DeliverySummary,
  InactiveReason,
  Webhook,
  WebhookHealth,
} from './storage/records.ts';
export {
  allocateSlots,
  hasNothingInFlight,
  isSaturated,
  lastServed,
  type SlotLimits,
  type WaitingWebhook,
  withClaimed,
} from './storage/slot-allocation.ts';
export type { WebhookStorage } from './storage/storage.ts';
export type {
  ExpectedState,
  HealthQuery,
  NewWebhook,
  SecretRotation,
  WebhookChange,
  WebhookQuery,
  WebhookSort,
} from './storage/webhook-requests.ts';
export { isTestDelivery } from './test-deliveries.ts';
export { createWebhooks, type Webhooks } from './webhooks.ts';
export type { WebhooksOptions } from './webhooks-options.ts';
