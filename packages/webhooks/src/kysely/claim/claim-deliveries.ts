import type { ClaimedDelivery, ClaimRequest } from '../../storage/delivery-requests.ts';
import { allocateSlots, lastServed, withClaimed } from '../../storage/slot-allocation.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { type Candidate, leaseDeliveries, lockCandidates } from './lease-deliveries.ts';
import { isAnythingDue, readQueueIfItFits, scanWebhooks, type WaitingWebhooks } from './scan-webhooks.ts';

/**
 * How often one claim locks and leases deliveries, where webhooks have less due than the pass
 * before assumed.
 */
const MAX_PASSES = 8;
/** The most deliveries that one pass locks: a later pass locks more than the claim may lease. */
const MAX_CANDIDATES = 1_000;

/**
 * Claims deliveries: everything due where it fits into the free slots, and otherwise what the scan
 * finds from webhook to webhook, beginning where the scan before ended. See docs/decisions/0017.
 */
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
  const deliveries: ClaimedDelivery[] = [];
  let cursor = afterWebhookId;
  let remaining = request;
  let waiting = await readQueueIfItFits(tables, dialect, request);
  for (let pass = 0; pass < MAX_PASSES && remaining.limit > 0; pass++) {
    // Other claims may have locked the next deliveries: each pass asks for twice as many.
    const maxCandidates = Math.min(remaining.limit * 2 ** pass, MAX_CANDIDATES);
    const isScan = waiting === undefined;
    waiting ??= await scanWebhooks(tables, dialect, { ...remaining, limit: maxCandidates }, cursor);
    const asked = allocateSlots(waiting.webhooks, maxCandidates, remaining);
    if (asked.size === 0) break;
    const locked = await lockCandidates(tables, dialect, request.now, asked);
    const chosen = choose(locked, remaining);
    // Where other claims have locked all of it, the cursor moves past these webhooks all the same:
    // the next pass begins with others.
    const served = chosen.length > 0 ? countsOf(chosen) : asked;
    if (isScan) cursor = lastServed(waiting.webhooks, served, remaining) ?? cursor;
    const leased = await leaseDeliveries(tables, dialect, remaining, chosen);
    deliveries.push(...leased);
    remaining = afterClaiming(remaining, leased);
    waiting = waiting.isComplete
      ? webhooksWithMore(waiting, asked, countsOf(locked), countsOf(chosen))
      : undefined;
  }
  return { deliveries, cursor };
}

/** Chooses as many of the candidates that a pass has locked as the request allows. */
function choose(locked: readonly Candidate[], request: ClaimRequest): Candidate[] {
  const due = [...countsOf(locked)].map(([webhookId, count]) => ({ webhookId, due: count }));
  const left = new Map(allocateSlots(due, request.limit, request));
  return locked.filter(({ webhookId }) => {
    const slots = left.get(webhookId) ?? 0;
    left.set(webhookId, slots - 1);
    return slots > 0;
  });
}

function countsOf(deliveries: readonly Candidate[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { webhookId } of deliveries) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
  return counts;
}

function afterClaiming(request: ClaimRequest, leased: readonly ClaimedDelivery[]): ClaimRequest {
  const limits = withClaimed(
    request,
    leased.map(({ webhook }) => webhook.id),
  );
  return { ...request, ...limits, limit: request.limit - leased.length };
}

/**
 * The webhooks that had as many candidates as were asked for, without those chosen: they may have
 * more.
 */
function webhooksWithMore(
  { webhooks, isComplete }: WaitingWebhooks,
  asked: ReadonlyMap<number, number>,
  locked: ReadonlyMap<number, number>,
  chosen: ReadonlyMap<number, number>,
): WaitingWebhooks {
  const rest = webhooks.filter(
    ({ webhookId }) => (locked.get(webhookId) ?? 0) === (asked.get(webhookId) ?? 0),
  );
  return {
    webhooks: rest.map(({ webhookId, due }) => ({ webhookId, due: due - (chosen.get(webhookId) ?? 0) })),
    isComplete,
  };
}
