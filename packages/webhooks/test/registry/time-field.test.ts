import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { timeField } from '../../src/registry/time-field.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');

describe('a field for a time', () => {
  inOneTest([
    ['2026-11-20T12:00:00Z', NOON],
    ['2026-11-20t12:00:00.000z', NOON],
    ['2026-11-20T13:00:00+01:00', NOON],
    ['2026-11-20T06:30:00-05:30', NOON],
    ['2026-11-20T12:00:00.001Z', NOON + 1],
    ['2026-11-20T12:00:00.000999999Z', NOON],
    ['2024-02-29T00:00:00Z', Date.parse('2024-02-29T00:00:00Z')],
    ['1970-01-01T00:00:00Z', 0],
    ['2999-12-31T23:59:59.999Z', Date.parse('2999-12-31T23:59:59.999Z')],
  ])('takes %s, whatever its offset', (text, epochMs) => {
    expect(timeField.parse(text)).toBe(epochMs);
  });

  it('takes a Date', () => {
    expect(timeField.parse(new Date(NOON))).toBe(NOON);
  });

  inOneTest([
    'yesterday',
    '',
    '2026-11-20',
    '2026-11-20T12:00:00',
    '2026-11-20 12:00:00Z',
    '2026-11-20T12:00Z',
    '2026-11-20T12:00:00+0100',
    '2026-11-20T12:00:00.0000000001Z',
    '2026-02-30T04:00:00Z',
    '2026-02-29T04:00:00Z',
    '2026-13-01T04:00:00Z',
    '2026-11-20T24:00:01Z',
    '1969-12-31T23:59:59.999Z',
    '3000-01-01T00:00:00Z',
    new Date(Number.NaN),
    new Date(-1),
    NOON,
    null,
    {},
  ])('refuses %j, and says what it may be', (given) => {
    const { success, error } = timeField.safeParse(given);
    expect(success).toBe(false);
    expect(error?.issues).toHaveLength(1);
  });

  it('reads no text of more than 64 characters', () => {
    const issueOf = (text: string) => timeField.safeParse(text).error?.issues[0]?.code;
    expect([64, 65].map((length) => issueOf('x'.repeat(length)))).toEqual(['custom', 'too_big']);
  });
});
