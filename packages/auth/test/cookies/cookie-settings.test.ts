import { parseSetCookie } from 'cookie';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAuth } from '../../src/auth.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';

/** The access token cookie of an instance with the options. */
function cookieOf(options: Partial<AuthOptions>): string {
  return createAuth({ signingKey: KEY, ...options }).accessTokenCookie(forgeToken());
}

describe('the public path of the cookies', () => {
  const path = (options: Partial<AuthOptions>) => {
    const { accessTokenCookie, refreshTokenCookie } = createAuth({ signingKey: KEY, ...options }).options;
    return [accessTokenCookie.path, refreshTokenCookie.path];
  };

  it('is that of the endpoints unless it is named', () => {
    expect(path({ cookiePath: '/api' })).toEqual(['/api', '/api/auth']);
    expect(path({ cookiePath: '/api', publicCookiePath: '/shop/api' })).toEqual([
      '/shop/api',
      '/shop/api/auth',
    ]);
    expect(path({ cookiePath: '/', publicCookiePath: '/shop' })).toEqual(['/shop', '/shop/auth']);
  });

  it('is judged as the other one, by its own name', () => {
    for (const publicCookiePath of ['shop', '/shop/', '/a/../b', '']) {
      expect(() => path({ publicCookiePath })).toThrow(/^publicCookiePath must be a path/);
    }
  });

  it('is what a prefix of the name is judged by', () => {
    const prefixed = { cookiePrefix: '__Host-', cookiePath: '/api' } as const;
    expect(path({ ...prefixed, publicCookiePath: '/' })).toEqual(['/', '/']);
    expect(() => path({ ...prefixed, cookiePath: '/', publicCookiePath: '/shop' })).toThrow('__Host-');
  });
});

describe('the cookie options', () => {
  inOneTest<[Partial<AuthOptions>, RegExp]>([
    [{ cookiePrefix: '__Host-' }, /cookiePath "\/"/],
    [{ cookiePrefix: '__Host-', cookiePath: '/', secureCookies: false }, /secureCookies/],
    [{ cookiePrefix: '__Secure-', secureCookies: false }, /secureCookies/],
    [{ cookiePrefix: '__host-' as '__Host-', cookiePath: '/' }, /cookiePrefix/],
    [{ secureCookies: 'no' as unknown as boolean }, /secureCookies/],
    [{ accessTokenCookieName: 'x', refreshTokenCookieName: 'x' }, /differ/],
  ])('refuse %j', (options, message) => {
    expect(() => cookieOf(options)).toThrow(message);
    expect(() => cookieOf(options)).toThrow(TypeError);
  });
});

describe('the cookie options for names', () => {
  const hostile = [
    '',
    ' ',
    'a b',
    'a;b',
    'a,b',
    'a=b',
    'a\r\nb',
    'a\0',
    'a\tb',
    'ä',
    '"a"',
    'a/b',
    'x'.repeat(65),
  ];
  inOneTest([...hostile, '__Host-a', '__secure-a', '__HTTP-a', '__Host-Http-a'])(
    'refuse the cookie name %j',
    (name) => {
      expect(() => cookieOf({ accessTokenCookieName: name })).toThrow(/^accessTokenCookieName must/);
      expect(() => cookieOf({ refreshTokenCookieName: name })).toThrow(/^refreshTokenCookieName must/);
    },
  );
});

describe('the cookie option for the path', () => {
  inOneTest([
    '',
    'api',
    'api/admin',
    '/api/',
    '//',
    '//api',
    '/api//admin',
    '/a;b',
    '/a,b',
    '/a b',
    '/a\r\nSet-Cookie: x=y',
    '/a\tb',
    '/ä',
    '/a%2Fb',
    '/a?b',
    '/a#b',
    '/a\\b',
    '/.',
    '/..',
    '/a/../b',
    '/a/.',
    `/${'x'.repeat(256)}`,
  ])('refuses the cookie path %j', (cookiePath) => {
    expect(() => cookieOf({ cookiePath })).toThrow(/^cookiePath must/);
  });

  inOneTest(['/', '/api', '/api/admin', '/v1.2/x_y-z~', '/.well-known'])(
    'accepts the cookie path %j',
    (cookiePath) => {
      expect(parseSetCookie(cookieOf({ cookiePath })).path).toBe(cookiePath);
    },
  );
});
