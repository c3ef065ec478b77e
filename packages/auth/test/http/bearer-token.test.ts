import { describe, expect, it } from 'vitest';
import { receivedOverHttp2 } from '../../../toolkit/test/http2-exchange.ts';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { MAX_BEARER_LENGTH, readBearerToken } from '../../src/http/bearer-token.ts';

describe('readBearerToken', () => {
  inOneTest([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer   abc', 'abc'],
    ['Bearer a-b._~+/9==', 'a-b._~+/9=='],
    ['Bearer ak,live,4f5e', 'ak,live,4f5e'],
    ['Bearer %41="{b}"', '%41="{b}"'],
  ])('reads %j', (authorization, token) => {
    expect(readBearerToken({ headers: { authorization } })).toBe(token);
    expect(readBearerToken({ headers: new Headers({ authorization }) })).toBe(token);
  });

  inOneTest([
    '',
    'Bearer',
    'Bearer ',
    'Bearerabc',
    'Bearer\tabc',
    'Bearer\u00a0abc',
    ' Bearer abc',
    'Bearer abc ',
    'Bearer abc def',
    'Bearer abc, Bearer def',
    'Bearer abc,Bearer def',
    'Bearer ä',
    'Bearer a\0',
    'Bearer a\x7f',
    'Bearer a\r\nb',
    'Basic YTpi',
    'Token abc',
    'JWT abc',
    'Bearer Bearer abc',
    'XBearer abc',
    'Bearer: abc',
  ])('counts %j as not present', (authorization) => {
    expect(readBearerToken({ headers: { authorization } })).toBeUndefined();
  });

  it('counts a token that is too long as not present', () => {
    const longest = 'a'.repeat(MAX_BEARER_LENGTH);
    expect(readBearerToken({ headers: { authorization: `Bearer ${longest}` } })).toBe(longest);
    expect(readBearerToken({ headers: { authorization: `Bearer ${longest}a` } })).toBeUndefined();
  });

  it('counts several headers as not present', () => {
    const headers = new Headers({ authorization: 'Bearer abc' });
    headers.append('authorization', 'Bearer def');
    expect(readBearerToken({ headers })).toBeUndefined();
    expect(readBearerToken({ headers: { authorization: ['Bearer abc', 'Bearer def'] } })).toBeUndefined();
    expect(readBearerToken({ headers: { authorization: 'Bearer abc', Authorization: 'Bearer def' } })).toBe(
      'abc',
    );
  });

  it('counts two headers over HTTP/2 as not present, of which Node shows the first', async () => {
    const one = await receivedOverHttp2([['authorization', 'Bearer abc']]);
    expect(readBearerToken(one)).toBe('abc');
    const fields = ['Bearer abc', 'Bearer def'].map((value) => ['authorization', value] as const);
    const two = await receivedOverHttp2(fields);
    expect(two.headers.authorization).toBe('Bearer abc');
    expect(readBearerToken(two)).toBeUndefined();
  });

  it('finds the header under any spelling of its name, and nothing when it is absent', () => {
    expect(readBearerToken({ headers: { Authorization: 'Bearer abc' } })).toBe('abc');
    expect(readBearerToken({ headers: {} })).toBeUndefined();
    expect(readBearerToken({ headers: new Headers() })).toBeUndefined();
    expect(readBearerToken({ headers: Object.create({ authorization: 'Bearer abc' }) })).toBeUndefined();
  });
});
