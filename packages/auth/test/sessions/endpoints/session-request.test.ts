import { describe, expect, it } from 'vitest';
import { expectProblem, loggedIn } from '../session-answers.ts';
import { Browser, sessionHost } from '../session-host.ts';

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
