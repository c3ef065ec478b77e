import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { generateApiKey, hashApiKey, parseApiKey } from '../../src/api-keys/api-key.ts';
import { base62 } from '../../src/api-keys/base62.ts';

/** The bitwise CRC-32 of ISO 3309, apart from the one of zlib that the product uses. */
function crc32Bitwise(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

describe('generateApiKey', () => {
  it('makes a key of the documented form, with a display prefix and a hash', () => {
    const { key, displayPrefix, hash } = generateApiKey('acme_live');
    expect(key).toMatch(/^acme_live_[0-9A-Za-z]{49}$/);
    expect(displayPrefix).toBe(key.slice(0, 'acme_live_'.length + 8));
    expect(hash).toBe(`sha256$${createHash('sha256').update(key).digest('hex')}`);
    expect(hashApiKey(key)).toBe(hash);
  });

  it('ends in the CRC-32 of everything before', () => {
    // The check value that every CRC catalogue gives for "123456789".
    expect(crc32Bitwise('123456789')).toBe(0xcbf43926);
    for (let round = 0; round < 100; round += 1) {
      const { key } = generateApiKey('k1');
      expect(key.slice(-6)).toBe(base62(BigInt(crc32Bitwise(key.slice(0, -6))), 6));
    }
  });

  it('does not repeat', () => {
    const keys = Array.from({ length: 1000 }, () => generateApiKey('acme').key);
    expect(new Set(keys).size).toBe(1000);
  });

  inOneTest(['', 'a', 'A1', '1a', '_a', 'a-b', 'a b', 'ab\n', 'ä1', 'x'.repeat(33), undefined, null, 42])(
    'refuses the prefix %j',
    (prefix) => {
      expect(() => generateApiKey(prefix as string)).toThrow(TypeError);
    },
  );

  inOneTest(['ab', 'a_', 'a__b_', 'x'.repeat(32)])('finds the prefix %j again', (prefix) => {
    expect(parseApiKey(generateApiKey(prefix).key)).toMatchObject({ prefix, isIntact: true });
  });
});

describe('parseApiKey', () => {
  const { key, displayPrefix } = generateApiKey('acme');

  it('reads its parts', () => {
    expect(parseApiKey(key)).toEqual({ prefix: 'acme', displayPrefix, isIntact: true });
  });

  it('notices every change of one character', () => {
    for (let index = 'acme_'.length; index < key.length; index += 1) {
      const changed = key.slice(0, index) + (key[index] === 'x' ? 'y' : 'x') + key.slice(index + 1);
      expect(parseApiKey(changed)?.isIntact).toBe(false);
    }
    expect(parseApiKey(`b${key.slice(1)}`)?.isIntact).toBe(false);
  });

  inOneTest<[unknown]>([
    [undefined],
    [null],
    [42],
    [''],
    ['acme'],
    [key.slice(1 + 'acme'.length)],
    [key.slice(0, -1)],
    [`${key}x`],
    [`${key}\n`],
    [` ${key}`],
    [key.toUpperCase()],
    [key.replace('acme', 'ac-me')],
    ['a'.repeat(1_000_000)],
  ])('gives nothing for a text of another form (%#)', (text) => {
    expect(parseApiKey(text as string)).toBeUndefined();
  });
});

describe('base62', () => {
  inOneTest([
    [0n, 3, '000'],
    [9n, 1, '9'],
    [10n, 1, 'A'],
    [36n, 1, 'a'],
    [61n, 1, 'z'],
    [62n, 2, '10'],
    [62n ** 5n, 6, '100000'],
  ])('writes %d in %d characters as %s', (value, length, expected) => {
    expect(base62(value, length)).toBe(expected);
  });

  it('has room for 32 bytes in 43 characters and for 32 bits in 6', () => {
    expect(base62(2n ** 256n - 1n, 43)).toHaveLength(43);
    expect(base62(2n ** 32n - 1n, 6)).toHaveLength(6);
  });

  it('refuses what does not fit', () => {
    expect(() => base62(62n, 1)).toThrow(RangeError);
  });
});
