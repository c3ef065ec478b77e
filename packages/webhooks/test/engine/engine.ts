import type { WebhookError } from '../../src/errors.ts';
import type {
  DisabledWebhook,
  FailedDelivery,
  ReportedAttempt,
  WebhookHooks,
} from '../../src/hooks/webhook-hooks.ts';
import type { Delivery, DeliverySummary } from '../../src/storage/delivery-record.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import type { WebhooksOptions } from '../../src/webhooks-options.ts';

/**
 * An engine that may deliver to loopback and retries within milliseconds, sweeps once, and what its
 * hooks were told.
 */
export interface TestEngine {
  readonly webhooks: Webhooks;
  readonly errors: readonly WebhookError[];
  readonly failed: readonly FailedDelivery[];
  readonly attempts: readonly ReportedAttempt[];
  readonly disabled: readonly DisabledWebhook[];
  /** The delivery once it has ended. */
  ended(webhookId: number, deliveryId?: string): Promise<Delivery>;
}

const POLL_MS = 10;
const MAX_POLLS = 1_000;

export function createTestEngine(
  storage: WebhookStorage<never>,
  options: Omit<
    WebhooksOptions,
    'storage' | Exclude<keyof WebhookHooks, 'onWebhookFailing' | 'onBacklog'>
  > = {},
): TestEngine {
  const errors: WebhookError[] = [];
  const failed: FailedDelivery[] = [];
  const attempts: ReportedAttempt[] = [];
  const disabled: DisabledWebhook[] = [];
  const webhooks = createWebhooks({
    // Recipients share this process, which accepts one connection per turn of its event loop: a
    // busy machine is no timeout.
    egress: { allowedAddresses: ['127.0.0.1/32'], timeoutMs: 60_000 },
    retry: { delaysMs: [10] },
    // Wake-ups and timers must do the work: a sweep would hide that one is missing.
    sweepIntervalMs: 3_600_000,
    ...options,
    storage,
    onError: (error) => errors.push(error),
    onDeliveryFailed: (delivery) => failed.push(delivery),
    onAttempt: (attempt) => attempts.push(attempt),
    onWebhookDisabled: (webhook) => disabled.push(webhook),
  });

  async function newest(webhookId: number): Promise<DeliverySummary | undefined> {
    return (await webhooks.deliveries(webhookId, { limit: 1 })).deliveries[0];
  }

  return {
    webhooks,
    errors,
    failed,
    attempts,
    disabled,
    async ended(webhookId, deliveryId) {
      for (let poll = 0; poll < MAX_POLLS; poll += 1) {
        const id = deliveryId ?? (await newest(webhookId))?.deliveryId;
        const delivery = id === undefined ? undefined : await webhooks.delivery(webhookId, id);
        if (delivery !== undefined && delivery.status !== 'pending') return delivery;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      throw new Error(`the delivery did not end within ${POLL_MS * MAX_POLLS} ms`);
    },
  };
}
