/** The records of the admin API as they come over the wire. */

export type DeliveryStatus = 'pending' | 'success' | 'failed';

export interface LastDelivery {
  readonly delivery_id: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly created_at: string;
}

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly is_active: boolean;
  readonly inactive_reason: string;
  readonly previous_secret_expires_at: string | null;
  readonly created_by: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ListedWebhook extends Webhook {
  readonly last_delivery: LastDelivery | null;
}

/** A webhook at the one moment its secret is shown. */
export interface WebhookWithSecret extends Webhook {
  readonly secret: string;
}

export interface DeliveryCounts {
  readonly total: number;
  readonly success: number;
  readonly failed: number;
  readonly pending: number;
}

export interface WebhookDetail extends Webhook {
  readonly stats: DeliveryCounts;
}

export interface WebhookPage {
  readonly webhooks: readonly ListedWebhook[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface KnownEvent {
  readonly name: string;
  readonly label: string;
}

export interface DeliverySummary {
  readonly id: number;
  readonly webhook_id: number;
  readonly delivery_id: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly status_code: number;
  readonly response_body: string;
  readonly error: string;
  readonly attempts: number;
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly next_attempt_at: string | null;
}

export interface Attempt {
  readonly attempt: number;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly status_code: number;
  readonly error: string;
  readonly response_body: string;
}

export interface Delivery extends DeliverySummary {
  readonly payload: unknown;
  readonly attempt_log: readonly Attempt[];
}

export interface DeliveryPage {
  readonly deliveries: readonly DeliverySummary[];
  readonly next_cursor: string | null;
}

/** A delivery that was just put on its way. */
export interface DeliveryReceipt {
  readonly delivery_id: string;
  readonly status: DeliveryStatus;
}

export interface Recovery {
  readonly deliveries: number;
  readonly dry_run: boolean;
}

export interface ActivityBucket {
  readonly start: string;
  readonly success: number;
  readonly failed: number;
  readonly pending: number;
}

export interface Activity {
  readonly interval: 'hour' | 'day';
  readonly from: string;
  readonly to: string;
  readonly activity: readonly ActivityBucket[];
}

export interface ExplainedWebhook {
  readonly id: number;
  readonly url: string;
  readonly is_active: boolean;
  readonly receives: boolean;
  readonly reason: string;
  readonly events: readonly string[];
  readonly matched_patterns: readonly string[];
}

export interface Explanation {
  readonly event: string;
  readonly known: boolean;
  readonly webhooks: readonly ExplainedWebhook[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** What the form of a webhook sends. */
export interface WebhookInput {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
}
