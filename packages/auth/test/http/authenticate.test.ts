import { describe, expect, it } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { ErrInvalidToken, ErrNoToken, ErrTokenExpired, isAuthError } from '../../src/errors.ts';
import { fakeClock } from '../fake-clock.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';

function setUp() {
  const clock = fakeClock();
  const admins = createAuth({ signingKey: KEY, clock });
  const users = createAuth({ signingKey: KEY, clock, cookiePath: '/api' });
  const asked = (...tokens: string[]) => ({
    method: 'GET',
    url: '/api/admin/x',
    headers: { cookie: tokens.map((token) => `access_token=${token}`).join('; ') },
  });
  return { clock, admins, users, asked };
}

describe('two instances that share a key', () => {
  it('never accept each other’s tokens', async () => {
    const { admins, users, asked } = setUp();
    const ofAdmin = await admins.issueAccessToken('42', ['admin']);
    const ofUser = await users.issueAccessToken('42', ['admin']);
    await expect(admins.authenticate(asked(ofUser))).rejects.toThrow(ErrInvalidToken);
    await expect(users.authenticate(asked(ofAdmin))).rejects.toThrow(ErrInvalidToken);
    await expect(admins.validateAccessToken(ofUser)).rejects.toThrow(ErrInvalidToken);
    await expect(users.validateAccessToken(ofAdmin)).rejects.toThrow(ErrInvalidToken);
  });

  it('find their own among the cookies of both, in any order', async () => {
    const { admins, users, asked } = setUp();
    const ofAdmin = await admins.issueAccessToken('1', []);
    const ofUser = await users.issueAccessToken('2', []);
    for (const request of [asked(ofAdmin, ofUser), asked(ofUser, ofAdmin)]) {
      expect((await admins.authenticate(request)).uid).toBe('1');
      expect((await users.authenticate(request)).uid).toBe('2');
    }
  });

  it('keep apart with different keys, too', async () => {
    const { admins, asked } = setUp();
    const other = createAuth({ signingKey: `${KEY}2`, clock: fakeClock() });
    await expect(admins.authenticate(asked(await other.issueAccessToken('1', [])))).rejects.toThrow(
      ErrInvalidToken,
    );
  });
});

describe('authenticating a request', () => {
  it('reads Web requests, Node headers and several Cookie headers', async () => {
    const { admins } = setUp();
    const cookie = `a=b; access_token=${forgeToken()}`;
    expect((await admins.authenticate(new Request('http://x.test/', { headers: { cookie } }))).uid).toBe(
      '42',
    );
    expect((await admins.authenticate({ method: 'GET', url: '/', headers: { cookie } })).uid).toBe('42');
    expect((await admins.authenticate({ headers: { Cookie: ['x=y', cookie] } })).uid).toBe('42');
  });

  it('says that there is no token when there is none, and does not count it', async () => {
    const { admins } = setUp();
    for (const headers of [
      {},
      { cookie: '' },
      { cookie: 'refresh_token=1; Access_Token=1' },
      new Headers(),
    ]) {
      await expect(admins.authenticate({ method: 'GET', headers })).rejects.toThrow(ErrNoToken);
    }
    expect(admins.stats()).toEqual({ issued: 0, accepted: 0, rejected: 0 });
  });

  it('does not read a token from the Authorization header', async () => {
    const { admins } = setUp();
    const headers = { authorization: `Bearer ${forgeToken()}` };
    await expect(admins.authenticate({ method: 'GET', headers })).rejects.toThrow(ErrNoToken);
  });

  it('refuses a refresh token in the cookie of the access token', async () => {
    const { admins, asked } = setUp();
    await expect(admins.authenticate(asked('ab'.repeat(32)))).rejects.toThrow(ErrInvalidToken);
  });

  it('finds the valid cookie among invalid ones, and accepts the same one twice', async () => {
    const { admins, asked } = setUp();
    const token = forgeToken();
    expect((await admins.authenticate(asked('garbage', token, '', forgeToken({ key: 'x' })))).uid).toBe('42');
    expect((await admins.authenticate(asked(token, token))).uid).toBe('42');
  });

  it('refuses two different valid cookies', async () => {
    const { admins, asked } = setUp();
    const planted = forgeToken({ payload: { uid: '666' } });
    const error = await admins.authenticate(asked(forgeToken(), planted)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'token_invalid', reason: 'ambiguous' });
  });

  it('refuses more than four cookies, whatever they are', async () => {
    const { admins, asked } = setUp();
    const token = forgeToken();
    expect((await admins.authenticate(asked(token, token, token, token))).uid).toBe('42');
    const error = await admins
      .authenticate(asked(token, token, token, token, token))
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'token_invalid', reason: 'too_many' });
    expect(admins.readAccessTokens(asked('1', '2', '3', '4', '5').headers)).toEqual(['1', '2', '3', '4']);
  });

  it('says expired when one cookie failed on its time alone, whatever the others are', async () => {
    const { admins, users, asked, clock } = setUp();
    const expired = await admins.issueAccessToken('1', []);
    clock.advance(300);
    const ofUser = await users.issueAccessToken('2', []);
    await expect(admins.authenticate(asked('garbage', expired, ofUser))).rejects.toThrow(ErrTokenExpired);
    await expect(admins.authenticate(asked(expired, 'garbage'))).rejects.toThrow(ErrTokenExpired);
    await expect(admins.authenticate(asked('garbage', ofUser))).rejects.toThrow(ErrInvalidToken);
  });

  it('lets nobody pass when the clock fails for one of the cookies', async () => {
    const { users, asked } = setUp();
    let readings = 0;
    const clock = () => (++readings === 1 ? Number.NaN : fakeClock()());
    const admins = createAuth({ signingKey: KEY, clock });
    const ofUser = await users.issueAccessToken('2', []);
    await expect(admins.authenticate(asked(ofUser, forgeToken()))).rejects.toThrow('clock');
    expect(admins.stats()).toEqual({ issued: 0, accepted: 0, rejected: 0 });
  });

  it('counts a request once, whatever number of cookies it carries', async () => {
    const { admins, asked } = setUp();
    await admins.issueAccessToken('1', []);
    await admins.authenticate(asked('garbage', forgeToken(), 'x', 'y'));
    await admins.authenticate(asked('garbage', 'x', 'y')).catch(() => undefined);
    await admins.validateAccessToken('x').catch(() => undefined);
    expect(admins.stats()).toEqual({ issued: 1, accepted: 1, rejected: 2 });
  });

  it('refuses a cross-site request before it looks at the token, a bearer credential beside it or not', async () => {
    const { admins, asked } = setUp();
    for (const extra of [{}, { authorization: 'Bearer key' }]) {
      const { headers } = asked(forgeToken());
      const request = { method: 'POST', headers: { ...headers, ...extra, 'sec-fetch-site': 'same-site' } };
      const error = await admins.authenticate(request).catch((reason: unknown) => reason);
      expect(isAuthError(error, 'cross_site')).toBe(true);
    }
    expect(admins.stats()).toEqual({ issued: 0, accepted: 0, rejected: 0 });
  });
});
