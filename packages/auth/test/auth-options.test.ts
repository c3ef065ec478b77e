import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../toolkit/test/in-one-test.ts';
import { createAuth } from '../src/auth.ts';
import type { AuthOptions } from '../src/auth-options.ts';
import { systemClock } from '../src/clock.ts';
import { KEY } from './tokens/forge-token.ts';

describe('createAuth', () => {
  it('fills in the documented defaults and freezes them', () => {
    const { options } = createAuth({ signingKey: KEY });
    expect(options).toMatchObject({
      cookiePath: '/api/admin',
      audience: '/api/admin',
      accessTokenTtlSeconds: 300,
      refreshTokenTtlSeconds: 86_400,
      clockToleranceSeconds: 0,
      accessTokenCookie: { name: 'access_token', path: '/api/admin', secure: true },
      refreshTokenCookie: { name: 'refresh_token', path: '/api/admin/auth', secure: true },
      clock: systemClock,
    });
    expect(Object.isFrozen(options) && Object.isFrozen(options.accessTokenCookie)).toBe(true);
  });

  it('does not change when the caller’s objects do', () => {
    const trustedOrigins = ['https://a.example'];
    const auth = createAuth({ signingKey: KEY, trustedOrigins });
    trustedOrigins.push('https://attacker.example');
    const from = (origin: string) =>
      auth.assertSameOrigin({ method: 'POST', headers: { origin, 'sec-fetch-site': 'cross-site' } });
    expect(() => from('https://a.example')).not.toThrow();
    expect(() => from('https://attacker.example')).toThrow(expect.objectContaining({ code: 'cross_site' }));
  });

  it('holds no key where somebody could print it', () => {
    const auth = createAuth({ signingKeys: [{ kid: 'a', key: KEY }] });
    expect(JSON.stringify(auth)).not.toContain(KEY);
    expect(JSON.stringify(auth.options)).not.toContain('kid');
  });

  inOneTest<[string, object]>([
    ['scopes', { signingKey: KEY, scopes: [] }],
    ['scopes', { signingKey: KEY, scopes: 'admin' }],
    ['scopes', { signingKey: KEY, scopes: ['admin', 'admin'] }],
    ['scopes', { signingKey: KEY, scopes: ['x'.repeat(65)] }],
    ['scopes', { signingKey: KEY, scopes: Array.from({ length: 257 }, (_, n) => `s${n}`) }],
    ['signingKey', {}],
    ['signingKey', { signingKey: undefined }],
    ['signingKey', { signingKey: 'too short' }],
    ['audience', { signingKey: KEY, audience: '' }],
    ['audience', { signingKey: KEY, audience: true }],
    ['audience', { signingKey: KEY, audience: ['a'] }],
    ['audience', { signingKey: KEY, audience: 'x'.repeat(257) }],
    ['audience', { signingKey: KEY, audience: 'x\0' }],
    ['accessTokenTtlSeconds', { signingKey: KEY, accessTokenTtlSeconds: 0 }],
    ['accessTokenTtlSeconds', { signingKey: KEY, accessTokenTtlSeconds: 86_401 }],
    ['accessTokenTtlSeconds', { signingKey: KEY, accessTokenTtlSeconds: '300' }],
    ['accessTokenTtlSeconds', { signingKey: KEY, accessTokenTtlSeconds: Number.NaN }],
    ['refreshTokenTtlSeconds', { signingKey: KEY, refreshTokenTtlSeconds: 1.5 }],
    ['clockToleranceSeconds', { signingKey: KEY, clockToleranceSeconds: 61 }],
    ['clockToleranceSeconds', { signingKey: KEY, clockToleranceSeconds: -1 }],
    ['dangerouslyAllowCrossSiteRequests', { signingKey: KEY, dangerouslyAllowCrossSiteRequests: 'yes' }],
    ['clock', { signingKey: KEY, clock: 1000 }],
    ['logger', { signingKey: KEY, logger: {} }],
    ['logger', { signingKey: KEY, logger: { error: () => {}, debug: 1 } }],
    ['onTokenRefused', { signingKey: KEY, onTokenRefused: 'x' }],
    ['secureCookie', { signingKey: KEY, secureCookie: false }],
    ['trustedOrigin', { signingKey: KEY, trustedOrigin: [] }],
  ])('names %s when it refuses an option (%#)', (name, options) => {
    expect(() => createAuth(options as AuthOptions)).toThrow(TypeError);
    expect(() => createAuth(options as AuthOptions)).toThrow(name);
  });

  inOneTest<[unknown]>([[undefined], [null], ['key']])('refuses %j in place of options', (options) => {
    expect(() => createAuth(options as AuthOptions)).toThrow(TypeError);
  });
});
