import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responseText } from '../../src/egress/response-text.ts';

const text = (...parts: (string | number[])[]): string =>
  responseText(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
  );

describe('text of a response body', () => {
  it('keeps a byte order mark', () => {
    expect(text([0xef, 0xbb, 0xbf], 'a')).toBe('\uFEFFa');
  });

  it('is what decoding the whole body and then cutting gives, whatever the bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 4000, maxLength: 4300 }),
      fc.string({ unit: 'grapheme', minLength: 1000, maxLength: 4300 }).map((value) => Buffer.from(value)),
    );
    const property = fc.property(bytes, (body) => {
      const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body).replaceAll('\0', '\uFFFD');
      const kept = responseText(body);
      expect(whole.startsWith(kept)).toBe(true);
      expect(kept).not.toMatch(/\p{Cs}/u);
      const next = String.fromCodePoint(whole.codePointAt(kept.length) ?? 0x61);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(4096);
      if (kept !== whole) expect(Buffer.byteLength(kept + next)).toBeGreaterThan(4096);
    });
    fc.assert(property, { seed: 20_261_120, numRuns: 200 });
  });
});
