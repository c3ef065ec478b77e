import { describe, expect, it } from 'vitest';
import { generateSecret } from '../../src/signing/secret.ts';
import { CREATED, deliveryHeaders, ID } from './signed-delivery.ts';

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

  it('are without the second set where it is turned off', () => {
    const names = Object.keys(deliveryHeaders({ standardHeaders: false, previousSecret: generateSecret() }));
    expect(names.filter((name) => name.startsWith('webhook-'))).toEqual([]);
    expect(names).toContain('X-Webhook-Signature-Previous');
  });

  it('keep the first set on every attempt', () => {
    const first = deliveryHeaders({ attempt: 1, attemptAtSeconds: CREATED });
    const fourth = deliveryHeaders({ attempt: 4, attemptAtSeconds: CREATED + 4000 });
    for (const name of ['X-Webhook-ID', 'X-Webhook-Timestamp', 'X-Webhook-Signature', 'X-Webhook-Event']) {
      expect(fourth[name]).toBe(first[name]);
    }
    expect(fourth['webhook-signature']).not.toBe(first['webhook-signature']);
  });

  it('carry both signatures while a secret is being rotated', () => {
    const previousSecret = generateSecret();
    const rotating = deliveryHeaders({ previousSecret });
    const before = deliveryHeaders({ secret: previousSecret });
    expect(rotating['X-Webhook-Signature']).toBe(deliveryHeaders()['X-Webhook-Signature']);
    expect(rotating['X-Webhook-Signature-Previous']).toBe(before['X-Webhook-Signature']);
    const both = `${deliveryHeaders()['webhook-signature']} ${before['webhook-signature']}`;
    expect(rotating['webhook-signature']).toBe(both);
  });
});
