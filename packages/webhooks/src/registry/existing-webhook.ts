import { WebhookError } from '../errors.ts';
import type { Webhook } from '../storage/records.ts';
import type { WebhookStorage } from '../storage/storage.ts';

/** @throws WebhookError `webhook_not_found` when there is none of that id, whatever `id` is */
export async function existingWebhook(
  storage: Pick<WebhookStorage, 'findWebhook'>,
  id: number,
): Promise<Webhook> {
  const webhook = Number.isSafeInteger(id) && id > 0 ? await storage.findWebhook(id) : undefined;
  return webhook ?? webhookNotFound();
}

export function webhookNotFound(): never {
  throw new WebhookError('webhook_not_found', 'There is no such webhook');
}
