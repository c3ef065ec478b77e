import { WebhookError } from '../errors.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import type { Webhook } from '../storage/webhook-record.ts';

/**
 * @throws WebhookError `webhook_not_found` if there is no webhook with that id, also for an invalid
 *   id
 */
export async function existingWebhook(
  storage: Pick<WebhookStorage, 'findWebhook'>,
  id: number,
): Promise<Webhook> {
  const webhook = Number.isSafeInteger(id) && id > 0 ? await storage.findWebhook(id) : undefined;
  return webhook ?? webhookNotFound();
}

/** @throws WebhookError `precondition_failed` if the webhook is not in the expected state */
export function assertExpected({ updatedAt }: Webhook, expectedUpdatedAt: string | undefined): void {
  if (expectedUpdatedAt !== undefined && updatedAt !== expectedUpdatedAt) preconditionFailed();
}

export function preconditionFailed(): never {
  throw new WebhookError('precondition_failed', 'The webhook has been changed meanwhile');
}

export function webhookNotFound(): never {
  throw new WebhookError('webhook_not_found', 'There is no such webhook');
}
