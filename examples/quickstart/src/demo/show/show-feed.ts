import type { DeliverySummary } from '@acme/webhooks';
import type { ShopWebhooks } from '../../app/events.ts';
import type { RecipientClient } from '../recipient-client.ts';
import { hookPath, SHOWN_RECIPIENTS } from './shown-recipients.ts';

/** An order on its way to one recipient. */
export interface ShownDelivery {
  readonly id: number;
  readonly state: 'arrived' | 'on its way' | 'waits' | 'given up';
  readonly attempts: number;
  /** Until the next attempt; null if none is waited for. */
  readonly inMs: number | null;
  /** In the panel. */
  readonly path: string;
}

export interface ShownRecipient {
  readonly hook: string;
  readonly name: string;
  /** Undefined if its process does not answer. */
  readonly isUp: boolean | undefined;
  /** The newest last. */
  readonly deliveries: readonly ShownDelivery[];
  /** By the recipient's own count. */
  readonly arrived: number;
  readonly twice: number;
  /** Requests that came again, and did nothing. */
  readonly repeated: number;
  readonly waiting: number;
  readonly lost: number;
}

const SHOWN_DELIVERIES = 24;

/** Reads the show: what the app knows of each delivery, and what each recipient counts. */
export interface ShowFeed {
  read(): Promise<readonly ShownRecipient[]>;
}

export function createShowFeed(
  recipient: RecipientClient,
  webhooks: ShopWebhooks,
  recipientUrl: string,
): ShowFeed {
  const find = async (hook: string) => {
    const { webhooks: found } = await webhooks.list({ search: hookPath(hook), sort: 'id', order: 'asc' });
    return found.find(({ url }) => url === recipientUrl + hookPath(hook));
  };
  const endedOf = ({ success, failed }: { readonly success: number; readonly failed: number }) =>
    success + failed;
  /** What had ended before the worker of this start: its recipients count from zero. */
  const before = Promise.all(
    SHOWN_RECIPIENTS.map(async ({ hook }) => {
      const webhook = await find(hook);
      return [hook, webhook === undefined ? 0 : endedOf((await webhooks.get(webhook.id)).stats)] as const;
    }),
  ).then((entries) => new Map<string, number>(entries));

  async function readOne({ hook, name }: (typeof SHOWN_RECIPIENTS)[number]): Promise<ShownRecipient> {
    const webhook = await find(hook);
    if (webhook === undefined) {
      return {
        hook,
        name,
        isUp: undefined,
        deliveries: [],
        arrived: 0,
        twice: 0,
        repeated: 0,
        waiting: 0,
        lost: 0,
      };
    }
    const { id } = webhook;
    // First what is to arrive, then what has: a delivery between the two counts as neither lost.
    const { stats } = await webhooks.get(id);
    const { deliveries } = await webhooks.deliveries(id, { limit: SHOWN_DELIVERIES });
    const counts = await Promise.all([recipient.tally(), recipient.answer(hook)]).catch(() => undefined);
    const { done: arrived = 0, twice = 0, repeated = 0 } = counts?.[0][hook] ?? {};
    const lost = endedOf(stats) - ((await before).get(hook) ?? 0) - arrived;
    return {
      hook,
      name,
      isUp: counts && counts[1] === undefined,
      deliveries: deliveries.map(shownDelivery).toReversed(),
      arrived,
      twice,
      repeated,
      waiting: stats.pending,
      lost: counts === undefined ? 0 : Math.max(lost, 0),
    };
  }

  return { read: () => Promise.all(SHOWN_RECIPIENTS.map(readOne)) };
}

function shownDelivery(delivery: DeliverySummary): ShownDelivery {
  const { id, status, attempts, nextAttemptAt, webhookId, deliveryId } = delivery;
  const isWaiting = status === 'pending' && attempts > 0 && nextAttemptAt !== null;
  return {
    id,
    state:
      status === 'success'
        ? 'arrived'
        : status === 'failed'
          ? 'given up'
          : isWaiting
            ? 'waits'
            : 'on its way',
    attempts,
    inMs: isWaiting ? Math.max(Date.parse(nextAttemptAt) - Date.now(), 0) : null,
    path: `/admin/webhooks/${webhookId}?delivery=${deliveryId}`,
  };
}
