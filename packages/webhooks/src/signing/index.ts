export type { WebhookErrorCode } from '../error-codes.ts';
export { isWebhookError, WebhookError } from '../errors.ts';
export { isTestDelivery } from '../test-deliveries.ts';
export type { CallbackHeaders } from './callback-headers.ts';
export { generateSecret } from './secret.ts';
export { type SignInput, sign } from './sign.ts';
export type { SignatureSchemeName } from './signature-scheme.ts';
export type { CallbackBody, ReceivedEvent, UnknownEvent, VerifiedEvent } from './verified-event.ts';
export { type VerifyInput, verify } from './verify.ts';
