import { describe, expect, it } from 'vitest';
import type { Credentials } from '../../../src/sessions/log-in/credentials.ts';
import { START } from '../../fake-clock.ts';
import { expectProblem } from '../session-answers.ts';
import { Browser, sessionHost } from '../session-host.ts';

const MONTH = 30 * 86_400;
const PASSWORD = { login: '7', password: 'secret of 7' };

function logIn(browser: Browser, body: object): Promise<Response> {
  return browser.send('POST', '/login', { body: JSON.stringify(body) });
}

/** The Max-Age of each cookie of an answer, by name. */
function maxAges(response: Response): Record<string, number> {
  const cookies = response.headers.getSetCookie().map((line) => /^(\w+)=.*?; Max-Age=(\d+);/.exec(line));
  return Object.fromEntries(cookies.map((match) => [match?.[1], Number(match?.[2])]));
}

describe('POST login with remember_me', () => {
  it('makes a session of the longer life: in the list, in the cookie, not in the access token', async () => {
    const host = sessionHost({ rememberMeTtlSeconds: MONTH });
    const browser = new Browser(host);
    const response = await logIn(browser, { ...PASSWORD, remember_me: true });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ expires_at: START + 300 });
    expect(maxAges(response)).toEqual({ access_token: 300, refresh_token: MONTH });
    const { sessions } = (await (await browser.send('GET', '/sessions')).json()) as { sessions: object[] };
    expect(sessions).toMatchObject([{ expires_at: START + MONTH }]);
  });

  it.each([{ remember_me: false }, {}])('makes the usual session for %j', async (wish) => {
    const browser = new Browser(sessionHost({ rememberMeTtlSeconds: MONTH }));
    const response = await logIn(browser, { ...PASSWORD, ...wish });
    expect(maxAges(response)).toEqual({ access_token: 300, refresh_token: 86_400 });
  });

  it('keeps to the end that was set at the log-in, through polls and rotations, to the second', async () => {
    const host = sessionHost({ rememberMeTtlSeconds: MONTH });
    const browser = new Browser(host);
    await logIn(browser, { ...PASSWORD, remember_me: true });
    for (const [after, left] of [
      [86_400, MONTH - 86_400],
      [MONTH - 100, 100],
    ] as const) {
      host.clock.advance(START + after - host.clock() / 1000);
      const { refreshToken } = browser;
      const polled = await browser.poll();
      expect(maxAges(polled)).toEqual({ access_token: Math.min(300, left), refresh_token: left });
      expect(await polled.json()).toMatchObject({ expires_at: START + after + Math.min(300, left) });
      expect(browser.refreshToken).not.toBe(refreshToken);
      // The first use of the successor, from which its own age counts.
      expect((await browser.poll()).status).toBe(200);
    }
    host.clock.advance(99);
    expect(maxAges(await browser.poll())).toEqual({ access_token: 1 });
    host.clock.advance(1);
    await expectProblem(await browser.poll(), 401, 'session_expired');
  });

  it.each(['true', 1, null, [], {}])(
    'refuses the wish %j with 422, verifies nothing and counts it against nobody',
    async (wish) => {
      const seen: Credentials[] = [];
      const host = sessionHost({
        rememberMeTtlSeconds: MONTH,
        loginThrottle: { maxFailuresPerAccount: 1, maxFailuresPerAddress: 1 },
        verifyCredentials: async (credentials) => {
          seen.push(credentials);
          return { uid: '7' };
        },
      });
      const browser = new Browser(host);
      for (let n = 0; n < 3; n++) {
        await expectProblem(await logIn(browser, { ...PASSWORD, remember_me: wish }), 422, 'input_invalid');
      }
      expect(seen).toEqual([]);
      expect((await logIn(browser, { ...PASSWORD, remember_me: true })).status).toBe(200);
      expect(host.sessions.stats()).toMatchObject({ loggedIn: 1, loginsFailed: 0, loginsThrottled: 0 });
    },
  );

  it('shows the wish neither to the verifier nor to loginOf nor to beforeLogin', async () => {
    const seen: object[] = [];
    const see = (what: object) => void seen.push(what);
    const host = sessionHost({
      rememberMeTtlSeconds: MONTH,
      loginOf: (credentials) => {
        see(credentials);
        return String(credentials.login);
      },
      beforeLogin: ({ logins }) => see(logins),
      verifyCredentials: async (credentials) => {
        see(credentials);
        return { uid: '7' };
      },
    });
    expect((await logIn(new Browser(host), { ...PASSWORD, remember_me: true })).status).toBe(200);
    expect(seen).toEqual([PASSWORD, ['7'], PASSWORD]);
  });

  it('leaves the member to the verifier where the option is off', async () => {
    const seen: Credentials[] = [];
    const host = sessionHost({
      verifyCredentials: async (credentials) => {
        seen.push(credentials);
        return { uid: '7' };
      },
    });
    const response = await logIn(new Browser(host), { ...PASSWORD, remember_me: 'for ever' });
    expect(maxAges(response)).toEqual({ access_token: 300, refresh_token: 86_400 });
    expect(seen).toEqual([{ ...PASSWORD, remember_me: 'for ever' }]);
  });
});

describe('a log-in of the host that remembers', () => {
  it('lasts as long as one over HTTP, with and without credentials', async () => {
    const { sessions } = sessionHost({ rememberMeTtlSeconds: MONTH });
    await sessions.login(PASSWORD, { rememberMe: true });
    await sessions.loginAs('7', { rememberMe: true });
    await sessions.loginAs('7', { rememberMe: false });
    await sessions.loginAs('7');
    const { sessions: listed } = await sessions.list('7');
    const lives = listed.map(({ createdAt, expiresAt }) => expiresAt - createdAt);
    expect(lives.sort((a, b) => a - b)).toEqual([86_400, 86_400, MONTH, MONTH]);
  });

  it('is a TypeError without the option, and neither makes a session nor ends the presented one', async () => {
    const { sessions } = sessionHost();
    const { refreshToken = '' } = await sessions.loginAs('7');
    const client = { rememberMe: true, refreshTokens: [refreshToken] };
    await expect(sessions.loginAs('7', client)).rejects.toThrow(TypeError);
    await expect(sessions.login(PASSWORD, client)).rejects.toThrow(/needs the option rememberMe/);
    expect((await sessions.list('7')).sessions).toHaveLength(1);
  });
});
