import { describe, expect, it } from 'vitest';
import { integerOption } from '../../src/options/integer-option.ts';

describe('integerOption', () => {
  it.each([2, 3, 5])('returns %d, which is within 2 and 5', (value) => {
    expect(integerOption('limit', value, 2, 5)).toBe(value);
  });

  it.each<[unknown, string]>([
    [1, '1'],
    [6, '6'],
    [2.5, '2.5'],
    [Number.NaN, 'NaN'],
    ['3', '3'],
    [3n, '3'],
    [null, 'null'],
    [undefined, 'undefined'],
  ])('refuses %o, and names the option, the bounds and the value', (value, told) => {
    expect(() => integerOption('limit', value as number, 2, 5)).toThrow(
      new TypeError(`limit must be a whole number from 2 to 5, got ${told}`),
    );
  });

  it.each([2 ** 53, Number.POSITIVE_INFINITY])('refuses %d, however high the bound is', (value) => {
    expect(() => integerOption('limit', value, 0, Number.POSITIVE_INFINITY)).toThrow(TypeError);
  });
});
