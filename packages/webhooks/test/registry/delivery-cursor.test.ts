import { describe, expect, it } from 'vitest';
import { decodeCursor, decodePlace, encodeCursor, encodePlace } from '../../src/registry/delivery-cursor.ts';

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
    ['without its end', encoded('d1')],
    ['text of another kind', 'x'],
    ['padding', `${encoded('d1.')}=`],
    ['a bit that encodes nothing', 'ZDEyLh'],
    ['a letter that is skipped when decoded', `${encoded('d1.')}.`],
    ['another kind of position', encoded('w1.')],
    ['no number', encoded('dx.')],
    ['zero', encoded('d0.')],
    ['a leading zero', encoded('d01.')],
    ['a negative number', encoded('d-1.')],
    ['a fraction', encoded('d1.5.')],
    ['more than a position', encoded('d1. ')],
    ['more than a safe integer', encoded(`d${Number.MAX_SAFE_INTEGER + 1}.`)],
    ['a number of 17 digits', encoded('d10000000000000000.')],
  ])('is refused with the name of the field where it is %s', (_, cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [expect.objectContaining({ field: 'cursor', code: 'invalid_cursor' })],
      }),
    );
  });
});

const TIME = '2026-11-25T19:55:44.269Z';

describe.each(['search', 'recovery'] as const)('a cursor of a %s', (kind) => {
  const refused = expect.objectContaining({ code: 'validation_failed' });

  it.each([1, 1_000, Number.MAX_SAFE_INTEGER])('gives back the place of the delivery %d', (id) => {
    expect(decodePlace(kind, encodePlace(kind, { createdAt: TIME, id }))).toEqual({ createdAt: TIME, id });
  });

  it('is refused wherever it is truncated', () => {
    for (const cursor of [encodePlace(kind, { createdAt: TIME, id: 123_456 }), encodeCursor(123_456)]) {
      for (let length = 0; length < cursor.length; length++) {
        expect(() => decodePlace(kind, cursor.slice(0, length))).toThrow(refused);
        expect(() => decodeCursor(cursor.slice(0, length))).toThrow(refused);
      }
    }
  });

  it.each([
    '2026-99-99T99:99:99.999Z',
    '2026-02-30T00:00:00.000Z',
    '2026-11-25T24:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
  ])('is refused with %s, which is no time', (createdAt) => {
    expect(() => decodePlace(kind, encodePlace(kind, { createdAt, id: 1 }))).toThrow(refused);
  });
});
