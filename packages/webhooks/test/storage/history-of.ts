import type { FoundDelivery } from '../../src/storage/delivery-search.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';

/** The newest 100 deliveries of a webhook, newest first. */
export async function historyOf(
  storage: Pick<WebhookStorage, 'findDeliveries'>,
  webhookId: number,
): Promise<FoundDelivery[]> {
  return (await storage.findDeliveries({ webhookId, limit: 100, maxScanned: 5_000 })).deliveries;
}
