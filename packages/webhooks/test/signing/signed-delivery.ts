import { createDeliveryHeaders, type DeliveryHeadersInput } from '../../src/signing/delivery-headers.ts';

export const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX';
export const BODY = '{"type":"user.created","timestamp":"2026-11-20T04:10:00.123Z","data":{"name":"Zoë"}}';
export const ID = '0123456789abcdef0123456789abcdef';
export const CREATED = 1_795_147_800;

/** The headers of a delivery's second attempt, of which the test says what matters to it. */
export function deliveryHeaders(input: Partial<DeliveryHeadersInput> = {}): Record<string, string> {
  return createDeliveryHeaders({
    secret: SECRET,
    deliveryId: ID,
    event: 'user.created',
    createdAtSeconds: CREATED,
    attemptAtSeconds: CREATED + 30,
    attempt: 2,
    body: BODY,
    standardHeaders: true,
    userAgent: 'acme-webhooks/0.1.0',
    ...input,
  });
}
