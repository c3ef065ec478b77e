import { WebhookError } from '../errors.ts';

/** Whether a caller's text can be the id of a delivery at all. */
export function isDeliveryId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text);
}

export function deliveryNotFound(): never {
  throw new WebhookError('delivery_not_found', 'There is no such delivery');
}
