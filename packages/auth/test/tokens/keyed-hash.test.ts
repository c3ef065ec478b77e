import { describe, expect, it } from 'vitest';
import { createKeyRing } from '../../src/tokens/key-ring.ts';
import { createKeyedHash } from '../../src/tokens/keyed-hash.ts';

const OLD = { kid: 'old', key: 'a-signing-key-of-at-least-32-bytes-for-tests' };
const NEXT = { kid: 'next', key: 'the-next-signing-key-of-at-least-32-bytes' };
const hashOf = (signingKeys: (typeof OLD)[], label = 'use') =>
  createKeyedHash(createKeyRing({ signingKeys }), label);

describe('a keyed hash', () => {
  it('is 43 characters of base64url, the same for the same text', () => {
    const { hash } = hashOf([OLD]);
    expect(hash('ada')).toMatch(/^[\w-]{43}$/);
    expect(hash('ada')).toBe(hash('ada'));
    expect(hash('ada')).not.toBe(hash('Ada'));
  });

  it('is signed with the key that signs, whose name it carries, and recognised with every key', () => {
    const before = hashOf([OLD, NEXT]).sign('ada');
    const after = hashOf([NEXT, OLD]).sign('ada');
    expect(before).toMatch(/^[\w-]{51}$/);
    expect(before.slice(8)).toBe(hashOf([OLD]).hash('ada'));
    expect(after.slice(0, 8)).not.toBe(before.slice(0, 8));
    for (const signed of [before, after]) expect(hashOf([NEXT, OLD]).matches('ada', signed)).toBe(true);
    expect(hashOf([NEXT]).matches('ada', before)).toBe(false);
    expect(hashOf([NEXT, OLD]).matches('ada', after.slice(0, 8) + before.slice(8))).toBe(false);
  });

  it('is another under another label', () => {
    expect(hashOf([OLD], 'other').matches('ada', hashOf([OLD]).sign('ada'))).toBe(false);
  });

  it.each(['', 'x', 'é'.repeat(22), 'x'.repeat(51), 'x'.repeat(10_000)])(
    'matches no other text: %s',
    (hash) => {
      expect(hashOf([OLD]).matches('ada', hash)).toBe(false);
    },
  );
});
