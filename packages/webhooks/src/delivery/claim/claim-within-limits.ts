import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Notifier } from '../../hooks/notifier.ts';
import type { ClaimedDelivery, WaitingWebhook } from '../../storage/delivery-requests.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { Remainder } from './claim-scheduler.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';
import { allocateSlots, isSaturated, lastServed, type SlotLimits, withClaimed } from './slot-allocation.ts';
import type { Slots } from './slots.ts';

/** How often a claim reads the queue from its start: the default interval of sweeps. */
const FROM_START_MS = 5_000;

/** Claims for a runner's free slots. */
export interface ClaimWithinLimits {
  /**
   * Claims at most `limit` deliveries, within the limits that the webhooks have now, and starts
   * them. Returns what is left; never rejects.
   */
  claim(limit: number): Promise<Remainder>;
  /** The webhooks that were saturated after the last claim. */
  limited(): ReadonlySet<number>;
}

/** @internal */
export function createClaimWithinLimits(deps: {
  readonly storage: Pick<WebhookStorage, 'claimDueDeliveries'>;
  readonly slots: Pick<Slots, 'free' | 'byWebhook'>;
  readonly concurrencyLimits: ConcurrencyLimits;
  readonly start: (delivery: ClaimedDelivery, claimedAt: number) => void;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly clock: Clock;
  readonly monotonicClock: Clock;
  readonly notifier: Pick<Notifier, 'error'>;
}): ClaimWithinLimits {
  const { storage, slots, concurrencyLimits, leaseMs, maxAttempts, clock, monotonicClock } = deps;
  let limited: ReadonlySet<number> = new Set();
  /** Whether suspects get the odd slot of the next claim; the other webhooks get it otherwise. */
  let suspectsHaveOdd = false;
  let cursor = 0;
  let lastFromStart = Number.NEGATIVE_INFINITY;

  /**
   * A copy: attempts end while the storage answers, and it decides by those that it was told of.
   */
  function inFlight(): ReadonlyMap<number, number> {
    return new Map(slots.byWebhook());
  }

  async function claimOnce(
    limit: number,
    slotLimits: SlotLimits,
  ): Promise<{ readonly remainder: Remainder; readonly claimed: number }> {
    const claimedAt = monotonicClock();
    const isFromStart = claimedAt - lastFromStart >= FROM_START_MS;
    if (isFromStart) lastFromStart = claimedAt;
    let isCounted = true;
    const claims = await storage.claimDueDeliveries({
      now: clock(),
      limit,
      leaseMs,
      maxAttempts,
      claimToken: randomUUID(),
      isFromStart,
      choose(waiting) {
        isCounted = waiting.every(({ due }) => due < Number.POSITIVE_INFINITY);
        return choose(waiting, limit, slotLimits);
      },
    });
    for (const delivery of claims) deps.start(delivery, claimedAt);
    const saturated = saturatedAfter(slotLimits, claims);
    limited = saturated.webhookIds;
    const mayBeMore = claims.length >= limit || (claims.length > 0 && !isCounted);
    return { remainder: remainderOf(mayBeMore, saturated), claimed: claims.length };
  }

  /** Goes from webhook to webhook by ascending id, and begins after the one served last. */
  function choose(
    waiting: readonly WaitingWebhook[],
    limit: number,
    slotLimits: SlotLimits,
  ): ReadonlyMap<number, number> {
    const inTurn = waiting.toSorted(
      (a, b) => Number(a.webhookId <= cursor) - Number(b.webhookId <= cursor) || a.webhookId - b.webhookId,
    );
    const chosen = allocateSlots(inTurn, limit, slotLimits);
    cursor = lastServed(inTurn, chosen, slotLimits) ?? cursor;
    return chosen;
  }

  /**
   * Gives half of the slots to suspects, so that neither they nor the others wait where few come
   * free.
   */
  function dividedLimits(limit: number): SlotLimits {
    const slotLimits = concurrencyLimits.slotLimits(inFlight());
    suspectsHaveOdd = !suspectsHaveOdd;
    const half = suspectsHaveOdd ? Math.ceil(limit / 2) : Math.floor(limit / 2);
    const { suspectSlots } = slotLimits;
    return suspectSlots === undefined
      ? slotLimits
      : { ...slotLimits, suspectSlots: Math.min(suspectSlots, half) };
  }

  return {
    limited: () => limited,
    async claim(limit) {
      try {
        const first = await claimOnce(limit, dividedLimits(limit));
        // With `more`, other webhooks may have something due: suspects get no more than their half.
        if (first.remainder.kind !== 'held-back') return first.remainder;
        const left = Math.min(slots.free(), limit - first.claimed);
        const beyondHalf = concurrencyLimits.slotLimitsBeyondHalf(inFlight());
        if (beyondHalf === undefined || left === 0) return first.remainder;
        return (await claimOnce(left, beyondHalf)).remainder;
      } catch (error) {
        deps.notifier.error('claim', error);
        // The next poll, at the latest the sweep's, claims what this one did not.
        return { kind: 'none' };
      }
    },
  };
}

interface Saturated {
  readonly webhookIds: ReadonlySet<number>;
  readonly inFlight: number;
}

function remainderOf(mayBeMore: boolean, saturated: Saturated): Remainder {
  if (mayBeMore) return { kind: 'more' };
  return saturated.webhookIds.size === 0 ? { kind: 'none' } : { kind: 'held-back', ...saturated };
}

/**
 * The webhooks of which a claim may start no more. They may have more due, which it has not read.
 */
function saturatedAfter(limits: SlotLimits, claimed: readonly ClaimedDelivery[]): Saturated {
  const after = withClaimed(
    limits,
    claimed.map(({ webhook }) => webhook.id),
  );
  const known = new Set([...after.inFlight.keys(), ...(limits.suspects ?? [])]);
  const webhookIds = new Set([...known].filter((webhookId) => isSaturated(webhookId, after)));
  const inFlight = [...webhookIds].reduce((sum, id) => sum + (after.inFlight.get(id) ?? 0), 0);
  return { webhookIds, inFlight };
}
