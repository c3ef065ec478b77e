export { changedState, type WebhookState } from './changed-state.ts';
export { MAX_PAUSE_MS } from './deferral.ts';
export {
  type AttemptReceipt,
  type AttemptRecord,
  type ClaimedDelivery,
  type ClaimRequest,
  type DispatchReceipt,
  type DispatchRecord,
  type DueQuery,
  type DueSummary,
  NO_ACTIVATION,
  type PurgeReceipt,
  type PurgeRequest,
  type ReopenReceipt,
  type ReopenRequest,
} from './delivery-requests.ts';
export type { DeliverySearch, DeliverySearchPage } from './delivery-search.ts';
export {
  failureRunAfter,
  type HealthLevel,
  isOngoing,
  levelOf,
  MIN_FAILURES,
  SUCCESSES_PER_FAILURE,
  shownRun,
} from './failure-run.ts';
export type { FailureStep, KeptRun, StepRequest } from './failure-steps.ts';
export type { OverviewRecord } from './records.ts';
export { TENANT_CLOSED_MS, tenantRemoved } from './removed-tenant.ts';
export { RETRY_PRIORITY_DELAY_MS } from './retry-priority.ts';
export type { KeyPurge, WebhookStorage } from './storage.ts';
export { tooManyWebhooks } from './too-many-webhooks.ts';
export type {
  NewWebhook,
  OverviewQuery,
  WebhookChange,
  WebhookQuery,
} from './webhook-requests.ts';
