import { parseSetCookie } from 'cookie';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAuth } from '../../src/auth.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';

const token = forgeToken();
const refreshToken = 'ab'.repeat(32);

function cookies(options: Partial<AuthOptions> = {}) {
  const auth = createAuth({ signingKey: KEY, ...options });
  return { access: auth.accessTokenCookie(token), refresh: auth.refreshTokenCookie(refreshToken), auth };
}

describe('the cookies of an instance', () => {
  it('are HttpOnly, Secure, SameSite=Lax, each for its own path, as long as its token lives', () => {
    const { access, refresh } = cookies();
    expect(access).toBe(
      `access_token=${token}; Max-Age=300; Path=/api/admin; HttpOnly; Secure; SameSite=Lax`,
    );
    expect(refresh).toBe(
      `refresh_token=${refreshToken}; Max-Age=86400; Path=/api/admin/auth; HttpOnly; Secure; SameSite=Lax`,
    );
  });

  it('follow the options', () => {
    const { access, refresh } = cookies({
      cookiePath: '/',
      secureCookies: false,
      accessTokenCookieName: 'a',
      refreshTokenCookieName: 'r',
      accessTokenTtlSeconds: 60,
      refreshTokenTtlSeconds: 600,
    });
    expect(access).toBe(`a=${token}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`);
    expect(refresh).toBe(`r=${refreshToken}; Max-Age=600; Path=/auth; HttpOnly; SameSite=Lax`);
  });

  it('may live shorter than configured; longer only the refresh token, and no longer than 400 days', () => {
    const { auth } = cookies();
    for (const maxAgeSeconds of [1, 5, 86_401, 34_560_000]) {
      expect(parseSetCookie(auth.refreshTokenCookie(refreshToken, { maxAgeSeconds })).maxAge).toBe(
        maxAgeSeconds,
      );
    }
    expect(() => auth.refreshTokenCookie(refreshToken, { maxAgeSeconds: 34_560_001 })).toThrow(TypeError);
    expect(() => auth.refreshTokenCookie(refreshToken, { maxAgeSeconds: 0 })).toThrow(TypeError);
    for (const maxAgeSeconds of [0, 301]) {
      expect(() => auth.accessTokenCookie(token, { maxAgeSeconds })).toThrow(TypeError);
    }
  });

  it('are cleared by their own name, path and Secure, twice over', () => {
    const { auth } = cookies({ cookiePrefix: '__Secure-' });
    const cleared = auth.clearCookies().map((text) => parseSetCookie(text));
    expect(cleared).toEqual(
      [
        ['__Secure-access_token', '/api/admin'],
        ['__Secure-refresh_token', '/api/admin/auth'],
      ].map(([name, path]) => ({
        name,
        value: '',
        path,
        maxAge: 0,
        expires: new Date(0),
        httpOnly: true,
        secure: true,
        sameSite: 'lax',
      })),
    );
  });

  it('carry __Host- on the path / alone, both of them', () => {
    const { access, refresh } = cookies({ cookiePrefix: '__Host-', cookiePath: '/' });
    expect(access).toMatch(/^__Host-access_token=.*; Path=\/; .*Secure/);
    expect(refresh).toMatch(/^__Host-refresh_token=.*; Path=\/; .*Secure/);
    for (const text of [access, refresh]) expect(text).not.toMatch(/Domain/i);
  });

  inOneTest<[string, unknown]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a line break', `${token}\r\nSet-Cookie: x=y`],
    ['an attribute', `${token}; Domain=example.com`],
    ['a refresh token', refreshToken],
    ['no token', 'a.b.c'],
  ])('refuse %s as an access token, without repeating it', (_, value) => {
    const { auth } = cookies();
    expect(() => auth.accessTokenCookie(value as string)).toThrow(
      /^accessTokenCookie needs an access token$/,
    );
  });

  inOneTest<[unknown]>([
    [undefined],
    [''],
    [token],
    [`${refreshToken}\n`],
    [refreshToken.toUpperCase()],
    ['x'.repeat(64)],
  ])('refuse %j as a refresh token', (value) => {
    const { auth } = cookies();
    expect(() => auth.refreshTokenCookie(value as string)).toThrow(TypeError);
  });

  it('refuse what a browser would drop for its length', () => {
    const { auth } = cookies();
    const long = `AAAA.${'A'.repeat(4096 - 48 - 2)}.${'A'.repeat(43)}`;
    expect(() => auth.accessTokenCookie(long)).toThrow(/longer than the 4096/);
  });
});
