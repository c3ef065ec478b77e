import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHmacSha256 } from '../../src/tokens/hmac-sha256.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

describe('HMAC-SHA-256', () => {
  // The vectors of RFC 4231 section 4 whose data is ASCII text.
  it.each<[string, Uint8Array, string, string]>([
    [
      'test case 1: a key of 20 bytes',
      hex('0b'.repeat(20)),
      'Hi There',
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    ],
    [
      'test case 2: a key shorter than the output',
      Buffer.from('Jefe'),
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      'test case 6: a key longer than a block',
      hex('aa'.repeat(131)),
      'Test Using Larger Than Block-Size Key - Hash Key First',
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    ],
    [
      'test case 7: key and data longer than a block',
      hex('aa'.repeat(131)),
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
      '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
    ],
  ])('gives the vector of RFC 4231, %s', (_, key, text, expected) => {
    expect(createHmacSha256(key, 4096)(text)).toBe(hex(expected).toString('base64url'));
  });

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
