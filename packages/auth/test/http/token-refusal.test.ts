import { describe, expect, it } from 'vitest';
import { AuthError, ErrInvalidToken, ErrNoToken, ErrTokenExpired } from '../../src/errors.ts';
import { presentedFacts, tokenRefusalReason } from '../../src/http/token-refusal.ts';
import { forgeToken } from '../tokens/forge-token.ts';

describe('the reason of a refusal', () => {
  it.each([
    [new ErrInvalidToken('x', 'audience'), 'audience'],
    [new ErrInvalidToken(), 'unknown'],
    [new ErrTokenExpired(), 'expired'],
    [new AuthError('session_expired', 'x'), 'expired'],
    [new AuthError('session_revoked', 'x'), 'revoked'],
    [new AuthError('session_revoked', 'x', { reason: 'reused' }), 'reused'],
    [new AuthError('cross_site', 'x'), 'cross_site'],
    [Object.assign(new ErrInvalidToken(), { reason: 'hunter2' }), 'unknown'],
    [Object.assign(new ErrTokenExpired(), { reason: '__proto__' }), 'expired'],
    [new ErrNoToken(), undefined],
    [new AuthError('insufficient_scope', 'x'), undefined],
    [new AuthError('unavailable', 'x'), undefined],
    [new Error('x'), undefined],
    [undefined, undefined],
  ])('is read from %s: %s', (error, reason) => {
    expect(tokenRefusalReason(error)).toBe(reason);
  });
});

describe('what a refused token says of itself', () => {
  it.each([
    ['a member of a prototype', forgeToken({ header: '{"__proto__":{"kid":"x"}}', payload: '{}' })],
    [
      'a kid and an audience that are not text',
      forgeToken({ header: { kid: 7 }, payload: { aud: { a: 1 } } }),
    ],
    ['no JSON', forgeToken({ header: 'x', payload: '[]' })],
    ['a list with something else in it', forgeToken({ payload: { aud: ['a', 1] } })],
    ['an empty list', forgeToken({ payload: { aud: [] } })],
  ])('is nothing for %s', (_, token) => {
    expect(presentedFacts('access_token', token, 'signature')).toEqual({ isVerified: false });
  });

  it('is nothing for a refresh token, and for a token that is too long to be looked at', () => {
    expect(presentedFacts('refresh_token', 'ab'.repeat(32), 'unknown')).toEqual({ isVerified: false });
    const long = forgeToken({ payload: { aud: 'a'.repeat(5_000) } });
    expect(presentedFacts('access_token', long, 'malformed')).toEqual({ isVerified: false });
  });
});
