import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Notifier } from '../hooks.ts';
import type { ClaimedDelivery } from '../storage/delivery-requests.ts';
import { createFairShare, type ShareRequest } from '../storage/fair-share.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Remainder } from './claim-pace.ts';
import type { Slots } from './slots.ts';
import type { WebhookLimits } from './webhook-limits.ts';

/**
 * Claims as many deliveries as there are free slots, within the limits that the webhooks have at this moment, and starts
 * them. Answers what is left; never rejects.
 */
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
}): (limit: number) => Promise<Remainder> {
  const { storage, slots, limits, leaseMs, maxAttempts, clock, monotonicClock } = deps;

  /** Attempts end while the storage answers: it decides by what was under way when it was asked. */
  function inFlight(): ReadonlyMap<number, number> {
    return new Map(slots.byWebhook());
  }

  async function claim(limit: number, shares: ShareRequest): Promise<Remainder> {
    const claimedAt = monotonicClock();
    let isComplete = true;
    const onIncomplete = () => {
      isComplete = false;
    };
    const request = { now: clock(), limit, leaseMs, maxAttempts, claimToken: randomUUID(), onIncomplete };
    const claimed = await storage.claimDueDeliveries({ ...request, ...shares });
    slots.beginRound();
    for (const delivery of claimed) deps.start(delivery, claimedAt);
    if (claimed.length >= limit) return { kind: 'more' };
    return isComplete ? heldBack(shares, claimed) : { kind: 'unfinished' };
  }

  return async (limit) => {
    try {
      const remainder = await claim(limit, limits.shares(inFlight()));
      // Nobody else has anything due that could start now.
      const beyondHalf = remainder.kind === 'held-back' ? limits.sharesBeyondHalf(inFlight()) : undefined;
      const left = slots.free();
      return beyondHalf === undefined || left === 0 ? remainder : await claim(left, beyondHalf);
    } catch (error) {
      // The next hint or sweep looks again.
      deps.notifier.error('claim', error);
      return { kind: 'none' };
    }
  };
}

/** Of a webhook that has as many attempts as it may, more can be due: the claim has not looked. */
function heldBack(shares: ShareRequest, claimed: readonly ClaimedDelivery[]): Remainder {
  const share = createFairShare(shares);
  const counts = new Map(shares.inFlight);
  for (const { webhook } of claimed) {
    share.add(webhook.id);
    counts.set(webhook.id, (counts.get(webhook.id) ?? 0) + 1);
  }
  const saturated = [...counts].filter(([webhookId]) => share.roomOf(webhookId) === 0);
  if (saturated.length === 0) return { kind: 'none' };
  const attempts = saturated.reduce((sum, [, count]) => sum + count, 0);
  return { kind: 'held-back', webhookIds: new Set(saturated.map(([webhookId]) => webhookId)), attempts };
}
