import type { DeliverySummary } from '@acme/webhooks';
import type { ShopWebhooks } from '../shop/webhooks.ts';
import type { RecipientClient, RecipientState } from './recipient-client.ts';
import type { Subscription } from './subscriptions.ts';

/** An order on its way to one recipient. */
interface ShownDelivery {
  readonly id: number;
  readonly state: 'arrived' | 'on its way' | 'waits' | 'given up';
  readonly attempts: number;
  /** Until the next attempt; null if none is waited for. */
  readonly inMs: number | null;
  /** In the panel. */
  readonly path: string;
}

/** A recipient: what the shop knows of its deliveries, and what the recipient itself counts. */
export interface ShownRecipient extends RecipientState {
  readonly name: string;
  /** The newest last. */
  readonly deliveries: readonly ShownDelivery[];
  readonly waiting: number;
  readonly lost: number;
}

const SHOWN_DELIVERIES = 24;

export function readRecipients(
  subscriptions: readonly Subscription[],
  webhooks: ShopWebhooks,
  recipients: RecipientClient,
): Promise<readonly ShownRecipient[]> {
  return Promise.all(
    subscriptions.map(async ({ name, webhookId, endedBefore }) => {
      // First what has ended, then what has arrived: a delivery between the two is not lost.
      const { stats } = await webhooks.get(webhookId);
      const { deliveries } = await webhooks.deliveries(webhookId, { limit: SHOWN_DELIVERIES });
      const state = (await recipients.states())[name];
      if (state === undefined) throw new Error(`There is no recipient ${name}`);
      return {
        ...state,
        name,
        deliveries: deliveries.map(shown).toReversed(),
        waiting: stats.pending,
        lost: Math.max(stats.success + stats.failed - endedBefore - state.arrived, 0),
      };
    }),
  );
}

function shown(delivery: DeliverySummary): ShownDelivery {
  const { id, status, attempts, error, nextAttemptAt, webhookId, deliveryId } = delivery;
  // A first attempt that is under way has no error yet.
  const waits = status === 'pending' && error !== '' && nextAttemptAt !== null;
  const pending = waits ? 'waits' : 'on its way';
  return {
    id,
    state: status === 'pending' ? pending : status === 'success' ? 'arrived' : 'given up',
    attempts,
    inMs: waits ? Math.max(Date.parse(nextAttemptAt) - Date.now(), 0) : null,
    path: `/admin/webhooks/${webhookId}?delivery=${deliveryId}`,
  };
}
