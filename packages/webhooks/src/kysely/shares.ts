import type { ClaimRequest } from '../storage/delivery-requests.ts';
import type { WebhookDialect } from './dialect.ts';
import type { ClaimRow } from './hand.ts';

/**
 * Whether all that is claimed may be one webhook's, whichever that is: the statement that finds the first of the line may then
 * lock them, half of what taking rows costs. What is locked and not taken would be missing in somebody else's claim.
 */
export function everyWebhookHasRoom(request: ClaimRequest): boolean {
  return mostInFlight(request) + request.limit <= request.maxPerWebhook;
}

/**
 * A writer that is alone locks nothing away from others: it looks what comes, unless some webhook has its share already, whose
 * rows are likely to be the first.
 */
export function mayTryFirst({ isEmbedded }: WebhookDialect, request: ClaimRequest): boolean {
  return isEmbedded && mostInFlight(request) < request.maxPerWebhook;
}

function mostInFlight({ inFlight }: ClaimRequest): number {
  return Math.max(0, ...inFlight.values());
}

/** The webhooks that have their share. */
export function fullWebhooks({ inFlight, maxPerWebhook }: ClaimRequest): number[] {
  return [...inFlight].filter(([, count]) => count >= maxPerWebhook).map(([webhookId]) => webhookId);
}

/** Whether nobody gets more than a share with these rows. */
export function hasRoomFor(rows: readonly ClaimRow[], { inFlight, maxPerWebhook }: ClaimRequest): boolean {
  const counts = new Map(inFlight);
  return rows.every((row) => {
    const webhookId = Number(row.webhook_id);
    const count = (counts.get(webhookId) ?? 0) + 1;
    counts.set(webhookId, count);
    return count <= maxPerWebhook;
  });
}
