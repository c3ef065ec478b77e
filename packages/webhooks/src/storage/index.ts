export { changedState, type WebhookState } from './changed-state.ts';
export { MAX_PAUSE_MS, pauseAfterResult } from './deferral.ts';
export { deliveryIdOf } from './delivery-ids.ts';
export {
  type AttemptReceipt,
  type AttemptRecord,
  type ClaimedDelivery,
  type ClaimRequest,
  type DispatchReceipt,
  type DispatchRecord,
  NO_ACTIVATION,
} from './delivery-requests.ts';
export {
  BUSY_DEGRADED_MS,
  BUSY_DOWN_MS,
  levelOf,
  MIN_FAILURES,
  type RunEvent,
  runAfter,
  SUCCESSES_PER_FAILURE,
  shownRun,
} from './failure-run.ts';
export type { OverviewRecord } from './overview-record.ts';
export { TENANT_CLOSED_MS, tenantRemoved } from './removed-tenant.ts';
export { RETRY_PRIORITY_DELAY_MS } from './retry-priority.ts';
export type { WebhookStorage } from './storage.ts';
export { tooManyWebhooks } from './too-many-webhooks.ts';
export type {
  NewWebhook,
  WebhookChange,
} from './webhook-requests.ts';
