import { describe, expect, it } from 'vitest';
import { START } from '../../fake-clock.ts';
import { CLEARED, expectProblem, loggedIn } from '../session-answers.ts';
import { Browser, sessionHost } from '../session-host.ts';

describe('POST logout', () => {
  it('ends the session, at once and for good', async () => {
    const { auth, browser, revoked, sessions } = await loggedIn();
    const { accessToken = '', refreshToken } = browser;
    const response = await browser.send('POST', '/logout');
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.getSetCookie()).toEqual(CLEARED);
    await expect(auth.validateAccessToken(accessToken)).rejects.toMatchObject({ code: 'token_invalid' });
    const cookie = `refresh_token=${refreshToken}`;
    await expectProblem(await browser.request('POST', '/status', { cookie }), 401, 'session_revoked');
    await sessions.idle();
    expect(revoked).toMatchObject([{ uid: '7', reason: 'logout', revokedAt: START }]);
    expect(sessions.stats()).toMatchObject({ ended: 1 });
  });

  it('answers 204 to a client that is not logged in, and to a second log-out', async () => {
    const { browser, sessions, revoked } = await loggedIn();
    const cookie = browser.cookieHeader('/api/admin/auth/logout');
    for (const sent of [cookie, cookie, '', 'refresh_token=x; access_token=y']) {
      const response = await browser.request('POST', '/logout', { cookie: sent });
      expect([response.status, response.headers.getSetCookie()]).toEqual([204, CLEARED]);
    }
    await sessions.idle();
    expect(revoked).toHaveLength(1);
  });

  it('ends the session when its refresh cookie is missing, or crowded out by planted ones', async () => {
    for (const planted of [0, 5]) {
      const { browser, sessions } = await loggedIn();
      const cookies = Array.from({ length: planted }, (_, i) => `refresh_token=${String(i).repeat(64)}`);
      const cookie = [`access_token=${browser.accessToken}`, ...cookies].join('; ');
      const response = await browser.request('POST', '/logout', { cookie });
      expect([response.status, response.headers.getSetCookie()]).toEqual([planted > 4 ? 401 : 204, CLEARED]);
      expect((await sessions.list('7')).sessions).toEqual([]);
    }
  });

  it('logs the browser out during an outage, and says that its session goes on', async () => {
    const { host, browser, sessions } = await loggedIn();
    for (const cookies of ['access_token', 'refresh_token']) {
      const down = () => Promise.reject(new Error('down'));
      const failing = sessionHost({ store: { ...host.store, revoke: down, findByToken: down } });
      const copy = new Browser(failing);
      const cookie = `${cookies}=${browser.cookies.get(cookies)?.value}`;
      const response = await copy.request('POST', '/logout', { cookie });
      expect(response.headers.getSetCookie()).toEqual(CLEARED);
      await expectProblem(response, 503, 'logout_incomplete');
      expect(failing.logged).toEqual(['The session of a log-out could not be ended']);
    }
    expect((await sessions.list('7')).sessions).toHaveLength(1);
  });
});
