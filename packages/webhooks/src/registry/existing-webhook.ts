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

/** @throws WebhookError `precondition_failed` where a state is expected, and the webhook is in another one */
export function assertExpected({ updatedAt }: Webhook, expectedUpdatedAt: string | undefined): void {
  if (expectedUpdatedAt !== undefined && updatedAt !== expectedUpdatedAt) preconditionFailed();
}

export function preconditionFailed(): never {
  throw new WebhookError('precondition_failed', 'The webhook has been changed meanwhile');
}

export function webhookNotFound(): never {
  throw new WebhookError('webhook_not_found', 'There is no such webhook');
}
