import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { MAX_COOKIE_HEADER_LENGTH, readCookieValues } from '../../src/cookies/cookie-header.ts';

const read = (header: string, limit = 5) => readCookieValues(header, 'at', limit);

describe('readCookieValues', () => {
  inOneTest<[string, string[]]>([
    ['at=1', ['1']],
    ['a=0; at=1; b=2', ['1']],
    ['at=1; at=2; at=1', ['1', '2', '1']],
    ['at=1;at=2', ['1', '2']],
    ['\t at \t=\t 1 \t', ['1']],
    ['at=', ['']],
    ['at=a=b==', ['a=b==']],
    ['at="1"', ['"1"']],
    ['at=%41%ZZ%', ['%41%ZZ%']],
    ['at=1;', ['1']],
    [';;; at=1 ;;', ['1']],
    ['x; at=1', ['1']],
    ['x; y; at=1; z', ['1']],
    // Never this cookie: another spelling, no name, a name hidden in a value, white space that is
    // not SP or HTAB.
    ['AT=1; At=1', []],
    ['=at=1', []],
    ['at', []],
    ['atx; at', []],
    ['at; =1', []],
    ['x=at=1', []],
    ['xat=1; atx=1', []],
    ['__Host-at=1', []],
    ['\u00a0at=1', []],
    ['at\u00a0=1', []],
    ['\u3000at=1; \ufeffat=1; \vat=1; \nat=1', []],
    ['"at=1"', []],
    ['a t=1', []],
    ['', []],
    ['=', []],
    [';', []],
  ])('reads %j as %j', (header, expected) => {
    expect(read(header)).toEqual(expected);
  });

  it('keeps white space inside a value that is not SP or HTAB', () => {
    expect(read('at=\u00a01\u00a0')).toEqual(['\u00a01\u00a0']);
  });

  it('stops at the limit', () => {
    expect(read('at=1; '.repeat(10_000), 5)).toHaveLength(5);
  });

  it('reads nothing from a header that is longer than any real one', () => {
    expect(read(`at=1; x=${'x'.repeat(MAX_COOKIE_HEADER_LENGTH)}`)).toEqual([]);
  });

  inOneTest(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'reads a cookie named %s like any other',
    (name) => {
      expect(readCookieValues(`${name}=1`, name, 5)).toEqual(['1']);
      expect(readCookieValues('x=1', name, 5)).toEqual([]);
    },
  );

  it('finds what was written among anything, and never throws', () => {
    const pieces = fc.constantFrom(
      'at',
      'at=',
      'at=1',
      '=',
      ';',
      '; ',
      ' ',
      '\t',
      '"',
      '%',
      '\u00a0',
      'x',
      '\0',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const noise = parts.join('');
        expect(read(`${noise};at=needle`, 100)).toContain('needle');
      }),
    );
  });
});
