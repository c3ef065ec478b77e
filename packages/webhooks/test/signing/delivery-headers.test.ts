import { describe, expect, it } from 'vitest';
import { deliveryHeaders, ID } from './signed-delivery.ts';

describe('the headers of a delivery', () => {
  // The second value: printf '%s' "$ID.$((CREATED + 30)).$BODY" | openssl dgst -sha256 -mac HMAC \
  //   -macopt hexkey:000102030405060708090a0b0c0d0e0f1011121314151617 -binary | base64
  it('are the two header sets, the content type and the user agent', () => {
    expect(deliveryHeaders()).toEqual({
      Accept: '*/*',
      'Content-Type': 'application/json',
      'User-Agent': 'acme-webhooks/0.1.0',
      'X-Webhook-ID': ID,
      'X-Webhook-Timestamp': '1795147800',
      'X-Webhook-Signature': '5d05beb6789a8a1792a42636c04525bb68d46ff43f7ec20f737dfec0e289c478',
      'X-Webhook-Event': 'user.created',
      'X-Webhook-Attempt': '2',
      'webhook-id': ID,
      'webhook-timestamp': '1795147830',
      'webhook-signature': 'v1,bEMHgj6Ig85eI9+KaOMMo7ebcjXyoEF7BD28OsFNKF0=',
    });
  });
});
