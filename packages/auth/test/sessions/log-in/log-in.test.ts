import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import { AuthError } from '../../../src/errors.ts';
import type { LoginAttemptEvent } from '../../../src/sessions/events/session-events.ts';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { START } from '../../fake-clock.ts';
import { Browser, sessionHost } from '../session-host.ts';

describe('a log-in', () => {
  it('ignores the cookies it comes with, makes a new session and ends the presented ones', async () => {
    const host = sessionHost();
    const mallory = new Browser(host);
    await mallory.logIn('42');
    const planted = mallory.refreshToken;
    const victim = new Browser(host);
    for (const [name, cookie] of mallory.cookies) victim.cookies.set(name, cookie);
    const answer = await victim.logIn('7');
    expect(await answer.json()).toMatchObject({ uid: '7' });
    expect(victim.refreshToken).not.toBe(planted);
    expect((await mallory.poll()).status).toBe(401);
    expect((await victim.poll()).status).toBe(200);
    expect(host.revoked).toMatchObject([{ uid: '42', reason: 'login' }]);
  });

  it('ends the presented session by an older token of it, too, and several at once', async () => {
    const host = sessionHost();
    const first = new Browser(host);
    await first.logIn('7');
    const root = first.refreshToken;
    host.clock.advance(900);
    await first.poll();
    const second = new Browser(host);
    await second.logIn('7');
    const browser = new Browser(host);
    const cookie = `refresh_token=${root}; refresh_token=${second.refreshToken}; refresh_token=x`;
    const body = '{"login":"7","password":"secret of 7"}';
    browser.receive(await browser.request('POST', '/login', { cookie, body }));
    expect([(await first.poll()).status, (await second.poll()).status]).toEqual([401, 401]);
    expect((await browser.poll()).status).toBe(200);
    expect((await host.sessions.list('7')).sessions).toHaveLength(1);
  });

  it('that fails leaves the presented session alone', async () => {
    const host = sessionHost();
    const browser = new Browser(host);
    await browser.logIn('7');
    expect((await browser.logIn('7', 'wrong')).status).toBe(401);
    expect((await browser.poll()).status).toBe(200);
  });

  inOneTest([
    ['the store fails', { create: () => Promise.reject(new Error('down')) }, ['admin'], 503],
    ['no token can carry the scopes', {}, Array.from({ length: 65 }, (_, n) => `scope:${n}`), 403],
    ['a scope has a wrong shape', {}, ['x'.repeat(65)], 503],
  ])('leaves the user with the session of before if %s', async (_, failing, scopes, status) => {
    const host = sessionHost();
    const browser = new Browser(host);
    await browser.logIn('7');
    const failingHost = sessionHost({
      store: { ...host.store, ...failing },
      loadUser: async () => ({ scopes }),
    });
    const again = new Browser(failingHost);
    for (const [name, cookie] of browser.cookies) again.cookies.set(name, cookie);
    expect((await again.logIn('7')).status).toBe(status);
    expect((await host.sessions.list('7')).sessions).toHaveLength(1);
    expect((await browser.poll()).status).toBe(200);
    expect(host.auth.stats().rejected).toBe(0);
  });

  it('by other means needs no credentials, but a user', async () => {
    const { sessions, auth } = sessionHost();
    const { accessToken, refreshToken = '', cookies, ...grant } = await sessions.loginAs('7');
    expect(grant).toMatchObject({ uid: '7', scopes: ['admin'], expiresAt: START + 300, serverTime: START });
    expect(cookies).toHaveLength(2);
    expect(await auth.validateAccessToken(accessToken)).toMatchObject({ sessionId: grant.sessionId });
    expect(await sessions.status([refreshToken])).toMatchObject({ uid: '7', refreshToken: undefined });
    expect(await sessions.logout([refreshToken, refreshToken])).toBe(1);
    await expect(sessions.loginAs('8')).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(sessions.status([])).rejects.toMatchObject({ code: 'token_missing' });
  });

  it('is counted', async () => {
    const { sessions } = sessionHost({ loginThrottle: { maxFailuresPerAccount: 1 } });
    await sessions.login({ login: '7', password: 'secret of 7' });
    for (let i = 0; i < 3; i++) {
      await expect(sessions.login({ login: '7', password: 'wrong' })).rejects.toBeInstanceOf(AuthError);
    }
    expect(sessions.stats()).toEqual({
      loggedIn: 1,
      loginsFailed: 1,
      loginsThrottled: 2,
      refreshed: 0,
      ended: 0,
      reuseDetected: 0,
    });
  });

  it('leaves no session behind whose response somebody else began while it was stored', async () => {
    const store = memorySessionStore();
    let isBegun = false;
    const create: typeof store.create = async (session) => {
      isBegun = true;
      return await store.create(session);
    };
    const host = sessionHost({ store: { ...store, create } });
    const browser = new Browser(host);
    browser.connection = { hasBegun: () => isBegun };
    expect((await browser.logIn()).status).toBe(503);
    expect((await host.sessions.list('7')).sessions).toEqual([]);
    expect(host.revoked).toMatchObject([{ uid: '7', reason: 'revoked' }]);
  });
});

describe('a verifier of the host', () => {
  it.each([
    'ada\0',
    'ada\ud800',
    'ada\u200b',
    '\ufeffada',
    'ada\nadmin',
    'ada\u2028',
    '\u3164',
    '\uffa0',
    '\u2800',
    '  ',
  ])('is not asked about a name with invisible characters: %j', async (name) => {
    const asked: unknown[] = [];
    const { sessions } = sessionHost({
      verifyCredentials: async (credentials) => {
        asked.push(credentials);
        return { uid: '7' };
      },
    });
    for (const member of ['login', 'username', 'email']) {
      const logIn = sessions.login({ login: 'ada', [member]: name, password: 'x' });
      await expect(logIn).rejects.toMatchObject({ code: 'login_invalid', status: 422 });
    }
    expect(asked).toEqual([]);
    await sessions.login({ login: 'ada', email: '', password: 'x' });
    expect(asked).toHaveLength(1);
  });
});

describe('beforeLogin', () => {
  it('is asked before anything is verified, and may refuse, or wait', async () => {
    const asked: LoginAttemptEvent[] = [];
    const decisions = [undefined, true, false, { retryAfterSeconds: 6.2 }];
    const verified: unknown[] = [];
    const host = sessionHost({
      beforeLogin: (attempt) => {
        asked.push(attempt);
        return decisions.shift();
      },
      verifyCredentials: async ({ login }) => {
        verified.push(login);
        return { uid: '7' };
      },
    });
    const browser = new Browser(host);
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await browser.logIn('7'));
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [200, null],
      [200, null],
      [429, '60'],
      [429, '7'],
    ]);
    expect(asked).toEqual(Array.from({ length: 4 }, () => ({ login: '7', logins: ['7'], ip: '192.0.2.1' })));
    expect(verified).toEqual(['7', '7']);
  });

  inOneTest([
    [{}, '60'],
    [{ retryAfterSeconds: Number.NaN }, '60'],
    [{ retryAfterSeconds: -5 }, '60'],
    [{ retryAfterSeconds: 0 }, '60'],
    [{ retryAfterSeconds: '7' }, '60'],
    [{ retryAfterSeconds: 0.1 }, '1'],
    [{ retryAfterSeconds: 1e21 }, '86400'],
    [{ retryAfterSeconds: Number.POSITIVE_INFINITY }, '86400'],
  ])('makes clients wait for whole seconds within a day, whatever it says: %j', async (decision, wait) => {
    // A host without types can say anything.
    const beforeLogin = (() => decision) as () => { retryAfterSeconds: number };
    const answer = await new Browser(sessionHost({ beforeLogin })).logIn();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, wait]);
  });

  it('closes the door when it fails', async () => {
    const host = sessionHost({ beforeLogin: () => Promise.reject(new Error('Redis is gone')) });
    expect((await new Browser(host).logIn()).status).toBe(503);
    const refusing = sessionHost({
      beforeLogin: () => {
        throw new AuthError('insufficient_scope', 'not from here');
      },
    });
    expect((await new Browser(refusing).logIn()).status).toBe(403);
  });

  it('that refuses by an error counts against the address, not the account', async () => {
    let isOpen = false;
    const { sessions } = sessionHost({
      beforeLogin: () => {
        if (!isOpen) throw new AuthError('insufficient_scope', 'not from here');
        return true;
      },
      loginThrottle: { maxFailuresPerAccount: 1, maxFailuresPerAddress: 3 },
    });
    const logIn = (ip: string) => sessions.login({ login: '7', password: 'secret of 7' }, { ip });
    for (let i = 0; i < 3; i++) {
      await expect(logIn('192.0.2.1')).rejects.toMatchObject({ code: 'insufficient_scope' });
    }
    await expect(logIn('192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' });
    isOpen = true;
    expect(await logIn('192.0.2.2')).toMatchObject({ uid: '7' });
  });

  inOneTest([
    [{ login: 'ada' }, 'ada', ['ada']],
    [{ login: 'ada', email: 'ada', username: null }, 'ada', ['ada']],
    [{ username: 'x', email: 'ada', phone: 'y' }, undefined, ['x', 'ada']],
    [{ phone: 'ada' }, undefined, []],
  ])('hears of %j that it names %j, or one of %j', async (credentials, login, logins) => {
    const asked: LoginAttemptEvent[] = [];
    const { sessions } = sessionHost({ beforeLogin: (event) => void asked.push(event) });
    await expect(sessions.login(credentials)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(asked).toEqual([{ login, logins, ip: undefined }]);
  });

  it('hears the account that loginOf reads, and nothing else', async () => {
    const asked: unknown[] = [];
    let reads = 0;
    const { sessions } = sessionHost({
      loginOf: ({ tenant, login }) => {
        reads += 1;
        return `${String(tenant)}/${String(login)}`;
      },
      beforeLogin: ({ login, logins }) => void asked.push(login, logins),
      loginThrottle: { maxFailuresPerAccount: 1 },
    });
    for (const tenant of ['a', 'b']) {
      await expect(sessions.login({ tenant, login: 'x', email: 'y' })).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
    }
    await expect(sessions.login({ tenant: 'a', login: 'x' })).rejects.toMatchObject({ code: 'rate_limited' });
    expect(asked).toEqual(['a/x', ['a/x'], 'b/x', ['b/x']]);
    expect(reads).toBe(3);
  });

  inOneTest([undefined, null])('hears of no account where loginOf answers %j', async (answer) => {
    const asked: unknown[] = [];
    // A host without types can say anything.
    const loginOf = (() => answer) as () => undefined;
    const { sessions } = sessionHost({ loginOf, beforeLogin: ({ logins }) => void asked.push(logins) });
    await expect(sessions.login({ login: 'x' })).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(asked).toEqual([[]]);
  });

  it('is not asked where loginOf answers a promise: that is an error of the host', async () => {
    // A host without types can say anything.
    const answer: () => unknown = async () => '7';
    const loginOf = answer as () => string;
    const asked: unknown[] = [];
    const host = sessionHost({ loginOf, beforeLogin: (event) => void asked.push(event) });
    await expect(host.sessions.login({ login: '7', password: 'secret of 7' })).rejects.toThrow(
      /loginOf.*promise/,
    );
    expect((await new Browser(host).logIn()).status).toBe(503);
    expect([asked, host.logged]).toEqual([[], ['A request for a session could not be answered']]);
  });
});
