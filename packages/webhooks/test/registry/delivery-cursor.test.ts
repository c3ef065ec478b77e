import { describe, expect, it } from 'vitest';
import { decodePlace, encodePlace } from '../../src/registry/delivery-cursor.ts';

const TIME = '2026-11-25T19:55:44.269Z';

const encoded = (text: string) => Buffer.from(text).toString('base64url');

describe.each(['history', 'search', 'recovery'] as const)('a cursor of a %s', (kind) => {
  const refused = expect.objectContaining({
    code: 'validation_failed',
    errors: [expect.objectContaining({ field: 'cursor', code: 'invalid_cursor' })],
  });
  const place = `${kind[0]}${TIME} `;

  it.each([
    ['nothing', ''],
    ['text of another kind', 'x'],
    ['another kind of position', encoded(`w${TIME} 1.`)],
    ['padding', `${encoded(`${place}1.`)}=`],
    ['a letter that is skipped when decoded', `${encoded(`${place}1.`)}.`],
    ['no number', encoded(`${place}x.`)],
    ['zero', encoded(`${place}0.`)],
    ['a leading zero', encoded(`${place}01.`)],
    ['a negative number', encoded(`${place}-1.`)],
    ['a fraction', encoded(`${place}1.5.`)],
    ['more than a position', encoded(`${place}1. `)],
    ['more than a safe integer', encoded(`${place}${Number.MAX_SAFE_INTEGER + 1}.`)],
    ['a number of 17 digits', encoded(`${place}10000000000000000.`)],
  ])('is refused with the name of the field where it is %s', (_, cursor) => {
    expect(() => decodePlace(kind, cursor)).toThrow(refused);
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
