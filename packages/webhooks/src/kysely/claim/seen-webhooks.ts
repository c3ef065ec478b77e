import type { WaitingWebhook } from '../../storage/delivery-requests.ts';

/** How many webhooks a claim looks at again. */
const LOOKED_AT_AGAIN = 256;

/** How many webhooks are remembered: of more, those are forgotten that were looked at longest ago. */
const MAX_SEEN = 10_000;

/**
 * The webhooks that claims of this process have seen, and left something due of. Without them, one
 * of ten thousand would be given to the choice in every fortieth claim only, while whoever has the
 * oldest and the newest deliveries is given to each.
 */
export interface SeenWebhooks {
  /** Which to look at: one of each customer first, those before that were not for the longest time. */
  next(): readonly number[];
  /**
   * Learns what a claim has seen and chosen.
   *
   * @param looked what {@link next} had returned for it
   */
  learn(
    looked: readonly number[],
    waiting: readonly WaitingWebhook[],
    chosen: ReadonlyMap<number, number>,
  ): void;
}

export function createSeenWebhooks(): SeenWebhooks {
  /** Whose they are. The one that was looked at longest ago comes first. */
  const seen = new Map<number, string>();
  return {
    next() {
      if (seen.size <= LOOKED_AT_AGAIN) return [...seen.keys()];
      const tenants = new Set<string>();
      const firsts: number[] = [];
      const others: number[] = [];
      for (const [webhookId, tenant] of seen) {
        if (firsts.length === LOOKED_AT_AGAIN) break;
        if (!tenants.has(tenant)) firsts.push(webhookId);
        else if (others.length < LOOKED_AT_AGAIN) others.push(webhookId);
        tenants.add(tenant);
      }
      return [...firsts, ...others].slice(0, LOOKED_AT_AGAIN);
    },
    learn(looked, waiting, chosen) {
      for (const webhookId of looked) seen.delete(webhookId);
      for (const { webhookId, tenant, due } of waiting) {
        // A map keeps a key in its place: only one that was deleted moves to the end.
        seen.delete(webhookId);
        if (due > (chosen.get(webhookId) ?? 0)) seen.set(webhookId, tenant);
      }
      for (const webhookId of seen.keys()) {
        if (seen.size <= MAX_SEEN) return;
        seen.delete(webhookId);
      }
    },
  };
}
