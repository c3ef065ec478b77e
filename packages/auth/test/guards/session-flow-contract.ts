import { describe, expect, it } from 'vitest';
import { sessionHost } from '../sessions/session-host.ts';
import { CookieJar } from './cookie-jar.ts';
import type { Framework, Mount } from './framework.ts';
import { problemOf } from './guard-harness.ts';
import { cookiesOfOurs } from './headers-before.ts';

/**
 * Logging in, polling and logging out as a browser does, through whatever the framework makes of a
 * request.
 */
export function sessionFlowContract<G>(framework: Framework<G>, prefix: string, at: Mount['at']): void {
  /** @param hidden a part of the path that browsers see and the server does not */
  async function serve({ afterBodyParser = false, hidden = '' } = {}) {
    const cookiePath = prefix === '' ? '/' : prefix;
    const publicCookiePath = hidden === '' ? undefined : `${hidden}${prefix}`;
    const host = sessionHost({ authOptions: { cookiePath, publicCookiePath } });
    const started = await framework.start({
      prefix,
      routes: [{ path: '/me', guards: [framework.requireAuth(host.auth)], answer: (claims) => claims() }],
      mount: { sessions: host.sessions, at, afterBodyParser },
    });
    const jar = new CookieJar();
    const ask = async (method: string, path: string, { body, ...headers }: Record<string, string> = {}) => {
      const response = await started.fetch(prefix + path, {
        method,
        headers: { ...jar.headers(hidden + prefix + path), ...headers },
        ...(body === undefined ? {} : { body }),
      });
      jar.receive(response);
      return response;
    };
    const logIn = (password = 'secret of 7') =>
      ask('POST', '/auth/login', {
        'content-type': 'application/json',
        body: JSON.stringify({ login: '7', password }),
      });
    return { ...host, jar, ask, logIn, port: started.port };
  }

  describe.each([false, true])('after a body parser: %s', (afterBodyParser) => {
    it('goes from log-in over a guarded route and the poll to log-out', async () => {
      const { ask, logIn, clock, jar, port } = await serve({ afterBodyParser });
      expect((await ask('GET', '/me')).status).toBe(401);
      const wrong = await logIn('guess');
      expect(wrong.status).toBe(401);
      expect((await problemOf(wrong)).code).toBe('invalid_credentials');

      const loggedIn = await logIn();
      expect(loggedIn.status).toBe(200);
      expect(cookiesOfOurs(loggedIn)).toHaveLength(2);
      expect(await loggedIn.json()).toMatchObject({ uid: '7', scopes: ['admin'] });
      expect(await (await ask('GET', '/me')).json()).toMatchObject({ uid: '7', scopes: ['admin'] });

      clock.advance(301);
      expect((await problemOf(await ask('GET', '/me'))).code).toBe('token_expired');
      expect((await ask('POST', '/auth/status')).status).toBe(200);
      expect((await ask('GET', '/me')).status).toBe(200);

      const { sessions } = (await (await ask('GET', '/auth/sessions')).json()) as { sessions: object[] };
      expect(sessions).toEqual([expect.objectContaining({ current: true, ip: port ? '127.0.0.1' : '' })]);

      const stolen = jar.headers(`${prefix}/auth/status`);
      const loggedOut = await ask('POST', '/auth/logout');
      expect([loggedOut.status, cookiesOfOurs(loggedOut).length]).toEqual([204, 2]);
      expect(jar.headers(`${prefix}/auth/status`).cookie ?? '').not.toContain('token=');
      expect((await ask('GET', '/me', stolen)).status).toBe(401);
      expect((await ask('POST', '/auth/status', stolen)).status).toBe(401);
    });

    it('refuses what the endpoints refuse', async () => {
      const { ask, logIn, users } = await serve({ afterBodyParser });
      const foreign = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json', body: '{}' };
      expect((await problemOf(await ask('POST', '/auth/login', foreign))).code).toBe('cross_site');
      const array = { 'content-type': 'application/json', body: '[]' };
      expect((await ask('POST', '/auth/login', array)).status).toBe(400);
      expect((await ask('POST', '/auth/login')).status).toBe(400);
      const long = { 'content-type': 'application/json', body: JSON.stringify({ login: 'x'.repeat(9000) }) };
      expect((await ask('POST', '/auth/login', long)).status).toBe(413);
      expect((await ask('GET', '/auth/login')).headers.get('allow')).toBe('POST');
      expect((await ask('POST', '/auth/unknown')).status).toBe(404);
      expect((await ask('POST', '/auth/status')).status).toBe(401);
      await logIn();
      users.delete('7');
      expect((await ask('POST', '/auth/status')).status).toBe(401);
      expect((await ask('GET', '/me')).status).toBe(401);
    });
  });

  it('sets cookies for the public path, where a prefix of it never reaches the server', async () => {
    const { ask, logIn, jar } = await serve({ hidden: '/shop' });
    expect((await logIn()).status).toBe(200);
    expect(jar.headers(`${prefix}/auth/status`).cookie ?? '').not.toContain('token=');
    expect((await ask('GET', '/me')).status).toBe(200);
    expect((await ask('POST', '/auth/status')).status).toBe(200);
    expect((await ask('POST', '/auth/logout')).status).toBe(204);
    expect(jar.headers(`/shop${prefix}/auth/status`).cookie ?? '').not.toContain('token=');
  });

  it('ends a session by its id', async () => {
    const { ask, logIn, jar } = await serve();
    await logIn();
    const held = jar.headers(`${prefix}/auth/status`);
    const listed = await ask('GET', '/auth/sessions');
    const { sessions } = (await listed.json()) as { sessions: { id: string }[] };
    expect((await ask('DELETE', `/auth/sessions/${'0'.repeat(32)}`)).status).toBe(404);
    expect((await ask('DELETE', `/auth/sessions/${sessions[0]?.id}`)).status).toBe(204);
    expect((await ask('GET', '/me', held)).status).toBe(401);
  });

  it('signs all other devices out', async () => {
    const { ask, logIn, sessions } = await serve();
    await logIn();
    await sessions.loginAs('7');
    const foreign = await ask('DELETE', '/auth/sessions', { 'sec-fetch-site': 'cross-site' });
    expect((await problemOf(foreign)).code).toBe('cross_site');
    const answer = await ask('DELETE', '/auth/sessions');
    expect([answer.status, await answer.json()]).toEqual([200, { ended: 1 }]);
    expect((await ask('GET', '/me')).status).toBe(200);
    expect((await sessions.list('7')).sessions).toHaveLength(1);
  });

  it('pages through the list of sessions', async () => {
    const { ask, logIn, sessions } = await serve();
    await logIn();
    await sessions.loginAs('7');
    const listed = async (query: string) => {
      const answer = await ask('GET', `/auth/sessions${query}`);
      return (await answer.json()) as { sessions: object[]; next_cursor: string | null };
    };
    const first = await listed('?limit=1');
    const second = await listed(`?limit=1&cursor=${first.next_cursor}`);
    expect([...first.sessions, ...second.sessions]).toHaveLength(2);
    expect(first.sessions).not.toEqual(second.sessions);
    expect(second.next_cursor).toBeNull();
  });
}
