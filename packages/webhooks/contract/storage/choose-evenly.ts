import type { ClaimRequest } from '../../src/storage/delivery-requests.ts';

/**
 * Chooses one delivery of each webhook, in the order given, then another one, until there are
 * `limit`. Leaves out webhooks that pause.
 */
export function chooseEvenly(
  limit: number,
  maxPerWebhook: number = Number.POSITIVE_INFINITY,
): ClaimRequest['choose'] {
  return (waiting) => {
    const chosen = new Map<number, number>();
    let left = limit;
    for (let round = 1; round <= Math.min(limit, maxPerWebhook) && left > 0; round++) {
      for (const { webhookId } of waiting.filter((one) => !one.isPaused && one.due >= round).slice(0, left)) {
        chosen.set(webhookId, round);
        left -= 1;
      }
    }
    return chosen;
  };
}
