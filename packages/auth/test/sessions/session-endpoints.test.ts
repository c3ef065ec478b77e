import { describe, expect, it } from 'vitest';
import { AuthError, type AuthErrorCode } from '../../src/errors.ts';
import { memorySessionStore } from '../../src/sessions/memory-session-store.ts';
import { hashToken } from '../../src/tokens/refresh-token.ts';
import { START } from '../fake-clock.ts';
import { Browser, sessionHost } from './session-host.ts';

const CLEARED = [
  'access_token=; Max-Age=0; Path=/api/admin; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
  'refresh_token=; Max-Age=0; Path=/api/admin/auth; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
];

async function loggedIn(options: Parameters<typeof sessionHost>[0] = {}) {
  const host = sessionHost(options);
  const browser = new Browser(host);
  await browser.logIn('7');
  return { ...host, host, browser };
}

async function expectProblem(response: Response, status: number, code: string): Promise<void> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toMatchObject({ type: 'about:blank', status, code });
}

describe('POST login', () => {
  it('logs in: who it is, until when, both cookies, nothing to cache', async () => {
    const host = sessionHost();
    const browser = new Browser(host);
    const response = await browser.logIn('7');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      uid: '7',
      scopes: ['admin'],
      expires_at: START + 300,
      server_time: START,
    });
    expect(response.headers.getSetCookie()).toEqual([
      `access_token=${browser.accessToken}; Max-Age=300; Path=/api/admin; HttpOnly; Secure; SameSite=Lax`,
      `refresh_token=${browser.refreshToken}; Max-Age=86400; Path=/api/admin/auth; HttpOnly; Secure; SameSite=Lax`,
    ]);
    expect(browser.refreshToken).toMatch(/^[0-9a-f]{64}$/);
    const claims = await host.auth.validateAccessToken(browser.accessToken ?? '');
    const [session] = await host.sessions.list('7');
    expect(claims).toMatchObject({
      uid: '7',
      scopes: ['admin'],
      expiresAt: START + 300,
      sessionId: session?.id,
    });
  });

  it('stores the hash of the refresh token alone', async () => {
    const { store, browser } = await loggedIn();
    const query = { instance: '/api/admin', now: START };
    expect(
      await store.findByToken({ ...query, tokenHash: hashToken(browser.refreshToken ?? '') }),
    ).toBeDefined();
    expect(await store.findByToken({ ...query, tokenHash: browser.refreshToken ?? '' })).toBeUndefined();
  });

  it.each([
    ['a wrong password', '7', 'wrong'],
    ['an unknown user', '8', 'secret of 8'],
  ])('refuses %s with 401 and no cookies', async (_case, uid, password) => {
    const response = await new Browser(sessionHost()).logIn(uid, password);
    await expectProblem(response, 401, 'invalid_credentials');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="api"');
  });

  it('refuses a disabled user as it refuses a wrong password', async () => {
    const host = sessionHost();
    host.users.delete('7');
    const right = await new Browser(host).logIn('7');
    const wrong = await new Browser(host).logIn('7', 'wrong');
    expect(await right.text()).toBe(await wrong.text());
    expect(right.status).toBe(401);
  });

  it.each([
    '',
    'null',
    '[]',
    '"text"',
    '42',
    '{',
    '{"login":"7"}x',
    '\uFEFF{}',
    '[{"login":"7"}]',
    `${'['.repeat(4000)}`,
  ])('refuses the body %j with 400', async (body) => {
    await expectProblem(
      await new Browser(sessionHost()).send('POST', '/login', { body }),
      400,
      'body_invalid',
    );
  });

  it('refuses a body that is no UTF-8, or that ends early', async () => {
    const { sessions } = sessionHost();
    const send = (body: Uint8Array | ReadableStream) => {
      const init = { method: 'POST', body, duplex: 'half' } as const;
      return sessions.handler(new Request('https://app.example/api/admin/auth/login', init));
    };
    await expectProblem(await send(new Uint8Array([0x7b, 0xff, 0x7d])), 400, 'body_invalid');
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    await expectProblem(await send(broken), 400, 'body_invalid');
  });

  it('reads no more of a body than 8 KiB, whatever its length is said to be', async () => {
    const { sessions } = sessionHost();
    let sent = 0;
    let isCancelled = false;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1024;
        controller.enqueue(new Uint8Array(1024).fill(0x20));
      },
      cancel() {
        isCancelled = true;
      },
    });
    const request = new Request('https://app.example/api/admin/auth/login', {
      method: 'POST',
      body,
      duplex: 'half',
    });
    await expectProblem(await sessions.handler(request), 413, 'body_too_large');
    expect(sent).toBeLessThanOrEqual(11 * 1024);
    expect(isCancelled).toBe(true);
  });

  it('accepts exactly 8 KiB', async () => {
    const browser = new Browser(sessionHost());
    const padded = (length: number) =>
      JSON.stringify({ login: '7', password: 'secret of 7' }).padEnd(length, ' ');
    expect((await browser.send('POST', '/login', { body: padded(8192) })).status).toBe(200);
    await expectProblem(await browser.send('POST', '/login', { body: padded(8193) }), 413, 'body_too_large');
  });

  it('hands credentials to the host without a prototype to set', async () => {
    const seen: object[] = [];
    const host = sessionHost({
      verifyCredentials: async (credentials) => {
        seen.push(Object.assign({}, credentials, credentials.nested));
        return undefined;
      },
    });
    const body = '{"__proto__":{"isAdmin":true},"nested":{"__proto__":{"isAdmin":true},"constructor":1}}';
    await new Browser(host).send('POST', '/login', { body });
    expect(seen).toHaveLength(1);
    for (const copy of seen) expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect('isAdmin' in {}).toBe(false);
  });

  it('says what to mount first when somebody has read the body before', async () => {
    const { sessions, logged } = sessionHost();
    const request = new Request('https://app.example/api/admin/auth/login', { method: 'POST', body: '{}' });
    await request.text();
    await expectProblem(await sessions.handler(request), 503, 'unavailable');
    expect(logged).toHaveLength(1);
  });

  it('answers an error of the host with its own status, and any other failure with 503', async () => {
    const failing = sessionHost({ loadUser: () => Promise.reject(new Error('the database is gone')) });
    await expectProblem(await new Browser(failing).logIn(), 503, 'unavailable');
    expect(failing.logged).toEqual(['A request for a session could not be answered']);
    const wrongShape = sessionHost({ loadUser: async () => ({ scopes: ['x'.repeat(65)] }) });
    await expectProblem(await new Browser(wrongShape).logIn(), 503, 'unavailable');
    expect(await wrongShape.sessions.list('7')).toEqual([]);
  });
});

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

  it('refuses a request without, with a foreign, or with a malformed token, clears both cookies, writes nothing', async () => {
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
      expect(response.headers.getSetCookie(), cookie).toEqual(CLEARED);
      await expectProblem(response, 401, code);
    }
    expect(await store.list({ uid: '7', instance: '/api/admin', now: START, limit: 9 })).toEqual(before);
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
    expect(await sessions.list('7')).toEqual([]);
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
  it('takes the one that is known, among others of our name', async () => {
    const { browser } = await loggedIn();
    const cookie = `refresh_token=${'0'.repeat(64)}; refresh_token=x; refresh_token=${browser.refreshToken}`;
    expect((await browser.request('POST', '/status', { cookie })).status).toBe(200);
  });

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
    expect(revoked).toMatchObject([{ uid: '7', reason: 'logout', revokedAt: START }]);
    expect(sessions.stats()).toMatchObject({ ended: 1 });
  });

  it('answers 204 to whoever is not logged in, and to a second log-out', async () => {
    const { browser, revoked } = await loggedIn();
    const cookie = browser.cookieHeader('/api/admin/auth/logout');
    for (const sent of [cookie, cookie, '', 'refresh_token=x; access_token=y']) {
      const response = await browser.request('POST', '/logout', { cookie: sent });
      expect([response.status, response.headers.getSetCookie()]).toEqual([204, CLEARED]);
    }
    expect(revoked).toHaveLength(1);
  });

  it('ends the session when its refresh cookie is missing, or crowded out by planted ones', async () => {
    for (const planted of [0, 5]) {
      const { browser, sessions } = await loggedIn();
      const cookies = Array.from({ length: planted }, (_, i) => `refresh_token=${String(i).repeat(64)}`);
      const cookie = [`access_token=${browser.accessToken}`, ...cookies].join('; ');
      const response = await browser.request('POST', '/logout', { cookie });
      expect([response.status, response.headers.getSetCookie()]).toEqual([planted > 4 ? 401 : 204, CLEARED]);
      expect(await sessions.list('7')).toEqual([]);
    }
  });
});

describe('GET sessions', () => {
  it("lists the caller's own sessions, newest first, and marks the one in use", async () => {
    const { host, clock, browser } = await loggedIn();
    clock.advance(10);
    const phone = new Browser(host);
    phone.headers = { 'user-agent': 'Phone/1.0' };
    phone.connection = { ip: '2001:db8::1' };
    await phone.logIn('7');
    await new Browser(host).logIn('42');
    const response = await browser.send('GET', '/sessions');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const common = {
      last_used_at: expect.any(Number),
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      refreshed_from: [],
    };
    expect(await response.json()).toEqual({
      sessions: [
        {
          ...common,
          created_at: START + 10,
          expires_at: START + 86_410,
          user_agent: 'Phone/1.0',
          ip: '2001:db8::1',
          current: false,
        },
        {
          ...common,
          created_at: START,
          expires_at: START + 86_400,
          user_agent: 'Mozilla/5.0',
          ip: '192.0.2.1',
          current: true,
        },
      ],
    });
    const head = await browser.send('HEAD', '/sessions');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('takes the access token alone: neither a refresh token nor a bearer credential', async () => {
    const { browser } = await loggedIn();
    const cookie = `refresh_token=${browser.refreshToken}`;
    await expectProblem(await browser.request('GET', '/sessions', { cookie }), 401, 'token_missing');
    browser.headers = { authorization: `Bearer ${browser.accessToken}` };
    const response = await browser.request('GET', '/sessions', { cookie: 'a=b' });
    await expectProblem(response, 401, 'token_missing');
  });

  it('refuses an expired access token without touching the cookies: the client refreshes', async () => {
    const { clock, browser } = await loggedIn();
    clock.advance(300);
    const response = await browser.send('GET', '/sessions');
    expect(response.headers.getSetCookie()).toEqual([]);
    await expectProblem(response, 401, 'token_expired');
  });

  it('shows what a hostile browser called itself as harmless text', async () => {
    const { sessions } = await loggedIn();
    const userAgent = `\u0000\u001b[31m${'x'.repeat(400)}`;
    await sessions.loginAs('42', { userAgent, ip: '\u0000'.repeat(100) });
    const [session] = await sessions.list('42');
    expect(session?.userAgent).toBe(`\uFFFD\uFFFD[31m${'x'.repeat(250)}`);
    expect(session?.ip).toBe('\uFFFD'.repeat(64));
  });
});

describe('DELETE sessions/{id}', () => {
  it('ends another session of the caller, whose access token is refused at once', async () => {
    const { host, browser, auth, revoked } = await loggedIn();
    const phone = new Browser(host);
    await phone.logIn('7');
    const [, id = ''] = (await host.sessions.list('7')).map((session) => session.id).sort();
    const isOwn = (await auth.validateAccessToken(browser.accessToken ?? '')).sessionId === id;
    const response = await browser.send('DELETE', `/sessions/${id}`);
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual(isOwn ? CLEARED : []);
    expect(revoked).toMatchObject([{ sessionId: id, uid: '7', reason: 'revoked' }]);
    const ended = isOwn ? browser : phone;
    expect((await ended.poll()).status).toBe(401);
  });

  it('ends the session in use with its cookies', async () => {
    const { browser, sessions } = await loggedIn();
    const [session] = await sessions.list('7');
    const response = await browser.send('DELETE', `/sessions/${session?.id}`);
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, CLEARED]);
  });

  it("answers 404 for another user's, an unknown and an ended session alike", async () => {
    const { host, browser, sessions, revoked } = await loggedIn();
    await new Browser(host).logIn('42');
    const [other] = await sessions.list('42');
    for (const id of [other?.id ?? '', '0'.repeat(32)]) {
      await expectProblem(await browser.send('DELETE', `/sessions/${id}`), 404, 'session_not_found');
    }
    expect(revoked).toEqual([]);
    expect(await sessions.list('42')).toHaveLength(1);
  });
});

describe('every other request', () => {
  it.each([
    ['POST', ''],
    ['POST', '/'],
    ['POST', '/login/'],
    ['POST', '//login'],
    ['POST', '/LOGIN'],
    ['POST', '/login;a=b'],
    ['POST', '/log%69n'],
    ['POST', '/%2e/login%2f'],
    ['POST', '/__proto__'],
    ['POST', '/constructor'],
    ['DELETE', '/sessions/'],
    ['DELETE', '/sessions/{id}'],
    ['DELETE', `/sessions/${'A'.repeat(32)}`],
    ['DELETE', `/sessions/${'a'.repeat(33)}`],
    ['DELETE', `/sessions/${'a'.repeat(32)}/`],
    ['DELETE', `/sessions/${'a'.repeat(32)}%0a`],
  ])('%s %s is 404', async (method, path) => {
    const { browser } = await loggedIn();
    await expectProblem(await browser.request(method, path), 404, 'not_found');
  });

  it.each(['https://app.example/', 'https://app.example/api/admin/authlogin', 'https://app.example/login'])(
    '%s is none of its paths',
    async (url) => {
      const { sessions } = sessionHost();
      await expectProblem(await sessions.handler(new Request(url, { method: 'POST' })), 404, 'not_found');
    },
  );

  it.each([
    ['GET', '/login', 'POST'],
    ['PUT', '/login', 'POST'],
    ['GET', '/status', 'POST'],
    ['OPTIONS', '/logout', 'POST'],
    ['POST', '/sessions', 'GET, HEAD'],
    ['GET', `/sessions/${'a'.repeat(32)}`, 'DELETE'],
    ['post', '/sessions', 'GET, HEAD'],
    ['constructor', '/login', 'POST'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const { browser } = await loggedIn();
    browser.headers = { 'x-http-method-override': 'POST' };
    const response = await browser.request(method, path);
    expect(response.headers.get('allow')).toBe(allow);
    await expectProblem(response, 405, 'method_not_allowed');
  });
});

describe('the handler of the endpoints', () => {
  it('looks at the path alone: a query changes nothing', async () => {
    const { browser } = await loggedIn();
    expect((await browser.send('POST', '/status?a=/logout#x')).status).toBe(200);
  });

  it('lives where the cookie path says', async () => {
    const host = sessionHost({ authOptions: { cookiePath: '/', audience: 'root' } });
    expect(host.sessions.basePath).toBe('/auth');
    const browser = new Browser(host);
    expect((await browser.logIn()).status).toBe(200);
    expect((await browser.poll()).status).toBe(200);
  });
});

describe('a page of another site', () => {
  it.each([
    ['POST', '/login'],
    ['POST', '/status'],
    ['POST', '/logout'],
    ['DELETE', `/sessions/${'a'.repeat(32)}`],
  ])('cannot %s %s, whatever its content type, with or without a bearer header', async (method, path) => {
    const { browser, sessions } = await loggedIn();
    const body = method === 'POST' ? { body: '{"login":"7","password":"secret of 7"}' } : {};
    for (const extra of [{}, { authorization: 'Bearer x' }, { 'content-type': 'text/plain' }]) {
      for (const site of ['cross-site', 'same-site', 'nonsense']) {
        browser.headers = { 'sec-fetch-site': site, ...extra };
        const response = await browser.request(method, path, body);
        expect(response.headers.getSetCookie()).toEqual([]);
        await expectProblem(response, 403, 'cross_site');
      }
      browser.headers = { origin: 'https://evil.example', host: 'app.example', ...extra };
      await expectProblem(await browser.request(method, path, body), 403, 'cross_site');
    }
    expect(await sessions.list('7')).toHaveLength(1);
  });

  it('may do so where the host trusts its origin, or every page', async () => {
    for (const authOptions of [
      { trustedOrigins: ['https://admin.example'] },
      { dangerouslyAllowCrossSiteRequests: true },
    ]) {
      const browser = new Browser(sessionHost({ authOptions }));
      browser.headers = { 'sec-fetch-site': 'cross-site', origin: 'https://admin.example' };
      expect((await browser.logIn()).status).toBe(200);
      expect((await browser.poll()).status).toBe(200);
    }
  });
});

describe('two instances that share a key, a store and cookie names', () => {
  it('never take a refresh or access token of one another, whichever cookies a request carries', async () => {
    const store = memorySessionStore();
    const admins = sessionHost({ store });
    const users = sessionHost({ store, authOptions: { cookiePath: '/api' } });
    const admin = new Browser(admins);
    const user = new Browser(users);
    await admin.logIn('7');
    await user.logIn('7');
    const cookie = user.cookieHeader('/api/auth/status');
    await expectProblem(await admin.request('POST', '/status', { cookie }), 401, 'token_invalid');
    await expectProblem(await admin.request('GET', '/sessions', { cookie }), 401, 'token_invalid');
    await admin.request('POST', '/logout', { cookie });
    await admin.request('POST', '/login', { cookie, body: '{"login":"7","password":"secret of 7"}' });
    expect((await user.poll()).status).toBe(200);
    await users.sessions.revokeAll('7');
    expect((await admin.poll()).status).toBe(200);
    const both = `${admin.cookieHeader('/api/admin/auth/status')}; ${cookie}`;
    expect((await admin.request('POST', '/status', { cookie: both })).status).toBe(200);
  });
});
