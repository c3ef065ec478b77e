import { describe, expect, it } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { ErrNoToken } from '../../src/errors.ts';
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
});
