import assert from 'node:assert/strict';
import type { ClaimedDelivery, ClaimRequest } from '../../src/storage/delivery-requests.ts';

interface Wait {
  claims: number;
  /** The webhooks that waited meanwhile, at once or one after the other. */
  waiting: ReadonlySet<number>;
  /** The fewest slots that were free meanwhile. */
  slots: number;
}

/**
 * The promise of fairness, as a number: a webhook with something due and nothing in flight is
 * chosen within ⌈n ÷ f⌉ + 1 claims of one process. n is the number of such webhooks meanwhile, f
 * the smallest number of free slots for it: for suspects of slots left to suspects, for others of
 * all without those. Claims for none do not count.
 */
export class FairnessWatch {
  /** Of each process on this storage, by webhook. */
  readonly #waits = new Map<object, Map<number, Wait>>();

  /** Begins anew. */
  reset(): void {
    this.#waits.clear();
  }

  /**
   * @param due the webhooks with something due and free, when the claim began
   * @param isAlone no other claim was under way: it counts
   */
  claimed(
    process: object,
    request: ClaimRequest,
    claims: readonly ClaimedDelivery[],
    { due, isAlone }: { readonly due: ReadonlySet<number>; readonly isAlone: boolean },
  ): void {
    const { limit, suspects, suspectSlots = limit } = request;
    const chosen = new Set(claims.map(({ webhook }) => webhook.id));
    for (const waits of this.#waits.values()) for (const webhookId of chosen) waits.delete(webhookId);
    const before = this.#waits.get(process);
    const after = new Map<number, Wait>();
    this.#waits.set(process, after);
    const waiting = [...due].filter((webhookId) => mayHaveOne(request, webhookId));
    for (const webhookId of waiting) {
      if (chosen.has(webhookId)) continue;
      const ofSuspects = suspects === undefined || suspects.size === 0 ? 0 : Math.min(limit, suspectSlots);
      const slots = suspects?.has(webhookId) ? ofSuspects : limit - ofSuspects;
      const known = before?.get(webhookId) ?? {
        claims: 0,
        waiting: new Set<number>(),
        slots: Number.POSITIVE_INFINITY,
      };
      const counts = isAlone && slots > 0;
      const wait = counts
        ? {
            claims: known.claims + 1,
            waiting: new Set([...known.waiting, ...waiting]),
            slots: Math.min(known.slots, slots),
          }
        : known;
      after.set(webhookId, wait);
      const most = Math.ceil(wait.waiting.size / wait.slots) + 1;
      assert.ok(wait.claims < most, `webhook ${webhookId} is not chosen within ${most} claims`);
    }
  }
}

function mayHaveOne({ webhookLimits, maxPerWebhook, inFlight }: ClaimRequest, webhookId: number): boolean {
  return (webhookLimits?.get(webhookId) ?? maxPerWebhook) > 0 && (inFlight.get(webhookId) ?? 0) === 0;
}
