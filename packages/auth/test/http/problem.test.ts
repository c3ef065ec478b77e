import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { AuthError, ErrInvalidToken, ErrNoToken, ErrTokenExpired } from '../../src/errors.ts';
import { problemFor } from '../../src/http/problem.ts';

describe('problemFor', () => {
  inOneTest([
    [new ErrNoToken(), 401, 'token_missing', 'Bearer realm="api"'],
    [new ErrInvalidToken(), 401, 'token_invalid', 'error="invalid_token"'],
    [new ErrTokenExpired(), 401, 'token_expired', 'error="invalid_token"'],
    [
      new AuthError('insufficient_scope', 'x', { scope: 'admin:webhooks' }),
      403,
      'insufficient_scope',
      'scope="admin:webhooks"',
    ],
    [
      new AuthError('login_required', 'x', { maxAgeSeconds: 300 }),
      401,
      'login_required',
      'error="insufficient_user_authentication", error_description="Log in again to do this.", max_age="300"',
    ],
    [new AuthError('session_required', 'x'), 403, 'session_required', undefined],
    [new AuthError('input_invalid', 'x'), 422, 'input_invalid', undefined],
    [new AuthError('cross_site', 'x'), 403, 'cross_site', undefined],
    [new AuthError('password_invalid', 'x'), 422, 'password_invalid', undefined],
    [new AuthError('hashing_busy', 'x', { retryAfterSeconds: 7 }), 503, 'hashing_busy', undefined],
    [new AuthError('unavailable', 'x'), 503, 'unavailable', undefined],
  ])('answers %s with %d', (error, status, code, challenge) => {
    const problem = problemFor(error);
    expect(problem).toMatchObject({ status, body: { status, code, type: 'about:blank' } });
    expect(error.status).toBe(status);
    expect(problem.headers['content-type']).toBe('application/problem+json');
    expect(problem.headers['cache-control']).toBe('no-store');
    if (challenge === undefined) expect(problem.headers).not.toHaveProperty('www-authenticate');
    else expect(problem.headers['www-authenticate']).toContain(challenge);
  });

  it('gives no error code in the challenge to a request without credential', () => {
    expect(problemFor(new ErrNoToken()).headers['www-authenticate']).toBe('Bearer realm="api"');
  });

  it('says when to come back', () => {
    expect(
      problemFor(new AuthError('hashing_busy', 'x', { retryAfterSeconds: 7 })).headers['retry-after'],
    ).toBe('7');
    expect(problemFor(new AuthError('hashing_busy', 'x')).headers['retry-after']).toBe('2');
  });

  it('leaves a scope out of the challenge that could end its quotes', () => {
    for (const scope of ['a" b', 'a b', 'a\\', 'ä', 'a\r\nb']) {
      expect(
        problemFor(new AuthError('insufficient_scope', 'x', { scope })).headers['www-authenticate'],
      ).not.toContain('scope="a');
    }
  });

  it('leaves an age out of the challenge that is no number of seconds', () => {
    for (const maxAgeSeconds of [undefined, -1, 1.5, Number.NaN, 1e21, '1", x="' as unknown as number]) {
      const error = new AuthError(
        'login_required',
        'x',
        maxAgeSeconds === undefined ? {} : { maxAgeSeconds },
      );
      expect(problemFor(error).headers['www-authenticate']).toMatch(/error_description="[^"]+"$/);
    }
  });

  inOneTest<[unknown]>([
    [new Error('password=hunter2')],
    ['hunter2'],
    [undefined],
    [null],
    [{ code: 'token_missing' }],
  ])('answers 503 to what is no error of the package (%#), and tells nothing of it', (error) => {
    const problem = problemFor(error);
    expect(problem).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it('answers 503 to a code that another copy of the package may have', () => {
    const error = Object.assign(new AuthError('unavailable', 'x'), { code: '__proto__' });
    expect(problemFor(error)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  it('repeats no message of an error', () => {
    expect(JSON.stringify(problemFor(new ErrInvalidToken('token eyJhbGciOi', 'signature')))).not.toMatch(
      /eyJ|signature/,
    );
  });
});
