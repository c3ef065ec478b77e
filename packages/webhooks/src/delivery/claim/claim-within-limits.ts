import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Notifier } from '../../hooks/notifier.ts';
import type { ClaimedDelivery } from '../../storage/delivery-requests.ts';
import { isSaturated, type SlotLimits, withClaimed } from '../../storage/slot-allocation.ts';
import type { WebhookStorage } from '../../storage/storage.ts';
import type { Remainder } from './claim-scheduler.ts';
import type { Slots } from './slots.ts';
import type { WebhookLimits } from './webhook-limits.ts';

/** Claims for a runner's free slots. */
export interface ClaimWithinLimits {
  /**
   * Claims at most so many deliveries, within the limits that the webhooks have at this moment, and starts them. Answers
   * what is left; never rejects.
   */
  claim(limit: number): Promise<Remainder>;
  /** Webhooks of which the last claim could start no more, for they had all that they may have. */
  limited(): ReadonlySet<number>;
}

/** @internal */
export function createClaimWithinLimits(deps: {
  readonly storage: Pick<WebhookStorage, 'claimDueDeliveries'>;
  readonly slots: Pick<Slots, 'free' | 'byWebhook'>;
  readonly limits: WebhookLimits;
  readonly start: (delivery: ClaimedDelivery, claimedAt: number) => void;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly clock: Clock;
  readonly monotonicClock: Clock;
  readonly notifier: Pick<Notifier, 'error'>;
}): ClaimWithinLimits {
  const { storage, slots, limits, leaseMs, maxAttempts, clock, monotonicClock } = deps;
  let limited: ReadonlySet<number> = new Set();
  /** Which of the two the odd slot of a claim is for. */
  let suspectsHaveOdd = false;

  /** Attempts end while the storage answers: it decides by what was under way when it was asked. */
  function inFlight(): ReadonlyMap<number, number> {
    return new Map(slots.byWebhook());
  }

  async function claimOnce(
    limit: number,
    current: SlotLimits,
  ): Promise<{ readonly remainder: Remainder; readonly claimed: number }> {
    const claimedAt = monotonicClock();
    const request = { now: clock(), limit, leaseMs, maxAttempts, claimToken: randomUUID() };
    const claims = await storage.claimDueDeliveries({ ...request, ...current });
    for (const delivery of claims) deps.start(delivery, claimedAt);
    const saturated = saturatedBy(current, claims);
    limited = saturated.webhookIds;
    return { remainder: remainderOf(claims.length >= limit, saturated), claimed: claims.length };
  }

  /** Suspects and the others get every other slot, so that neither waits for the other where few come free. */
  function dividedLimits(limit: number): SlotLimits {
    const current = limits.current(inFlight());
    suspectsHaveOdd = !suspectsHaveOdd;
    const half = suspectsHaveOdd ? Math.ceil(limit / 2) : Math.floor(limit / 2);
    const { suspectSlots } = current;
    return suspectSlots === undefined ? current : { ...current, suspectSlots: Math.min(suspectSlots, half) };
  }

  return {
    limited: () => limited,
    async claim(limit) {
      let remainder: Remainder = { kind: 'none' };
      try {
        const first = await claimOnce(limit, dividedLimits(limit));
        remainder = first.remainder;
        const left = Math.min(slots.free(), limit - first.claimed);
        // Held back, and not `more`: only saturated webhooks have anything left that is due.
        const beyondHalf = remainder.kind === 'held-back' ? limits.beyondHalf(inFlight()) : undefined;
        if (beyondHalf !== undefined && left > 0) {
          remainder = (await claimOnce(left, beyondHalf)).remainder;
        }
        return remainder;
      } catch (error) {
        deps.notifier.error('claim', error);
        // What the first of two claims held back is claimed as soon as slots of these webhooks come free.
        return remainder.kind === 'held-back' ? { ...remainder, hasFailed: true } : remainder;
      }
    },
  };
}

interface Saturated {
  readonly webhookIds: ReadonlySet<number>;
  readonly attempts: number;
}

function remainderOf(isFull: boolean, saturated: Saturated): Remainder {
  if (isFull) return { kind: 'more' };
  return saturated.webhookIds.size === 0 ? { kind: 'none' } : { kind: 'held-back', ...saturated };
}

/** The webhooks of which a claim may start no more: more can be due, which it has not read. */
function saturatedBy(limits: SlotLimits, claimed: readonly ClaimedDelivery[]): Saturated {
  const after = withClaimed(
    limits,
    claimed.map(({ webhook }) => webhook.id),
  );
  const known = new Set([...after.inFlight.keys(), ...(limits.suspects ?? [])]);
  const webhookIds = new Set([...known].filter((webhookId) => isSaturated(webhookId, after)));
  const attempts = [...webhookIds].reduce((sum, id) => sum + (after.inFlight.get(id) ?? 0), 0);
  return { webhookIds, attempts };
}
