import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Notifier } from '../hooks.ts';
import type { ClaimedDelivery } from '../storage/delivery-requests.ts';
import { createFairShare, type ShareRequest } from '../storage/fair-share.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Remainder } from './claim-pace.ts';
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
  readonly slots: Pick<Slots, 'free' | 'byWebhook' | 'beginRound'>;
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

  /** Attempts end while the storage answers: it decides by what was under way when it was asked. */
  function inFlight(): ReadonlyMap<number, number> {
    return new Map(slots.byWebhook());
  }

  async function claimOnce(limit: number, shares: ShareRequest): Promise<Remainder> {
    const claimedAt = monotonicClock();
    let isComplete = true;
    const onIncomplete = () => {
      isComplete = false;
    };
    const request = { now: clock(), limit, leaseMs, maxAttempts, claimToken: randomUUID(), onIncomplete };
    const claimed = await storage.claimDueDeliveries({ ...request, ...shares });
    slots.beginRound();
    for (const delivery of claimed) deps.start(delivery, claimedAt);
    const saturated = saturatedBy(shares, claimed);
    limited = saturated.webhookIds;
    if (claimed.length >= limit) return { kind: 'more' };
    if (!isComplete) return { kind: 'unfinished' };
    return saturated.webhookIds.size === 0 ? { kind: 'none' } : { kind: 'held-back', ...saturated };
  }

  return {
    limited: () => limited,
    async claim(limit) {
      try {
        const remainder = await claimOnce(limit, limits.shares(inFlight()));
        // Nobody else has anything due that could start now.
        const beyondHalf = remainder.kind === 'held-back' ? limits.sharesBeyondHalf(inFlight()) : undefined;
        const left = slots.free();
        return beyondHalf === undefined || left === 0 ? remainder : await claimOnce(left, beyondHalf);
      } catch (error) {
        // The next hint or sweep looks again.
        deps.notifier.error('claim', error);
        return { kind: 'none' };
      }
    },
  };
}

/** The webhooks of which a claim may start no more: more can be due, which it has not looked at. */
function saturatedBy(
  shares: ShareRequest,
  claimed: readonly ClaimedDelivery[],
): { readonly webhookIds: ReadonlySet<number>; readonly attempts: number } {
  const share = createFairShare(shares);
  const counts = new Map(shares.inFlight);
  for (const { webhook } of claimed) {
    share.add(webhook.id);
    counts.set(webhook.id, (counts.get(webhook.id) ?? 0) + 1);
  }
  const known = new Set([...counts.keys(), ...(shares.suspects ?? [])]);
  const webhookIds = new Set([...known].filter((webhookId) => share.roomOf(webhookId) === 0));
  const attempts = [...webhookIds].reduce((sum, webhookId) => sum + (counts.get(webhookId) ?? 0), 0);
  return { webhookIds, attempts };
}
