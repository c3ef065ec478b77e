import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyRing, type SigningKey } from '../../src/tokens/key-ring.ts';

const SECRET = 'Zm9vYmFyYmF6-not-a-real-secret-7f3a91';
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }));
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }));

describe('createKeyRing', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['empty bytes', new Uint8Array(0)],
    ['31 bytes of text', 'x'.repeat(31)],
    ['31 bytes', new Uint8Array(31)],
    ['a number', 42],
    ['an array of numbers', Array(32).fill(1)],
    ['a key object', publicKey],
    ['half of a surrogate pair', `${'x'.repeat(32)}\ud800`],
    ['a PEM public key', pem],
    ['a PEM after other text', `key=\n\n  ${pem}`],
    ['a PEM in bytes', Buffer.from(pem)],
    ['a PEM in UTF-16', Buffer.from(pem, 'utf16le')],
    ['a PEM in lower case', pem.toLowerCase()],
    ['a PEM in base64', Buffer.from(pem).toString('base64')],
    ['a JWK', jwk],
    ['a JWK with white space around', `\n  ${jwk}\t`],
    ['a JWK after a byte order mark', `\ufeff${jwk}`],
    ['a JWK in bytes', Buffer.from(jwk)],
    ['a JWK in UTF-16', Buffer.from(jwk, 'utf16le')],
    ['a JWK in base64url', Buffer.from(jwk).toString('base64url')],
    ['a JWK Set', JSON.stringify({ keys: [JSON.parse(jwk)] })],
    ['a symmetric JWK', JSON.stringify({ kty: 'oct', k: 'A'.repeat(43) })],
    ['a JSON array', JSON.stringify([jwk])],
  ])('refuses %s as the key', (_, signingKey) => {
    expect(() => createKeyRing({ signingKey: signingKey as SigningKey })).toThrow(TypeError);
    expect(() => createKeyRing({ signingKeys: [{ kid: 'a', key: signingKey as SigningKey }] })).toThrow(
      TypeError,
    );
  });

  it('never repeats a key in a message', () => {
    for (const key of [SECRET.slice(0, 20), pem, jwk]) {
      try {
        createKeyRing({ signingKey: key });
        expect.unreachable();
      } catch (error) {
        expect(String(error)).not.toContain(key.slice(0, 12));
      }
    }
  });

  it.each<[string, unknown]>([
    ['no keys', []],
    ['nine keys', Array.from({ length: 9 }, (_, n) => ({ kid: `k${n}`, key: SECRET }))],
    ['an object', { kid: 'a', key: SECRET }],
    ['a hole', [null]],
    ['a key without kid', [{ key: SECRET }]],
    ['an empty kid', [{ kid: '', key: SECRET }]],
    ['a kid of 65 characters', [{ kid: 'k'.repeat(65), key: SECRET }]],
    ['a kid with a space', [{ kid: 'a b', key: SECRET }]],
    ['a numeric kid', [{ kid: 1, key: SECRET }]],
    [
      'a kid twice',
      [
        { kid: 'a', key: SECRET },
        { kid: 'a', key: `${SECRET}2` },
      ],
    ],
  ])('refuses %s in signingKeys', (_, signingKeys) => {
    expect(() => createKeyRing({ signingKeys: signingKeys as [] })).toThrow(TypeError);
  });

  it('refuses both options at once', () => {
    expect(() => createKeyRing({ signingKey: SECRET, signingKeys: [{ kid: 'a', key: SECRET }] })).toThrow(
      TypeError,
    );
  });

  it('finds the key of a known kid, no key for an unknown one, and all keys without kid', () => {
    const ring = createKeyRing({
      signingKeys: [
        { kid: 'new', key: SECRET },
        { kid: 'old', key: `${SECRET}2` },
      ],
    });
    expect(ring.signingKey.kid).toBe('new');
    expect(ring.verificationKeys('old').map((key) => key.kid)).toEqual(['old']);
    expect(ring.verificationKeys(undefined).map((key) => key.kid)).toEqual(['new', 'old']);
    for (const kid of ['', 'NEW', '__proto__', 'constructor']) expect(ring.verificationKeys(kid)).toEqual([]);
  });

  it('knows no kid when there is one key without', () => {
    expect(createKeyRing({ signingKey: SECRET }).verificationKeys('a')).toEqual([]);
  });
});
