import type { ClaimedDelivery, ClaimRequest } from '../../storage/delivery-requests.ts';
import { allocateSlots, lastServed, withClaimed } from '../../storage/slot-allocation.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { TableAccess } from '../table-access.ts';
import type { Tables } from '../tables.ts';
import { leaseDeliveries } from './lease-deliveries.ts';
import { isAnythingDue, readWholeQueue, scanWebhooks, type Waiting } from './waiting-webhooks.ts';

/** How often one claim leases deliveries, where webhooks have less due than was asked of them. */
const MAX_PASSES = 8;

/**
 * Claims deliveries: everything due where it fits into the free slots, and otherwise what the scan
 * finds from webhook to webhook, beginning where the scan before ended. See docs/decisions/0017.
 */
export function createClaiming({ dialect, read, write }: TableAccess): WebhookStorage['claimDueDeliveries'] {
  let cursor = 0;
  return async (request) => {
    // A transaction locks all of an SQLite database: an idle process begins none.
    const mayBeDue =
      !dialect.isEmbedded || (await read((tables) => isAnythingDue(tables, dialect, request.now)));
    if (!mayBeDue) return [];
    const claim = await write((tables) => claimDeliveries(tables, dialect, request, cursor));
    cursor = claim.cursor;
    return claim.deliveries;
  };
}

async function claimDeliveries(
  tables: Tables,
  dialect: WebhookDialect,
  request: ClaimRequest,
  afterWebhookId: number,
): Promise<{ readonly deliveries: ClaimedDelivery[]; readonly cursor: number }> {
  await dialect.readInOrder(tables);
  const deliveries: ClaimedDelivery[] = [];
  let cursor = afterWebhookId;
  let remaining = request;
  let waiting = await readWholeQueue(tables, dialect, request);
  for (let pass = 0; pass < MAX_PASSES && remaining.limit > 0; pass++) {
    const isScan = waiting === undefined;
    waiting ??= await scanWebhooks(tables, dialect, remaining, cursor);
    const slots = allocateSlots(waiting.webhooks, remaining.limit, remaining);
    if (slots.size === 0) break;
    if (isScan) cursor = lastServed(waiting.webhooks, slots, remaining) ?? cursor;
    const leased = await leaseDeliveries(tables, dialect, remaining, slots);
    deliveries.push(...leased);
    remaining = afterClaiming(remaining, leased);
    waiting = waiting.isAll ? thoseWithMore(waiting, slots, leased) : undefined;
  }
  return { deliveries, cursor };
}

function afterClaiming(request: ClaimRequest, leased: readonly ClaimedDelivery[]): ClaimRequest {
  const limits = withClaimed(
    request,
    leased.map(({ webhook }) => webhook.id),
  );
  return { ...request, ...limits, limit: request.limit - leased.length };
}

/** The webhooks that had all that was asked of them, and those of which nothing was asked. */
function thoseWithMore(
  { webhooks, isAll }: Waiting,
  slots: ReadonlyMap<number, number>,
  leased: readonly ClaimedDelivery[],
): Waiting {
  const counts = new Map<number, number>();
  for (const { webhook } of leased) counts.set(webhook.id, (counts.get(webhook.id) ?? 0) + 1);
  const rest = webhooks.flatMap(({ webhookId, due }) => {
    const asked = slots.get(webhookId) ?? 0;
    return (counts.get(webhookId) ?? 0) < asked ? [] : [{ webhookId, due: due - asked }];
  });
  return { webhooks: rest, isAll };
}
