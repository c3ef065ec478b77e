import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createKeyRing } from '../../src/tokens/key-ring.ts';

const SECRET = 'Zm9vYmFyYmF6-not-a-real-one-7f3a91';

describe('createKeyRing', () => {
  inOneTest<[string, unknown]>([
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
