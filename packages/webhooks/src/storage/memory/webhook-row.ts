import type { Webhook } from '../records.ts';

/** A webhook as it is kept: its record, replaced as a whole at every change, and what nobody is shown. */
export interface WebhookRow {
  readonly id: number;
  webhook: Webhook;
  secret: string;
  previousSecret: { readonly secret: string; readonly expiresAt: string } | null;
  /** How many times it was activated after it had been inactive, or given another URL. */
  activations: number;
  /** When a delivery of its last succeeded; '' before the first. */
  lastSuccessAt: string;
}

/** A record that its receiver may change. */
export function copyOf(webhook: Webhook): Webhook {
  return { ...webhook, events: [...webhook.events] };
}
