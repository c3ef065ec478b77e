import type { ClaimedDelivery, ClaimRequest } from '../../storage/delivery-requests.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { leaseDeliveries, lockDeliveries } from './lease-deliveries.ts';
import { readWaiting } from './read-waiting.ts';
import { isAnythingDue } from './ready-queue.ts';

/** Claims deliveries: reads which webhooks wait, lets the request choose, and leases what it chose. */
export function createClaiming({
  dialect,
  read,
  write,
}: DatabaseAccess): WebhookStorage['claimDueDeliveries'] {
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
  await dialect.preferIndexOrder(tables);
  const { webhooks, cursor } = await readWaiting(tables, dialect, request, afterWebhookId);
  const chosen = webhooks.length > 0 ? request.choose(webhooks) : new Map<number, number>();
  const locked = await lockDeliveries(tables, dialect, request.now, chosen);
  return { deliveries: await leaseDeliveries(tables, dialect, request, locked), cursor };
}
