import type { DeliverySummary } from '@acme/webhooks';
import type { ShopWebhooks } from '../app/events.ts';
import type { Arrival } from '../recipient/inbox.ts';
import type { Attempts, ShownRequest } from './page/request-card.ts';
import { DEMO_HOOK, type RecipientClient } from './recipient-client.ts';
import { modeOf, type RecipientMode } from './recipient-modes.ts';
import { SHOWN_RECIPIENTS } from './show/shown-recipients.ts';

/** What the page shows of the recipient. */
export interface RequestFeed {
  /** Undefined if the recipient does not answer. */
  readonly mode: RecipientMode | undefined;
  /** The newest deliveries with their requests, newest first. */
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
  const groups = groupsOf(received.filter(({ hook }) => !ONLY_IN_THE_SHOW.includes(hook)));
  const newest = groups.slice(-MAX_REQUESTS).toReversed();
  const deliveries = await findDeliveries(
    newest.map(([first]) => deliveryIdOf(first)),
    webhooks,
  );
  const requests = newest.map((attempts) => ({
    attempts,
    delivery: isGenuine(attempts[0]) ? deliveries.get(deliveryIdOf(attempts[0])) : undefined,
  }));
  return { mode: modeOf(answer), requests };
}

const ONLY_IN_THE_SHOW: readonly string[] = SHOWN_RECIPIENTS.map(({ hook }) => hook).filter(
  (hook) => hook !== DEMO_HOOK,
);

/** Requests of one delivery at one hook, oldest first. A forged request stands alone. */
function groupsOf(received: readonly Arrival[]): Attempts[] {
  const groups = new Map<string, [Arrival, ...Arrival[]]>();
  for (const arrival of received) {
    const key = isGenuine(arrival) ? `${arrival.hook} ${deliveryIdOf(arrival)}` : `forged ${arrival.number}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [arrival]);
    else group.push(arrival);
  }
  return [...groups.values()];
}

function isGenuine({ signature }: Arrival): boolean {
  return signature === 'verified';
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
