import { type Clock, timestampText } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { DisabledWebhook } from '../hooks/webhook-hooks.ts';
import type { Counters } from '../stats.ts';
import type { AttemptRecord, ClaimedDelivery } from '../storage/delivery-requests.ts';
import { disablesAtOf } from '../storage/failure-run.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { isTestDelivery } from '../test-deliveries.ts';
import type { Outages } from './outages.ts';

/**
 * Deactivates a webhook if a delivery that has just ended as `failed` is the reason to. Never
 * rejects.
 */
export type Deactivation = (claimed: ClaimedDelivery, record: AttemptRecord) => Promise<void>;

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

  async function reasonOf(
    { webhook }: ClaimedDelivery,
    { error }: AttemptRecord,
  ): Promise<DisabledWebhook['reason'] | undefined> {
    if (deps.disableOnGone && error === `http_${GONE}`) return 'gone';
    if (disableAfterFailingMs === 0) return undefined;
    const [overview] = await storage.readOverview({ webhookIds: [webhook.id], failureRun: true });
    const run = overview?.failureRun;
    const disablesAt = disablesAtOf(run, disableAfterFailingMs);
    return run && disablesAt !== null && run.lastAt >= disablesAt ? 'failing' : undefined;
  }

  return async (claimed, record) => {
    // An inactive webhook stays as its administrator left it, and so does one that is tested.
    if (!claimed.webhook.isActive || isTestDelivery(claimed.deliveryId)) return;
    try {
      const reason = await reasonOf(claimed, record);
      if (reason === undefined) return;
      const { deliveryId, event, webhook } = claimed;
      if (reason === 'failing') await deps.tellDown(webhook.id);
      const disabledAt = timestampText(clock());
      // An administrator who has activated the webhook since, or given it another URL, overrides an
      // attempt begun before.
      const expected = { activation: webhook.activation };
      const change = { isActive: false, inactiveReason: reason, updatedAt: disabledAt, expected };
      if ((await storage.changeWebhook(webhook.id, change)) === undefined) return;
      counters.disabled += 1;
      const whose = { webhookId: webhook.id, ...tenantField(webhook.tenant) };
      notifier.webhookDisabled({ ...whose, reason, deliveryId, event, disabledAt });
    } catch (error) {
      notifier.error('disable', error);
    }
  };
}
