import type { DeliverySummary } from '@acme/webhooks';
import type { ShopWebhooks } from '../app/events.ts';
import type { Arrival } from '../recipient/inbox.ts';
import type { ShownRequest } from './page/request-card.ts';
import type { RecipientClient } from './recipient-client.ts';
import { modeOf, type RecipientMode } from './recipient-modes.ts';

/** What the page shows of the recipient. */
export interface RequestFeed {
  /** Undefined if the recipient does not answer. */
  readonly mode: RecipientMode | undefined;
  /** The newest requests, newest first. */
  readonly requests: readonly ShownRequest[];
}

const MAX_REQUESTS = 20;

/** Reads what arrived at the recipient, and what the app knows of each delivery. */
export async function readRequestFeed(
  recipient: RecipientClient,
  webhooks: ShopWebhooks,
): Promise<RequestFeed> {
  const answers = await Promise.all([recipient.answer(), recipient.received()]).catch(() => undefined);
  if (answers === undefined) return { mode: undefined, requests: [] };
  const [answer, received] = answers;
  const newest = received.slice(-MAX_REQUESTS).toReversed();
  const deliveries = await findDeliveries(newest.map(deliveryIdOf), webhooks);
  const requests = newest.map((arrival, index) => {
    const id = deliveryIdOf(arrival);
    const isLatest = newest.findIndex((other) => deliveryIdOf(other) === id) === index;
    return { arrival, delivery: deliveries.get(id), isLatest };
  });
  return { mode: modeOf(answer), requests };
}

function deliveryIdOf({ headers }: Arrival): string {
  return headers['x-webhook-id'] ?? '';
}

/** The only form of a delivery's id: the recipient may have got requests from somebody else. */
const DELIVERY_ID = /^[0-9a-f]{32}$/;

async function findDeliveries(
  ids: readonly string[],
  webhooks: ShopWebhooks,
): Promise<ReadonlyMap<string, DeliverySummary>> {
  const known = [...new Set(ids)].filter((id) => DELIVERY_ID.test(id));
  const found = await Promise.all(known.map((deliveryId) => webhooks.searchDeliveries({ deliveryId })));
  const deliveries = found.flatMap((result) => result.deliveries);
  return new Map(deliveries.map((delivery) => [delivery.deliveryId, delivery]));
}
