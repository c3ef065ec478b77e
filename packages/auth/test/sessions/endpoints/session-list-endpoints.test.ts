import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import { words } from '../../../../toolkit/test/words.ts';
import { START } from '../../fake-clock.ts';
import { CLEARED, expectProblem, gate, loggedIn } from '../session-answers.ts';
import { Browser, sessionHost } from '../session-host.ts';

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
      next_cursor: null,
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

  inOneTest([
    ...words(`
      limit=0 limit=101 limit= limit=-1 limit=1e1 limit=0x10 limit=%205 limit=99999999999999999999
      limit=1&limit=1 cursor= cursor=x
    `),
    `cursor=${'_'.repeat(32)}`,
    `cursor=${'A'.repeat(32)}&cursor=${'A'.repeat(32)}`,
  ])('refuses ?%s with 422', async (query) => {
    const { browser } = await loggedIn();
    await expectProblem(await browser.send('GET', `/sessions?${query}`), 422, 'input_invalid');
    expect((await browser.send('HEAD', `/sessions?${query}`)).status).toBe(422);
  });

  it('shows what a hostile browser called itself as harmless text', async () => {
    const { sessions } = await loggedIn();
    const userAgent = `\u0000\u001b[31m${'x'.repeat(400)}`;
    await sessions.loginAs('42', { userAgent, ip: '\u0000'.repeat(100) });
    const [session] = (await sessions.list('42')).sessions;
    expect(session?.userAgent).toBe(`\uFFFD\uFFFD[31m${'x'.repeat(250)}`);
    expect(session?.ip).toBe('\uFFFD'.repeat(64));
  });
});

describe('DELETE sessions/{id}', () => {
  it('ends another session of the caller, whose access token is refused at once', async () => {
    const { host, browser, auth, revoked } = await loggedIn();
    const phone = new Browser(host);
    await phone.logIn('7');
    const [, id = ''] = (await host.sessions.list('7')).sessions.map((session) => session.id).sort();
    const isOwn = (await auth.validateAccessToken(browser.accessToken ?? '')).sessionId === id;
    const response = await browser.send('DELETE', `/sessions/${id}`);
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual(isOwn ? CLEARED : []);
    await host.sessions.idle();
    expect(revoked).toMatchObject([{ sessionId: id, uid: '7', reason: 'revoked' }]);
    const ended = isOwn ? browser : phone;
    expect((await ended.poll()).status).toBe(401);
  });

  it('ends the session in use with its cookies', async () => {
    const { browser, sessions } = await loggedIn();
    const [session] = (await sessions.list('7')).sessions;
    const response = await browser.send('DELETE', `/sessions/${session?.id}`);
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, CLEARED]);
  });

  it("answers 404 for another user's, an unknown and an ended session alike", async () => {
    const { host, browser, sessions, revoked } = await loggedIn();
    await new Browser(host).logIn('42');
    const [other] = (await sessions.list('42')).sessions;
    for (const id of [other?.id ?? '', '0'.repeat(32)]) {
      await expectProblem(await browser.send('DELETE', `/sessions/${id}`), 404, 'session_not_found');
    }
    await sessions.idle();
    expect(revoked).toEqual([]);
    expect((await sessions.list('42')).sessions).toHaveLength(1);
  });
});

describe('a stolen session', () => {
  /** A browser with a copy of an old session's cookies; its owner has logged in again elsewhere. */
  async function stolen() {
    const { host, browser: thief, clock, ...rest } = await loggedIn();
    clock.advance(60);
    const owner = new Browser(host);
    await owner.logIn('7');
    const [newest] = (await host.sessions.list('7')).sessions;
    return { ...rest, host, clock, thief, owner, newestId: newest?.id ?? '' };
  }

  it('ends no newer session, and is told to log in for that', async () => {
    const { thief, owner, newestId, revoked } = await stolen();
    for (const path of ['/sessions', `/sessions/${newestId}`]) {
      const response = await thief.send('DELETE', path);
      expect(response.headers.get('www-authenticate')).toContain('insufficient_user_authentication');
      await expectProblem(response, 401, 'login_required');
    }
    expect((await owner.poll()).status).toBe(200);
    expect(revoked).toEqual([]);
    expect(await (await owner.send('DELETE', '/sessions')).json()).toEqual({ ended: 1 });
    expect((await thief.poll()).status).toBe(401);
  });

  it('refuses no log-in of its owner that is under way', async () => {
    const { host, browser: thief } = await loggedIn();
    let isHolding = true;
    const [entered, held] = [gate(), gate()];
    const slow = sessionHost({
      store: host.store,
      async loadUser() {
        if (isHolding) {
          entered.open();
          await held.opened;
        }
        return { scopes: [] };
      },
    });
    const loggingIn = new Browser(slow).logIn('7');
    await entered.opened;
    isHolding = false;
    const copy = new Browser(slow);
    for (const [name, cookie] of thief.cookies) copy.cookies.set(name, cookie);
    expect((await copy.send('DELETE', '/sessions')).status).toBe(200);
    held.open();
    expect((await loggingIn).status).toBe(200);
  });

  it('lists and ends nothing once it is over, in a process that has not heard of it', async () => {
    const { host, thief, owner, newestId } = await stolen();
    const { next_cursor: cursor } = (await (await thief.send('GET', '/sessions?limit=1')).json()) as {
      next_cursor: string;
    };
    expect((await owner.send('DELETE', '/sessions')).status).toBe(200);
    // A later page of a live session may be empty.
    const later = await owner.send('GET', `/sessions?cursor=${cursor}`);
    expect([later.status, await later.json()]).toEqual([200, { sessions: [], next_cursor: null }]);
    for (const [method, path] of [
      ['GET', '/sessions'],
      ['GET', '/sessions?limit=1'],
      ['GET', `/sessions?cursor=${cursor}`],
      ['DELETE', '/sessions'],
      ['DELETE', `/sessions/${newestId}`],
      ['DELETE', `/sessions/${'0'.repeat(32)}`],
    ] as const) {
      const elsewhere = new Browser(sessionHost({ store: host.store }));
      for (const [name, cookie] of thief.cookies) elsewhere.cookies.set(name, cookie);
      await expectProblem(await elsewhere.request(method, path), 401, 'session_revoked');
    }
    expect((await owner.poll()).status).toBe(200);
  });
});

describe('DELETE sessions', () => {
  it("ends the caller's other sessions at once, and says how many", async () => {
    const { host, browser, sessions, auth, revoked } = await loggedIn();
    const others = [];
    for (let n = 0; n < 3; n++) others.push(await sessions.loginAs('7'));
    const ofAnother = await sessions.loginAs('42');
    const response = await browser.send('DELETE', '/sessions');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.json()).toEqual({ ended: 3 });
    const ids = others.map(({ sessionId }) => sessionId).sort();
    await sessions.idle();
    expect(revoked.map(({ sessionId }) => sessionId).sort()).toEqual(ids);
    expect(new Set(revoked.map(({ reason, uid }) => `${uid} ${reason}`))).toEqual(new Set(['7 revoked_all']));
    for (const { accessToken, refreshToken = '' } of others) {
      await expect(auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
      await expect(sessions.status([refreshToken])).rejects.toMatchObject({ code: 'session_revoked' });
    }
    expect(await auth.validateAccessToken(ofAnother.accessToken)).toBeDefined();
    expect((await browser.poll()).status).toBe(200);
    expect(await (await browser.send('DELETE', '/sessions')).json()).toEqual({ ended: 0 });
    expect((await host.sessions.list('7')).sessions).toHaveLength(1);
  });

  it.each(['GET', 'HEAD', 'DELETE'])(
    'and %s refuse a token without a session, whose end nobody tells',
    async (method) => {
      const { host, auth, sessions } = await loggedIn();
      const cookie = `access_token=${await auth.issueAccessToken('7', ['admin'])}`;
      await sessions.revokeAll('7');
      const { sessionId } = await sessions.loginAs('7');
      const elsewhere = new Browser(sessionHost({ store: host.store }));
      for (const path of ['/sessions', `/sessions/${sessionId}`].slice(0, method === 'DELETE' ? 2 : 1)) {
        await expectProblem(await elsewhere.request(method, path, { cookie }), 403, 'session_required');
      }
      expect((await sessions.list('7')).sessions).toHaveLength(1);
    },
  );

  it('refuses a token that belongs to no session, and revokes such tokens itself', async () => {
    const { browser, auth, sessions } = await loggedIn();
    const loose = await auth.issueAccessToken('7', ['admin']);
    const cookie = `access_token=${loose}`;
    await expectProblem(await browser.request('DELETE', '/sessions', { cookie }), 403, 'session_required');
    expect((await sessions.list('7')).sessions).toHaveLength(1);
    const told: unknown[] = [];
    auth.revocations.onRevoke((entry) => told.push(entry));
    expect(await (await browser.send('DELETE', '/sessions')).json()).toEqual({ ended: 0 });
    expect(told, 'published although nothing has ended').toEqual([]);
    expect(await auth.validateAccessToken(loose)).toBeDefined();
    await sessions.loginAs('7');
    expect(await (await browser.send('DELETE', '/sessions')).json()).toEqual({ ended: 1 });
    await expect(auth.validateAccessToken(loose)).rejects.toMatchObject({ reason: 'revoked' });
  });

  it('refuses an expired access token, and one of a session that has ended', async () => {
    const { browser, clock, sessions } = await loggedIn();
    await sessions.loginAs('7');
    const cookie = browser.cookieHeader('/api/admin/auth/sessions');
    clock.advance(300);
    await expectProblem(await browser.send('DELETE', '/sessions'), 401, 'token_expired');
    await browser.poll();
    const live = browser.cookieHeader('/api/admin/auth/sessions');
    await browser.send('POST', '/logout');
    for (const sent of [cookie, live]) {
      expect((await browser.request('DELETE', '/sessions', { cookie: sent })).status).toBe(401);
    }
    expect((await sessions.list('7')).sessions).toHaveLength(1);
  });
});
