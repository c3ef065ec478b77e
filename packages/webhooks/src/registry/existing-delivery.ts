import { WebhookError } from '../errors.ts';

/** True if the text has the form of a delivery id. */
export function isDeliveryId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text);
}

export function deliveryNotFound(): never {
  throw new WebhookError('delivery_not_found', 'There is no such delivery');
}
