import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { passwordCredentials } from '../../src/sessions/password-credentials.ts';
import type { LoginAttemptEvent } from '../../src/sessions/sessions-options.ts';
import { START } from '../fake-clock.ts';
import { Browser, sessionHost } from './session-host.ts';

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
    expect(await host.sessions.list('7')).toHaveLength(1);
  });

  it('that fails leaves the presented session alone', async () => {
    const host = sessionHost();
    const browser = new Browser(host);
    await browser.logIn('7');
    expect((await browser.logIn('7', 'wrong')).status).toBe(401);
    expect((await browser.poll()).status).toBe(200);
  });

  it('leaves no new session behind when the presented one cannot be ended', async () => {
    const host = sessionHost();
    const browser = new Browser(host);
    await browser.logIn('7');
    const broken = sessionHost({
      store: { ...host.store, revoke: () => Promise.reject(new Error('down')) },
    });
    const again = new Browser(broken);
    for (const [name, cookie] of browser.cookies) again.cookies.set(name, cookie);
    expect((await again.logIn('7')).status).toBe(503);
    expect(await host.sessions.list('7')).toHaveLength(1);
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
});

describe('the log-in throttle', () => {
  it('refuses an account after ten failures, with the time to wait, whatever the password and the address', async () => {
    const host = sessionHost();
    const browser = new Browser(host);
    for (let i = 0; i < 10; i++) {
      browser.connection = { ip: `192.0.2.${i}` };
      expect((await browser.logIn('7', 'wrong')).status).toBe(401);
      host.clock.advance(1);
    }
    const refused = await browser.logIn('7');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('890');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', title: 'Too Many Requests' });
    expect((await new Browser(host).logIn('42')).status).toBe(200);
    host.clock.advance(889);
    expect((await browser.logIn('7')).status).toBe(429);
    host.clock.advance(1);
    expect((await browser.logIn('7')).status).toBe(200);
  });

  it('counts failures alone: no number of right log-ins is too many', async () => {
    const { sessions } = sessionHost({
      loginThrottle: { maxFailuresPerAccount: 1, maxFailuresPerAddress: 1 },
    });
    for (let i = 0; i < 50; i++) {
      await sessions.login({ login: '7', password: 'secret of 7' }, { ip: '192.0.2.1' });
    }
    expect(sessions.stats().loggedIn).toBe(50);
  });

  it('lets no burst past it', async () => {
    const { sessions } = sessionHost();
    const attempts = Array.from({ length: 100 }, () => sessions.login({ login: '7', password: 'guess' }));
    await Promise.allSettled(attempts);
    expect(sessions.stats()).toMatchObject({ loginsFailed: 10, loginsThrottled: 90 });
  });

  it('refuses an address after a hundred failures, every IPv6 address of one /64 and every spelling', async () => {
    const host = sessionHost();
    const browser = new Browser(host);
    for (let i = 0; i < 100; i++) {
      browser.connection = { ip: `2001:db8:0:1::${i.toString(16)}` };
      expect((await browser.logIn(`user${i}`, 'guess')).status).toBe(401);
    }
    for (const [ip, status] of [
      ['2001:0DB8:0000:0001:ffff::1', 429],
      ['2001:db8::1:0:0:0:5%eth0', 429],
      ['2001:db8:0:2::1', 200],
      ['192.0.2.1', 200],
    ] as const) {
      browser.connection = { ip };
      expect((await browser.logIn('7')).status, ip).toBe(status);
    }
  });

  it.each([
    [{ login: ' ADA ' }, { login: 'ada' }],
    [{ login: '\uFF41da' }, { login: 'ada' }],
    [{ login: 'ad\u200Ba' }, { login: 'ada' }],
    [{ login: 'a\u00ADd\uFE0Fa\u3164' }, { login: 'ada' }],
    [{ login: 'ädá' }, { login: 'ada' }],
    [{ login: 'a\u0308da\u0323' }, { login: 'ada' }],
    [{ login: '\u200B ada \u2060' }, { login: 'ada' }],
    [{ login: 'straße' }, { login: 'STRASSE' }],
    [{ login: 'ßmith' }, { login: 'smith' }],
    [{ login: 'Øđłħæœ' }, { login: 'odlhaeoe' }],
    [{ login: 'user\u0661\u096A\u2776' }, { login: 'user141' }],
    [{ login: '\u0363d\u0363' }, { login: 'ada' }],
    [{ login: 'ıİſ' }, { login: 'iis' }],
    [{ login: 'ΝΊΚΟΣ' }, { login: 'νικος' }],
    [{ login: 'ada\u{1F600}' }, { login: 'ada\u{10900}' }],
    [
      { username: 'ada', login: 'x' },
      { username: 'ada', login: 'y' },
    ],
    [{ email: 'ada', username: 'x' }, { login: 'ada' }],
  ])('takes %j and %j for one account', async (first, second) => {
    const { sessions } = sessionHost({ loginThrottle: { maxFailuresPerAccount: 1 } });
    await expect(sessions.login(first)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(sessions.login(second)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('never reads a header that a client could send, unless the host does', async () => {
    const options = { loginThrottle: { maxFailuresPerAddress: 1 } };
    const host = sessionHost(options);
    const browser = new Browser(host);
    await browser.logIn('1', 'x');
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']) {
      browser.headers = { [name]: '198.51.100.1' };
      expect((await browser.logIn('2', 'x')).status).toBe(429);
    }
    const proxied = sessionHost({
      ...options,
      clientAddress: (request) => request.headers.get('x-forwarded-for') ?? undefined,
    });
    const behind = new Browser(proxied);
    for (const [ip, status] of [
      ['198.51.100.1', 401],
      ['198.51.100.2', 401],
      ['::ffff:198.51.100.1', 429],
      ['198.51.100.1:4711', 429],
    ] as const) {
      behind.headers = { 'x-forwarded-for': ip };
      expect((await behind.logIn('3', 'x')).status, ip).toBe(status);
    }
  });

  it('counts one account for each attempt where the verifier says which member it reads', async () => {
    const verifyCredentials = passwordCredentials({
      findUser: async () => undefined,
      loginMember: 'userName',
      limiter: { run: async () => Promise.reject(new AuthError('invalid_credentials', 'wrong')) },
    });
    const { sessions } = sessionHost({ verifyCredentials, loginThrottle: { maxFailuresPerAccount: 1 } });
    const guess = (userName: string) =>
      sessions.login({ userName, login: 'ada', email: 'ada', password: 'x' });
    await expect(guess('7')).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(guess('7')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(guess('8')).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('counts all log-ins that name no account together', async () => {
    const { sessions } = sessionHost({ loginThrottle: { maxFailuresPerAddress: 3 } });
    const guess = (i: number) => sessions.login({ phone: `${i}` }, { ip: `192.0.2.${i}` });
    for (let i = 0; i < 3; i++) await expect(guess(i)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await expect(guess(3)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await sessions.login({ login: '7', password: 'secret of 7' })).toMatchObject({ uid: '7' });
  });

  it('counts all clients without an address together, a hundred times as many', async () => {
    const host = sessionHost({ loginThrottle: { maxFailuresPerAddress: 1 } });
    const browser = new Browser(host);
    browser.connection = {};
    for (let i = 0; i < 100; i++) expect((await browser.logIn(`user${i}`, 'guess')).status).toBe(401);
    expect((await browser.logIn('7')).status).toBe(429);
    browser.connection = { ip: '192.0.2.1' };
    expect((await browser.logIn('7')).status).toBe(200);
  });

  it.each(['hashing_busy', 'unavailable', 'password_invalid', 'rate_limited', undefined] as const)(
    'does not count where nothing was verified: %s',
    async (code) => {
      let isFailing = true;
      const { sessions } = sessionHost({
        loginThrottle: { maxFailuresPerAccount: 1 },
        verifyCredentials: async () => {
          if (isFailing) throw code === undefined ? new Error('down') : new AuthError(code, 'not now');
          return { uid: '7' };
        },
      });
      for (let i = 0; i < 5; i++)
        await expect(sessions.login({ login: '7' })).rejects.toThrow(/not now|down/);
      isFailing = false;
      expect(await sessions.login({ login: '7' })).toMatchObject({ uid: '7' });
    },
  );

  it.each([
    'token_invalid',
    'token_expired',
    'session_expired',
    'insufficient_scope',
    'input_invalid',
  ] as const)(
    'counts every other refusal of the verifier, which may be how it answers a guess: %s',
    async (code) => {
      const { sessions } = sessionHost({
        loginThrottle: { maxFailuresPerAccount: 1 },
        verifyCredentials: () => Promise.reject(new AuthError(code, 'wrong')),
      });
      await expect(sessions.login({ login: '7' })).rejects.toMatchObject({ code });
      await expect(sessions.login({ login: '7' })).rejects.toMatchObject({ code: 'rate_limited' });
    },
  );

  it('can be turned off, for a host that has its own', async () => {
    const { sessions } = sessionHost({ loginThrottle: false });
    for (let i = 0; i < 200; i++) {
      await expect(sessions.login({ login: '7' }, { ip: '192.0.2.1' })).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
    }
  });

  it.each([
    { maxFailuresPerAccount: 0 },
    { maxFailuresPerAddress: 1.5 },
    { windowSeconds: 86_401 },
    { maxFailures: 3 },
  ])('refuses the options %j', (loginThrottle) => {
    expect(() => sessionHost({ loginThrottle })).toThrow(/loginThrottle/);
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

  it.each([
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

  it.each([
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

  it.each([undefined, null])('hears of no account where loginOf answers %j', async (answer) => {
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
