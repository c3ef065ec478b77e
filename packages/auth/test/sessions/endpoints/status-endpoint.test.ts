import { describe, expect, it } from 'vitest';
import type { AuthErrorCode } from '../../../src/error-codes.ts';
import { AuthError } from '../../../src/errors.ts';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { hashToken } from '../../../src/tokens/refresh-token.ts';
import { START } from '../../fake-clock.ts';
import { CLEARED, expectProblem, gate, loggedIn } from '../session-answers.ts';
import { Browser, sessionHost } from '../session-host.ts';

describe('POST status', () => {
  it('renews the access token with the scopes of now, and leaves the refresh token alone', async () => {
    const { clock, users, browser } = await loggedIn();
    const { refreshToken } = browser;
    clock.advance(240);
    users.set('7', { scopes: ['admin', 'admin:webhooks'] });
    const response = await browser.poll();
    expect(await response.json()).toEqual({
      uid: '7',
      scopes: ['admin', 'admin:webhooks'],
      expires_at: START + 540,
      server_time: START + 240,
    });
    expect(response.headers.getSetCookie()).toHaveLength(1);
    expect(browser.refreshToken).toBe(refreshToken);
  });

  it('refuses a request without, with a foreign, or with a malformed token, and writes nothing', async () => {
    const { store, browser } = await loggedIn();
    const before = await store.list({ uid: '7', instance: '/api/admin', now: START, limit: 9 });
    const cases = [
      ['', 'token_missing'],
      ['other=1', 'token_missing'],
      ['refresh_token=', 'token_invalid'],
      [`refresh_token=${'0'.repeat(64)}`, 'token_invalid'],
      [`refresh_token=${browser.refreshToken?.toUpperCase()}`, 'token_invalid'],
      [`refresh_token=${browser.accessToken}`, 'token_invalid'],
      [`access_token=${browser.refreshToken}`, 'token_missing'],
      [`refresh_token=${hashToken(browser.refreshToken ?? '')}`, 'token_invalid'],
    ] as const;
    for (const [cookie, code] of cases) {
      const response = await browser.request('POST', '/status', { cookie });
      expect(response.headers.getSetCookie(), cookie).toEqual(code === 'token_missing' ? [] : CLEARED);
      await expectProblem(response, 401, code);
    }
    expect(await store.list({ uid: '7', instance: '/api/admin', now: START, limit: 9 })).toEqual(before);
  });

  it('takes no cookie from a browser that has logged in again while it was asked', async () => {
    const [held, entered] = [gate(), gate()];
    let isHolding = false;
    const { host, browser } = await loggedIn({
      async loadUser() {
        if (isHolding) {
          isHolding = false;
          entered.open();
          await held.opened;
        }
        return { scopes: [] };
      },
    });
    const cookie = browser.cookieHeader('/api/admin/auth/status');
    isHolding = true;
    const underWay = browser.request('POST', '/status', { cookie });
    await entered.opened;
    await browser.logIn('7');
    const late = browser.request('POST', '/status', { cookie });
    held.open();
    for (const response of await Promise.all([underWay, late])) {
      expect(response.headers.getSetCookie()).toEqual([]);
      await expectProblem(response, 401, 'session_revoked');
    }
    expect((await browser.poll()).status).toBe(200);
    // A log-out is another matter.
    await host.sessions.revokeAll('7');
    expect((await browser.request('POST', '/status')).headers.getSetCookie()).toEqual(CLEARED);
  });

  it('never lets a token outlive its session, and ends it to the second', async () => {
    const { clock, auth, browser } = await loggedIn();
    clock.advance(86_399);
    const response = await browser.poll();
    expect(await response.json()).toMatchObject({ expires_at: START + 86_400, server_time: START + 86_399 });
    expect(response.headers.getSetCookie()[0]).toMatch(/; Max-Age=1;/);
    expect((await auth.validateAccessToken(browser.accessToken ?? '')).expiresAt).toBe(START + 86_400);
    clock.advance(1);
    const expired = await browser.poll();
    expect(expired.headers.getSetCookie()).toEqual(CLEARED);
    await expectProblem(expired, 401, 'session_expired');
  });

  it('never lets a token outlive its session when the clock ticks while it is issued', async () => {
    for (let tickAt = 1; tickAt <= 12; tickAt++) {
      let milliseconds = START * 1000;
      let readsLeft = Number.POSITIVE_INFINITY;
      const clock = () => {
        readsLeft -= 1;
        if (readsLeft === 0) milliseconds += 1000;
        return milliseconds;
      };
      const { browser, auth } = await loggedIn({ authOptions: { clock } });
      milliseconds += 86_397_000;
      readsLeft = tickAt;
      const response = await browser.poll();
      const body: unknown = await response.json();
      const { expiresAt } = await auth.validateAccessToken(browser.accessToken ?? '');
      expect(expiresAt, `a tick at read ${tickAt}`).toBe(START + 86_400);
      expect(body).toMatchObject({ expires_at: expiresAt });
    }
  });

  it('ends the session of a user who is gone or disabled', async () => {
    const { users, browser, sessions, revoked } = await loggedIn();
    users.delete('7');
    const response = await browser.request('POST', '/status');
    expect(response.headers.getSetCookie()).toEqual(CLEARED);
    await expectProblem(response, 401, 'session_revoked');
    expect((await sessions.list('7')).sessions).toEqual([]);
    await sessions.idle();
    expect(revoked).toMatchObject([{ uid: '7', reason: 'user_disabled', revokedAt: START }]);
    users.set('7', { scopes: [] });
    await expectProblem(await browser.poll(), 401, 'session_revoked');
  });

  it('keeps the cookies when a part of the host fails: nobody is logged out by an outage', async () => {
    let isFailing = false;
    const { browser } = await loggedIn({
      loadUser: async () => {
        if (isFailing) throw new Error('the database is gone');
        return { scopes: [] };
      },
    });
    isFailing = true;
    const response = await browser.poll();
    expect(response.headers.getSetCookie()).toEqual([]);
    await expectProblem(response, 503, 'unavailable');
    isFailing = false;
    expect((await browser.poll()).status).toBe(200);
  });

  it.each<[AuthErrorCode, number]>([
    ['unavailable', 503],
    ['hashing_busy', 503],
    ['rate_limited', 429],
    ['insufficient_scope', 403],
    ['token_expired', 401],
  ])('keeps the cookies when the host says %s: that is no word on the session', async (code, status) => {
    let isRefusing = false;
    const { browser } = await loggedIn({
      loadUser: async () => {
        if (isRefusing) throw new AuthError(code, 'Not now');
        return { scopes: [] };
      },
    });
    isRefusing = true;
    const response = await browser.poll();
    expect(response.headers.getSetCookie()).toEqual([]);
    await expectProblem(response, status, code);
    isRefusing = false;
    expect((await browser.poll()).status).toBe(200);
  });

  it('answers 503 when store, clock or logger fail, and never lets anybody in', async () => {
    const store = memorySessionStore();
    const host = sessionHost({
      store: { ...store, useRefreshToken: () => Promise.reject(new Error('down')) },
      logger: {
        error() {
          throw new Error('the disk is full');
        },
      },
    });
    const browser = new Browser(host);
    await browser.logIn();
    await expectProblem(await browser.poll(), 503, 'unavailable');
    const stopped = sessionHost({ clock: () => Number.NaN });
    await expectProblem(await new Browser(stopped).logIn(), 503, 'unavailable');
  });
});

describe('several refresh cookies', () => {
  it("refuses more than four, and two sessions' tokens", async () => {
    const { host, browser } = await loggedIn();
    const own = `refresh_token=${browser.refreshToken}`;
    const five = [own, ...Array.from({ length: 4 }, (_, i) => `refresh_token=${String(i).repeat(64)}`)];
    const isRight = await browser.request('POST', '/status', { cookie: five.slice(0, 4).join('; ') });
    expect(isRight.status).toBe(200);
    await expectProblem(
      await browser.request('POST', '/status', { cookie: five.join('; ') }),
      401,
      'token_invalid',
    );
    const mallory = new Browser(host);
    await mallory.logIn('42');
    const planted = `${own}; refresh_token=${mallory.refreshToken}`;
    for (const cookie of [planted, five.join('; ')]) {
      const refused = await browser.request('POST', '/status', { cookie });
      // The clearing would reach our own cookie alone, and leave the planted one.
      expect(refused.headers.getSetCookie()).toEqual([]);
      await expectProblem(refused, 401, 'token_invalid');
    }
  });

  it('takes the newest of one session, and notices no reuse in the older beside it', async () => {
    const { clock, browser, sessions } = await loggedIn();
    const root = browser.refreshToken;
    clock.advance(900);
    await browser.poll();
    await browser.poll();
    clock.advance(100);
    const cookie = `refresh_token=${root}; refresh_token=${browser.refreshToken}`;
    expect((await browser.request('POST', '/status', { cookie })).status).toBe(200);
    expect(sessions.stats().reuseDetected).toBe(0);
  });
});
