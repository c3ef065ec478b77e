export { isWebhookError, WebhookError } from '../errors.ts';
export { isTestDelivery } from '../test-deliveries.ts';
export { generateSecret } from './secret.ts';
export { type SignInput, sign } from './sign.ts';
export type { CallbackBody, ReceivedEvent, UnknownEvent, VerifiedEvent } from './verified-event.ts';
export { type VerifyInput, verify } from './verify.ts';
