import { describe, expect, it } from 'vitest';
import { Claims } from '../../src/claims.ts';
import { AuthError, ErrNoToken } from '../../src/errors.ts';
import { assertRecentLogin, recentLoginSeconds } from '../../src/http/recent-login.ts';
import { storeClaims } from '../../src/http/request-claims.ts';
import { START } from '../fake-clock.ts';

/** A request whose user logged in at `authTime`, judged at START. */
function requestOf(authTime: number | undefined, credential?: 'api_key'): object {
  const request = {};
  storeClaims(request, new Claims({ uid: '42', scopes: [], authTime, credential }), () => START * 1000);
  return request;
}

describe('assertRecentLogin', () => {
  it.each([
    ['in this second', START],
    ['at the last possible time', START - 300],
    ['a little ahead, where the issuer has another clock', START + 60],
  ])('accepts a log-in %s', (_, authTime) => {
    expect(() => assertRecentLogin(requestOf(authTime), 300)).not.toThrow();
  });

  it.each([
    ['a second too long ago', requestOf(START - 301)],
    ['at the beginning of time', requestOf(0)],
    ['at a time that nobody knows', requestOf(undefined)],
    ['with an API key', requestOf(START, 'api_key')],
  ])('refuses a log-in %s, and says how recent it must be', (_, request) => {
    const refusal = expect(() => assertRecentLogin(request, 300));
    refusal.toThrow(AuthError);
    refusal.toThrow(expect.objectContaining({ code: 'login_required', maxAgeSeconds: 300 }));
  });

  it('refuses a request that no guard has authenticated', () => {
    for (const request of [
      {},
      { authTime: START },
      { '@acme/auth/request-authentication': { claims: {} } },
    ]) {
      expect(() => assertRecentLogin(request, 300)).toThrow(ErrNoToken);
    }
  });
});

describe('recentLoginSeconds', () => {
  it('takes a second to 400 days', () => {
    expect([1, 34_560_000].map(recentLoginSeconds)).toEqual([1, 34_560_000]);
    for (const seconds of [0, 34_560_001]) expect(() => recentLoginSeconds(seconds)).toThrow(TypeError);
  });
});
