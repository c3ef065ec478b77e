export type { WebhookState } from './changed-state.ts';
export { MAX_PAUSE_MS, type Pause } from './deferral.ts';
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
  MIN_FAILURES,
  type RunEvent,
  SUCCESSES_PER_FAILURE,
} from './failure-run.ts';
export type { OverviewRecord } from './overview-record.ts';
export { TENANT_CLOSED_MS } from './removed-tenant.ts';
export type { ResultRules } from './result-rules.ts';
export { RETRY_PRIORITY_DELAY_MS } from './retry-priority.ts';
export type { WebhookStorage } from './storage.ts';
export type { NewWebhook } from './webhook-requests.ts';
