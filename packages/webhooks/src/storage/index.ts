export { changedState, type WebhookState } from './changed-state.ts';
export {
  type AttemptReceipt,
  type AttemptRecord,
  type ClaimedDelivery,
  type ClaimRequest,
  type Deferral,
  type DeliveryPlace,
  type DispatchReceipt,
  type DispatchRecord,
  type DueQuery,
  type DueSummary,
  type FailedQuery,
  NO_ACTIVATION,
  type PurgeReceipt,
  type PurgeRequest,
  type ReopenedDelivery,
  type ReopenReceipt,
  type ReopenRequest,
  type WaitingWebhook,
} from './delivery-requests.ts';
export type { DeliverySearch, DeliverySearchPage, FoundDelivery } from './delivery-search.ts';
export type {
  ActivityBucket,
  AttemptLogEntry,
  Delivery,
  DeliveryStatus,
  DeliverySummary,
  InactiveReason,
  OverviewRecord,
  StatusCounts,
  Webhook,
  WebhookHealth,
} from './records.ts';
export { RETRY_PRIORITY_DELAY_MS } from './retry-priority.ts';
export type { WebhookStorage } from './storage.ts';
export type {
  ExpectedState,
  NewWebhook,
  OverviewQuery,
  SecretRotation,
  WebhookChange,
  WebhookQuery,
  WebhookSort,
} from './webhook-requests.ts';
