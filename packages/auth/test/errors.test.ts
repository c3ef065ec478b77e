import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../toolkit/test/in-one-test.ts';
import { AuthError, ErrInvalidToken, ErrNoToken, ErrTokenExpired, isAuthError } from '../src/errors.ts';

describe('isAuthError', () => {
  inOneTest([
    [new ErrNoToken(), 'ErrNoToken', 'token_missing'],
    [new ErrInvalidToken(), 'ErrInvalidToken', 'token_invalid'],
    [new ErrTokenExpired(), 'ErrTokenExpired', 'token_expired'],
    [new AuthError('cross_site', 'x'), 'AuthError', 'cross_site'],
  ] as const)('recognises %s by its code', (error, name, code) => {
    expect(error).toBeInstanceOf(AuthError);
    expect(error.name).toBe(name);
    expect(isAuthError(error)).toBe(true);
    expect(isAuthError(error, code)).toBe(true);
    expect(isAuthError(error, 'hashing_busy')).toBe(false);
  });

  it('recognises an error of another copy of the package, where instanceof says no', async () => {
    // A query makes the module loader evaluate the same file a second time.
    const copyUrl = '../src/errors.ts?second-copy';
    const copy: typeof import('../src/errors.ts') = await import(/* @vite-ignore */ copyUrl);
    const error = new copy.ErrTokenExpired();
    expect(error).not.toBeInstanceOf(ErrTokenExpired);
    expect(isAuthError(error, 'token_expired')).toBe(true);
  });

  inOneTest([null, undefined, 'token_invalid', new Error('x'), { code: 'token_invalid' }, 7])(
    'does not take %j for one',
    (value) => {
      expect(isAuthError(value)).toBe(false);
    },
  );

  it('does not take a proxy whose traps throw for one', () => {
    const { proxy, revoke } = Proxy.revocable(new AuthError('unavailable', 'x'), {});
    expect(isAuthError(proxy)).toBe(true);
    revoke();
    expect(isAuthError(proxy)).toBe(false);
  });

  it('keeps the cause', () => {
    const cause = new Error('database is down');
    expect(new AuthError('unavailable', 'x', { cause }).cause).toBe(cause);
    expect('cause' in new AuthError('unavailable', 'x')).toBe(false);
  });

  it('prints the details that it has, and no others', () => {
    const busy = inspect(new AuthError('hashing_busy', 'x', { retryAfterSeconds: 2 }));
    expect(busy).toMatch(/ \{\n {2}code: 'hashing_busy',\n {2}status: 503,\n {2}retryAfterSeconds: 2\n\}$/);
    expect(inspect(new AuthError('unavailable', 'x'))).toMatch(
      / \{\n {2}code: 'unavailable',\n {2}status: 503\n\}$/,
    );
  });
});
