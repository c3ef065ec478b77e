import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { BODY, call, EVENT, received, refusal } from './received-callback.ts';

describe('header of the scheme x-webhook', () => {
  const scheme = 'x-webhook';

  it('names the event that the signed body names', async () => {
    expect(await refusal({ scheme, headers: received(BODY, { 'X-Webhook-Event': 'user.deleted' }) })).toBe(
      'signature_mismatch',
    );
    const { 'X-Webhook-Event': _, ...headers } = received();
    expect(await refusal({ scheme, headers })).toBe('signature_missing');
  });

  inOneTest(['A'.repeat(64), 'a'.repeat(63), 'a'.repeat(66), `0x${'a'.repeat(62)}`, `${'a'.repeat(64)} `])(
    'refuses the signature %j',
    async (signature) => {
      expect(await refusal({ scheme, headers: received(BODY, { 'X-Webhook-Signature': signature }) })).toBe(
        'signature_malformed',
      );
      expect(
        await refusal({ scheme, headers: received(BODY, { 'X-Webhook-Signature-Previous': signature }) }),
      ).toBe('signature_malformed');
    },
  );

  it('may hold the signature of the secret before the rotation', async () => {
    const genuine = received();
    const headers = received(BODY, {
      'X-Webhook-Signature': 'ab'.repeat(32),
      'X-Webhook-Signature-Previous': genuine['X-Webhook-Signature'] ?? '',
    });
    expect(await call({ scheme, headers })).toEqual(EVENT);
    const { 'X-Webhook-Signature': _, ...onlyPrevious } = headers;
    expect(await refusal({ scheme, headers: onlyPrevious })).toBe('signature_missing');
  });
});

describe('webhook-signature', () => {
  const genuine = received()['webhook-signature'] ?? '';
  const other = `v1,${Buffer.alloc(32).toString('base64')}`;

  inOneTest([`${other} ${genuine}`, `${genuine} ${other}`, `v1a,abc ${genuine}`, `v2,x ${genuine}`])(
    'accepts one that fits among several: %s',
    async (value) => {
      expect(await call({ headers: received(BODY, { 'webhook-signature': value }) })).toEqual(EVENT);
    },
  );

  inOneTest([
    genuine.slice(3),
    `v1a,${genuine.slice(3)}`,
    `V1,${genuine.slice(3)}`,
    'v1,',
    'v1',
    `${genuine}=`,
    genuine.slice(0, -1),
    `${genuine},${genuine.slice(3)}`,
    `v1,${Buffer.alloc(31).toString('base64')}`,
    `v1,${Buffer.alloc(33).toString('base64')}`,
    // The last character before the padding carries two bits that must be zero.
    `v1,${'A'.repeat(42)}B=`,
    Array.from({ length: 17 }, () => genuine).join(' '),
  ])('refuses %j', async (value) => {
    expect(await refusal({ headers: received(BODY, { 'webhook-signature': value }) })).toBe(
      'signature_malformed',
    );
  });
});
