import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSessionCursor, encodeSessionCursor } from '../../src/sessions/session-cursor.ts';
import { START } from '../fake-clock.ts';

const ID = `${'f'.repeat(31)}0`;

describe('a cursor', () => {
  it('is 32 characters that a URL takes as they are, and is read as it was written', () => {
    const createdAt = fc.integer({ min: 0, max: 253_402_300_799 });
    const id = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.record({ createdAt, id }), (place) => {
        const cursor = encodeSessionCursor(place);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]{32}$/);
        expect(decodeSessionCursor(cursor)).toEqual(place);
      }),
    );
  });

  it.each([
    undefined,
    null,
    42,
    '',
    ' ',
    'x',
    'x'.repeat(31),
    'x'.repeat(33),
    `${encodeSessionCursor({ createdAt: START, id: ID })}=`,
    `${encodeSessionCursor({ createdAt: START, id: ID })}\n`,
    `+/${'A'.repeat(30)}`,
    // A time of which no session can be.
    '_'.repeat(32),
    [encodeSessionCursor({ createdAt: START, id: ID })],
    { createdAt: START, id: ID },
  ])('is not %j', (value) => {
    expect(decodeSessionCursor(value)).toBeUndefined();
  });

  it('has one spelling only: any other text is another place, or none', () => {
    const cursor = encodeSessionCursor({ createdAt: START, id: ID });
    for (let at = 0; at < cursor.length; at++) {
      for (const character of 'Aa0_-') {
        const other = cursor.slice(0, at) + character + cursor.slice(at + 1);
        if (other === cursor) continue;
        const place = decodeSessionCursor(other);
        expect(place).not.toEqual({ createdAt: START, id: ID });
        if (place !== undefined) expect(encodeSessionCursor(place)).toBe(other);
      }
    }
  });
});
