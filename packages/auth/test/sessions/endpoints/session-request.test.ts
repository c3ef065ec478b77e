import { describe, expect, it } from 'vitest';
import { createAuth } from '../../../src/auth.ts';
import {
  clientOf,
  presentedDevices,
  presentedTokens,
} from '../../../src/sessions/endpoints/session-request.ts';
import { resolveSessionsOptions, type SessionsOptions } from '../../../src/sessions/sessions-options.ts';
import { memorySessionStore } from '../../../src/sessions/store/memory-session-store.ts';
import { expectProblem, loggedIn } from '../session-answers.ts';
import { Browser, SIGNING_KEY, sessionHost } from '../session-host.ts';

const LOGIN = 'https://app.example/api/admin/auth/login';

function optionsWith(options: Partial<SessionsOptions> = {}) {
  return resolveSessionsOptions({
    auth: createAuth({ signingKey: SIGNING_KEY }),
    store: memorySessionStore(),
    loadUser: async () => undefined,
    verifyCredentials: async () => undefined,
    ...options,
  });
}

function call(headers: Record<string, string> = {}) {
  const request = new Request(LOGIN, { method: 'POST', headers });
  return { request, connection: { ip: '192.0.2.1' }, id: '', secrets: [] };
}

describe('a page of another site', () => {
  it.each([
    ['POST', '/login'],
    ['POST', '/status'],
    ['POST', '/logout'],
    ['DELETE', `/sessions/${'a'.repeat(32)}`],
    ['DELETE', '/sessions'],
  ])('cannot %s %s, whatever its content type, with or without a bearer header', async (method, path) => {
    const { browser, sessions } = await loggedIn();
    await sessions.loginAs('7');
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
    expect((await sessions.list('7')).sessions).toHaveLength(2);
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

describe('the cookies that a request presents', () => {
  const cookies = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${name}=${n}`).join('; ');

  it('are at most one more than may be read: that there are too many is seen', () => {
    const cookie = `other=x; ${cookies('refresh_token', 9)}; ${cookies('known_device', 9)}`;
    const { request } = call({ cookie });
    const options = optionsWith();
    for (const presented of [presentedTokens(options, request), presentedDevices(options, request)]) {
      expect(presented).toEqual(['0', '1', '2', '3', '4']);
    }
  });

  it('have the names of the instance', () => {
    const { request } = call({ cookie: 'refresh_token=a; __Secure-refresh_token=b' });
    const auth = createAuth({ signingKey: SIGNING_KEY, cookiePrefix: '__Secure-' });
    expect(presentedTokens(optionsWith({ auth }), request)).toEqual(['b']);
  });

  it('show no device where the option is off, and nothing where there are none', () => {
    const { request } = call({ cookie: cookies('known_device', 2) });
    const options = optionsWith({ loginThrottle: { knownDevices: false } });
    expect(presentedDevices(options, request)).toEqual([]);
    expect(presentedTokens(optionsWith(), call().request)).toEqual([]);
  });
});

describe('the client of a request', () => {
  it('is the address of the connection and the browser in its own words', () => {
    expect(clientOf(optionsWith(), call({ 'user-agent': 'Mozilla/5.0' }))).toEqual({
      ip: '192.0.2.1',
      userAgent: 'Mozilla/5.0',
    });
    expect(clientOf(optionsWith(), call()).userAgent).toBeUndefined();
  });

  it('has the address that the host reads from the request', () => {
    const clientAddress = (request: Request) => request.headers.get('x-real-ip');
    const options = optionsWith({ clientAddress });
    expect(clientOf(options, call({ 'x-real-ip': '[2001:db8::1]:443' })).ip).toBe('2001:db8::1');
    expect(clientOf(options, call()).ip).toBeUndefined();
  });
});
