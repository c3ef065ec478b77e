import { timestampText } from '../../clock.ts';
import type { WebhookState } from '../changed-state.ts';
import { MAX_PAUSE_MS, type Pause } from '../deferral.ts';
import type { Delivery, DeliverySummary } from '../delivery-record.ts';
import type { FailureRun } from '../overview-record.ts';
import { RETRY_PRIORITY_DELAY_MS } from '../retry-priority.ts';

/** Everything that one storage keeps. Queries go over the rows. */
export interface MemoryTables {
  /** By id, ascending. */
  readonly webhooks: Map<number, WebhookRow>;
  /** By id, ascending. A webhook's deliveries are removed with it. */
  readonly deliveries: Map<number, DeliveryRow>;
  /**
   * The dispatch that first brought a key, by tenant, event and key as a JSON array; also when a
   * tenant was closed.
   */
  readonly idempotencyKeys: Map<string, { readonly dispatchId: string; readonly createdAt: string }>;
  /** In which hours deliveries were claimed, such as `2026-11-20T04`, in ascending order. */
  claimedHours: readonly string[];
  /** What the engine keeps of backlogs. */
  backlogs: string;
  /** How many webhooks were added, changed or removed. */
  revision: number;
}

/** A webhook's state, whose members every change replaces, and what is counted of it. */
export interface WebhookRow extends WebhookState {
  /** When a delivery last succeeded; '' before the first success. */
  lastSuccessAt: string;
  /** When one last ended as `failed` after an attempt; '' before the first failure. */
  lastFailureAt: string;
  /** The last run of failures, which may be over. */
  failureRun: FailureRun | undefined;
  /** The last pause that a recipient asked for. */
  pause: Pause | undefined;
  /** How many deliveries were added, ended, reopened or removed. */
  revision: number;
}

/** A delivery's record, which every change replaces, and its hidden state. */
export interface DeliveryRow {
  delivery: Delivery;
  readonly recipient: WebhookRow;
  readonly dispatchId: string;
  /** How many attempts that count were made before the current series. */
  seriesStart: number;
  /** When that began, ms since the epoch; undefined for the first. */
  reopenedAt: number | undefined;
  /** When the next attempt is due; read while the delivery is pending. */
  dueMs: number;
  /** Orders the ready queue: `dueMs`, or a minute later. */
  priorityMs: number;
  /** The last claim's lease, until its result is recorded. */
  lease: { readonly claimToken: string; readonly endsAt: number } | undefined;
  /** The token of the claim whose result was recorded last: that result may be offered again. */
  recordedToken: string | undefined;
}

/** Until when the webhook pauses, ms since the epoch; undefined if it does not. */
export function pausedUntil(recipient: WebhookRow, now: number): number | undefined {
  const untilMs = pauseOf(recipient)?.untilMs ?? 0;
  return untilMs > now && untilMs <= now + MAX_PAUSE_MS ? untilMs : undefined;
}

/** The pause of the present activation, which may be over. */
export function pauseOf({ pause, activation, webhook }: WebhookRow): WebhookRow['pause'] {
  return pause?.activation === activation && webhook.isActive ? pause : undefined;
}

/** Where the time is kept at which a tenant was closed: no event has an empty name. */
export function closingKeyOf(tenant: string): string {
  return JSON.stringify([tenant, '', '']);
}

/** The deliveries of one webhook, by id. */
export function deliveriesOf({ deliveries }: MemoryTables, webhookId: number): DeliveryRow[] {
  return [...deliveries.values()].filter(({ delivery }) => delivery.webhookId === webhookId);
}

/** The deliveries of each webhook, by id. Goes over them once. */
export function deliveriesByWebhook({ deliveries }: MemoryTables): ReadonlyMap<number, DeliveryRow[]> {
  const byWebhook = new Map<number, DeliveryRow[]>();
  for (const row of deliveries.values()) {
    const rows = byWebhook.get(row.delivery.webhookId);
    if (rows) rows.push(row);
    else byWebhook.set(row.delivery.webhookId, [row]);
  }
  return byWebhook;
}

export function summaryOf({ payload, attemptLog, ...summary }: Delivery): DeliverySummary {
  return summary;
}

/** Makes the next attempt due. A retry's priority time is a minute later. */
export function schedule(row: DeliveryRow, dueMs: number, { isRetry }: { readonly isRetry: boolean }): void {
  const nextAttemptAt = timestampText(dueMs);
  row.delivery = { ...row.delivery, status: 'pending', completedAt: null, nextAttemptAt };
  row.dueMs = dueMs;
  row.priorityMs = dueMs + (isRetry ? RETRY_PRIORITY_DELAY_MS : 0);
}
