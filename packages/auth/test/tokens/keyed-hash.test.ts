import { describe, expect, it } from 'vitest';
import { createKeyRing } from '../../src/tokens/key-ring.ts';
import { createKeyedHash } from '../../src/tokens/keyed-hash.ts';

const OLD = { kid: 'old', key: 'a signing key of at least 32 bytes, for tests' };
const NEXT = { kid: 'next', key: 'the next signing key of at least 32 bytes' };
const hashOf = (signingKeys: (typeof OLD)[], label = 'use') =>
  createKeyedHash(createKeyRing({ signingKeys }), label);

describe('a keyed hash', () => {
  it('is 43 characters of base64url, the same for the same text', () => {
    const { hash } = hashOf([OLD]);
    expect(hash('ada')).toMatch(/^[\w-]{43}$/);
    expect(hash('ada')).toBe(hash('ada'));
    expect(hash('ada')).not.toBe(hash('Ada'));
  });

  it('is made with the key that signs, and recognised with every key', () => {
    const before = hashOf([OLD, NEXT]).hash('ada');
    const after = hashOf([NEXT, OLD]).hash('ada');
    expect(after).not.toBe(before);
    for (const hash of [before, after]) expect(hashOf([NEXT, OLD]).matches('ada', hash)).toBe(true);
    expect(hashOf([NEXT]).matches('ada', before)).toBe(false);
  });

  it('is another under another label', () => {
    expect(hashOf([OLD], 'other').matches('ada', hashOf([OLD]).hash('ada'))).toBe(false);
  });

  it.each(['', 'x', 'é'.repeat(22), 'x'.repeat(43), 'x'.repeat(10_000)])(
    'matches no other text: %s',
    (hash) => {
      expect(hashOf([OLD]).matches('ada', hash)).toBe(false);
    },
  );
});
