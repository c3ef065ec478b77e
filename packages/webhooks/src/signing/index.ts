export { isWebhookError, WebhookError } from '../errors.ts';
export { isTestDelivery } from '../test-deliveries.ts';
export { generateSecret } from './secret.ts';
export type { SignInput } from './sign.ts';
export { sign } from './sign.ts';
export type { ReceivedEvent, UnknownEvent, VerifiedEvent } from './verified-event.ts';
export type { VerifyInput } from './verify.ts';
export { verify } from './verify.ts';
