import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { Claims } from '../../src/claims.ts';
import { AuthError } from '../../src/errors.ts';
import { assertRecentLogin, assertRecentLoginBy, recentLoginSeconds } from '../../src/http/recent-login.ts';
import { START } from '../fake-clock.ts';

const clockAtStart = () => START * 1000;

/** The claims of a user who logged in at `authTime`. */
function claimsAt(authTime: number | undefined, credential?: 'api_key'): Claims {
  return new Claims({ uid: '42', scopes: [], authTime, credential });
}

describe('assertRecentLogin', () => {
  inOneTest([
    ['in this second', START],
    ['at the last possible time', START - 300],
    ['a little ahead, where the issuer has another clock', START + 60],
  ])('accepts a log-in %s', (_, authTime) => {
    expect(() => assertRecentLoginBy(clockAtStart, claimsAt(authTime), 300)).not.toThrow();
  });

  inOneTest([
    ['a second too long ago', claimsAt(START - 301)],
    ['at the beginning of time', claimsAt(0)],
    ['at a time that nobody knows', claimsAt(undefined)],
    ['with an API key', claimsAt(START, 'api_key')],
  ])('refuses a log-in %s, and says how recent it must be', (_, claims) => {
    const refusal = expect(() => assertRecentLoginBy(clockAtStart, claims, 300));
    refusal.toThrow(AuthError);
    refusal.toThrow(expect.objectContaining({ code: 'login_required', maxAgeSeconds: 300 }));
  });

  it("judges by the system's clock", () => {
    const now = Math.floor(Date.now() / 1000);
    expect(() => assertRecentLogin(claimsAt(now - 10), 300)).not.toThrow();
    expect(() => assertRecentLogin(claimsAt(now - 310), 300)).toThrow(AuthError);
  });

  inOneTest<[string, unknown, unknown]>([
    ['a request in place of claims', { headers: {} }, 300],
    ['no claims', undefined, 300],
    ['no time', claimsAt(START), undefined],
    ['more than 400 days', claimsAt(START), 34_560_001],
  ])('is misuse with %s', (_, claims, seconds) => {
    expect(() => assertRecentLogin(claims as Claims, seconds as number)).toThrow(TypeError);
  });
});

describe('recentLoginSeconds', () => {
  it('takes a second to 400 days', () => {
    expect([1, 34_560_000].map(recentLoginSeconds)).toEqual([1, 34_560_000]);
    for (const seconds of [0, 34_560_001]) expect(() => recentLoginSeconds(seconds)).toThrow(TypeError);
  });
});
