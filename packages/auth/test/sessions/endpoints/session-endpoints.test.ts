import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { hashToken } from '../../../src/tokens/refresh-token.ts';
import { START } from '../../fake-clock.ts';
import { expectProblem, loggedIn } from '../session-answers.ts';
import { Browser, sessionHost } from '../session-host.ts';

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
    const [session] = (await host.sessions.list('7')).sessions;
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

  inOneTest([
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

  it('says of a form that it is none of JSON, and counts it against nobody', async () => {
    const host = sessionHost({ loginThrottle: { maxFailuresPerAccount: 1, maxFailuresPerAddress: 1 } });
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
    for (let n = 0; n < 3; n += 1) {
      const body = new URLSearchParams({ login: '7', password: 'secret of 7' }).toString();
      const init = { method: 'POST', headers, body };
      const response = await host.sessions.handler(
        new Request('https://app.example/api/admin/auth/login', init),
      );
      await expectProblem(response, 415, 'unsupported_media_type');
    }
    expect((await new Browser(host).logIn()).status).toBe(200);
  });

  it('answers an error of the host with its own status, and any other failure with 503', async () => {
    const failing = sessionHost({ loadUser: () => Promise.reject(new Error('the database is gone')) });
    await expectProblem(await new Browser(failing).logIn(), 503, 'unavailable');
    expect(failing.logged).toEqual(['A request for a session could not be answered']);
    const wrongShape = sessionHost({ loadUser: async () => ({ scopes: ['x'.repeat(65)] }) });
    await expectProblem(await new Browser(wrongShape).logIn(), 503, 'unavailable');
    expect((await wrongShape.sessions.list('7')).sessions).toEqual([]);
  });
});

describe('every other request', () => {
  inOneTest([
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

  inOneTest(['https://app.example/', 'https://app.example/api/admin/authlogin', 'https://app.example/login'])(
    '%s is none of its paths',
    async (url) => {
      const { sessions } = sessionHost();
      await expectProblem(await sessions.handler(new Request(url, { method: 'POST' })), 404, 'not_found');
    },
  );

  inOneTest([
    ['GET', '/login', 'POST'],
    ['PUT', '/login', 'POST'],
    ['GET', '/status', 'POST'],
    ['OPTIONS', '/logout', 'POST'],
    ['POST', '/sessions', 'GET, HEAD, DELETE'],
    ['GET', `/sessions/${'a'.repeat(32)}`, 'DELETE'],
    ['post', '/sessions', 'GET, HEAD, DELETE'],
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
