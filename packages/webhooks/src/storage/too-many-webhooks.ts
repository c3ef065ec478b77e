import { WebhookError } from '../errors.ts';

/** What `createWebhook` rejects with if the tenant has as many webhooks as it may. */
export function tooManyWebhooks(max: number): WebhookError {
  return new WebhookError('too_many_webhooks', `There may be ${max} webhooks at most`);
}
