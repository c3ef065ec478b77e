import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHmacSha256 } from '../../src/tokens/hmac-sha256.ts';

describe('HMAC-SHA-256', () => {
  it('agrees with createHmac for keys and texts of every length, one after the other', () => {
    const texts = fc.string({ unit: 'grapheme-ascii', maxLength: 400 });
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.array(texts, { maxLength: 6 }),
        (key, all) => {
          const mac = createHmacSha256(key, 400);
          for (const text of all) {
            expect(mac(text)).toBe(createHmac('sha256', key).update(text).digest('base64url'));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps a block-sized key as it is and hashes one that is a byte longer', () => {
    for (const length of [63, 64, 65]) {
      const key = Buffer.alloc(length, 7);
      expect(createHmacSha256(key, 10)('text')).toBe(
        createHmac('sha256', key).update('text').digest('base64url'),
      );
    }
  });

  it('never cuts a text that is too long', () => {
    const mac = createHmacSha256(Buffer.alloc(32), 8);
    expect(mac('12345678')).toHaveLength(43);
    expect(() => mac('123456789')).toThrow(RangeError);
  });
});
