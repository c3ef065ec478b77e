import type { ClaimRequest } from './delivery-requests.ts';

/** The part of a claim's request that says how much each webhook may have. */
export type ShareRequest = Pick<
  ClaimRequest,
  'maxPerWebhook' | 'limits' | 'inFlight' | 'suspects' | 'suspectSlots'
>;

/** What one claim may still hand out of each webhook: the same rule for every storage. */
export interface FairShare {
  /** How many more deliveries of this webhook the claim may hand out. */
  roomOf(webhookId: number): number;
  /** Whether the runner has nothing of this webhook in flight, what the claim has handed out included. */
  isIdle(webhookId: number): boolean;
  /** Counts a delivery of this webhook as in flight. */
  add(webhookId: number): void;
  /** The webhook's place among the suspects; undefined for every other webhook. */
  suspectRank(webhookId: number): number | undefined;
  /** An account of its own that begins as this one stands. */
  copy(): FairShare;
}

/** Begins the account of one claim. */
export function createFairShare(request: ShareRequest): FairShare {
  const { maxPerWebhook, limits } = request;
  const ranks = new Map([...(request.suspects ?? [])].map((webhookId, rank) => [webhookId, rank]));
  const inFlight = new Map(request.inFlight);
  const inFlightOf = (webhookId: number) => inFlight.get(webhookId) ?? 0;
  let suspectSlots = request.suspectSlots ?? Number.POSITIVE_INFINITY;
  return {
    roomOf(webhookId) {
      const room = (limits?.get(webhookId) ?? maxPerWebhook) - inFlightOf(webhookId);
      return Math.max(ranks.has(webhookId) ? Math.min(room, suspectSlots) : room, 0);
    },
    isIdle: (webhookId) => inFlightOf(webhookId) === 0,
    add(webhookId) {
      inFlight.set(webhookId, inFlightOf(webhookId) + 1);
      if (ranks.has(webhookId)) suspectSlots -= 1;
    },
    suspectRank: (webhookId) => ranks.get(webhookId),
    copy: () => createFairShare({ ...request, inFlight, suspectSlots }),
  };
}

/** As much of a due delivery as the choice depends on. */
export interface DueDelivery {
  readonly webhookId: number;
}

/**
 * Puts due deliveries in the order in which a claim hands them out: the first of each webhook that has nothing in flight,
 * then the next one of every webhook, and so on. In each round suspects come first, by their rank: their own slots
 * bound them, and otherwise those who always have something due would leave them none.
 *
 * @param due webhooks in the order of the scan, the deliveries of each by their priority time
 */
export function inTurn<Delivery extends DueDelivery>(
  due: readonly Delivery[],
  share: Pick<FairShare, 'isIdle' | 'suspectRank'>,
): Delivery[] {
  const nextRounds = new Map<number, number>();
  const placed = due.map((delivery) => {
    const { webhookId } = delivery;
    const round = nextRounds.get(webhookId) ?? (share.isIdle(webhookId) ? 0 : 1);
    nextRounds.set(webhookId, round + 1);
    return { delivery, round, rank: share.suspectRank(webhookId) ?? Number.MAX_SAFE_INTEGER };
  });
  return placed.sort((a, b) => a.round - b.round || a.rank - b.rank).map(({ delivery }) => delivery);
}

/** Takes the first deliveries for which there is room, at most `limit`, and counts them as in flight. */
export function takeWithRoom<Delivery extends DueDelivery>(
  due: Iterable<Delivery>,
  limit: number,
  share: FairShare,
): Delivery[] {
  const taken: Delivery[] = [];
  for (const delivery of due) {
    if (taken.length >= limit) break;
    if (share.roomOf(delivery.webhookId) === 0) continue;
    share.add(delivery.webhookId);
    taken.push(delivery);
  }
  return taken;
}
