import { type Clock, timestampText } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { DisabledWebhook } from '../hooks/webhook-hooks.ts';
import type { Counters } from '../stats.ts';
import { changing } from '../storage/changed-state.ts';
import type { DeliverySummary } from '../storage/delivery-record.ts';
import { disablesAtOf, shownRun } from '../storage/failure-run.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Webhook } from '../storage/webhook-record.ts';
import type { ExpectedState } from '../storage/webhook-requests.ts';
import { isTestDelivery } from '../test-deliveries.ts';
import type { Outages } from './outages.ts';

/**
 * Deactivates a webhook if a delivery that has just ended as `failed` is the reason to. Never
 * rejects.
 */
export type Deactivation = (failed: FailedDelivery) => Promise<void>;

/** A delivery that has just ended as `failed`. */
export interface FailedDelivery extends Pick<DeliverySummary, 'deliveryId' | 'event' | 'error'> {
  readonly webhook: Pick<Webhook, 'id' | 'tenant' | 'isActive'>;
  /** The webhook's state then: whoever has changed it since overrides this. */
  readonly expected: ExpectedState;
}

/** The status of a recipient that wants no more callbacks: 410 Gone, RFC 9110 section 15.5.11. */
export const GONE = 410;

/**
 * @internal
 *
 * Several results, of several processes, may reach the limit at the same time: the storage
 * deactivates for one of them, and that one tells the host. Where the process dies between the
 * result and the deactivation, the next delivery that fails reaches it again.
 */
export function createDeactivation(deps: {
  readonly storage: Pick<WebhookStorage, 'changeWebhook' | 'readOverview'>;
  readonly notifier: Pick<Notifier, 'error' | 'webhookDisabled'>;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly disableOnGone: boolean;
  /** 0: never. */
  readonly disableAfterFailingMs: number;
  readonly tellDown: Outages['tellDown'];
}): Deactivation {
  const { storage, notifier, counters, clock, disableAfterFailingMs } = deps;

  async function reasonOf({
    webhook,
    error,
  }: FailedDelivery): Promise<DisabledWebhook['reason'] | undefined> {
    if (deps.disableOnGone && error === `http_${GONE}`) return 'gone';
    if (disableAfterFailingMs === 0) return undefined;
    const [overview] = await storage.readOverview({ webhookIds: [webhook.id], failureRun: shownRun });
    const run = overview?.failureRun;
    const disablesAt = disablesAtOf(run, disableAfterFailingMs, clock());
    return run && disablesAt !== null && run.lastAt >= disablesAt ? 'failing' : undefined;
  }

  return async (failed) => {
    const { deliveryId, event, webhook, expected } = failed;
    // An inactive webhook stays as its administrator left it, and so does one that is tested.
    if (!webhook.isActive || isTestDelivery(deliveryId)) return;
    try {
      const reason = await reasonOf(failed);
      if (reason === undefined) return;
      if (reason === 'failing') await deps.tellDown(webhook.id);
      const disabledAt = timestampText(clock());
      const change = { isActive: false, inactiveReason: reason, updatedAt: disabledAt, expected };
      if ((await storage.changeWebhook(webhook.id, changing(change))) === undefined) return;
      counters.disabled += 1;
      const whose = { webhookId: webhook.id, ...tenantField(webhook.tenant) };
      notifier.webhookDisabled({ ...whose, reason, deliveryId, event, disabledAt });
    } catch (error) {
      notifier.error('disable', error);
    }
  };
}
