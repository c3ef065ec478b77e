import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { isCanonicalToken, MAX_TOKEN_LENGTH } from '../../src/tokens/token-text.ts';
import { forgeToken } from './forge-token.ts';

const token = forgeToken();
const [header = '', payload = '', signature = ''] = token.split('.');

describe('isCanonicalToken', () => {
  it('accepts a token as it was issued', () => {
    expect(isCanonicalToken(token)).toBe(true);
  });

  it('refuses every other last character of a signature that decodes to the same bytes', () => {
    const bytes = Buffer.from(signature, 'base64url');
    const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => signature.slice(0, -1) + last)
      .filter((text) => Buffer.from(text, 'base64url').equals(bytes));
    expect(spellings).toHaveLength(4);
    const accepted = spellings.filter((text) => isCanonicalToken(`${header}.${payload}.${text}`));
    expect(accepted).toEqual([signature]);
  });

  inOneTest<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['an array holding the token', [token]],
    ['a String object', Object(token)],
    ['an empty text', ''],
    ['two segments', `${header}.${payload}`],
    ['four segments', `${token}.${signature}`],
    ['five segments', `${header}.a.b.c.${signature}`],
    ['an empty header', `.${payload}.${signature}`],
    ['an empty payload', `${header}..${signature}`],
    ['an empty signature', `${header}.${payload}.`],
    ['padding', `${token}=`],
    ['padding in the payload', `${header}.${payload}==.${signature}`],
    ['a space in front', ` ${token}`],
    ['a line break at the end', `${token}\n`],
    ['a line break inside', `${header}.\n${payload}.${signature}`],
    ['the alphabet of base64', `${header}.${payload}.${'+'.repeat(42)}A`],
    ['a full-width character', `${header}.${payload}.${signature.slice(0, -1)}Ａ`],
    ['a signature of 42 characters', `${header}.${payload}.${signature.slice(1)}`],
    ['a signature of 44 characters', `${header}.${payload}.A${signature}`],
    ['a segment of 4n+1 characters', `${header}.AAAAA.${signature}`],
    ['unused bits in the payload', `${header}.AB.${signature}`],
    ['the higher of four unused bits', `${header}.AE.${signature}`],
    ['unused bits in the header', `AAB.${payload}.${signature}`],
  ])('refuses %s', (_, value) => {
    expect(isCanonicalToken(value)).toBe(false);
  });

  it('accepts the longest text and refuses one character more', () => {
    const filler = 'A'.repeat(MAX_TOKEN_LENGTH - 43 - 2 - 4);
    const longest = `AAAA.${filler}.${'A'.repeat(43)}`;
    expect(longest).toHaveLength(MAX_TOKEN_LENGTH);
    expect(filler.length % 4).not.toBe(1);
    expect(isCanonicalToken(longest)).toBe(true);
    expect(isCanonicalToken(`AAAA${longest}`)).toBe(false);
    expect(isCanonicalToken('A'.repeat(10_000_000))).toBe(false);
  });
});
