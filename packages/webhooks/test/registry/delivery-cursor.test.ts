import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/registry/delivery-cursor.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64url');

describe('a cursor', () => {
  it.each([1, 42, Number.MAX_SAFE_INTEGER])('gives back the id %d', (id) => {
    expect(decodeCursor(encodeCursor(id))).toBe(id);
  });

  it('is text for a URL', () => {
    expect(encodeCursor(Number.MAX_SAFE_INTEGER)).toMatch(/^[\w-]{1,64}$/);
  });

  it.each([
    ['nothing', ''],
    ['text of another kind', 'x'],
    ['padding', `${encoded('d1')}=`],
    ['a bit that encodes nothing', 'ZDF'],
    ['a letter that is skipped when decoded', `${encoded('d1')}.`],
    ['another kind of position', encoded('w1')],
    ['no number', encoded('dx')],
    ['zero', encoded('d0')],
    ['a leading zero', encoded('d01')],
    ['a negative number', encoded('d-1')],
    ['a fraction', encoded('d1.5')],
    ['more than a position', encoded('d1 ')],
    ['more than a safe integer', encoded(`d${Number.MAX_SAFE_INTEGER + 1}`)],
    ['a number of 17 digits', encoded('d10000000000000000')],
  ])('is refused with the name of the field where it is %s', (_, cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [expect.objectContaining({ field: 'cursor', code: 'invalid_cursor' })],
      }),
    );
  });
});
