import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { describe, expect, it } from 'vitest';
import { HONO_SERVERS } from '../../../toolkit/test/hono-hosts.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { mountSessions } from '../../src/hono/mount-sessions.ts';
import { sessionHost } from '../sessions/session-host.ts';

describe('mountSessions in Hono', () => {
  it('refuses an option that does not exist', () => {
    const misspelt = { clientAddress: () => '192.0.2.1' } as object;
    expect(() => mountSessions(async () => new Response(), misspelt)).toThrow(
      'mountSessions: unknown option "clientAddress"',
    );
  });

  it('asks the host for the address where there is no socket', async () => {
    const sessions = {
      handler: async (_: Request, { ip }: { ip?: string | undefined }) => Response.json({ ip }),
    };
    const clientIp = { clientIp: () => '192.0.2.1' };
    const known = new Hono().use(mountSessions(sessions, clientIp));
    expect(await (await known.request('/')).json()).toEqual({ ip: '192.0.2.1' });
    const unknown = new Hono().use(mountSessions(sessions));
    expect(await (await unknown.request('/')).json()).toEqual({});
  });

  it.each(Object.entries(HONO_SERVERS))(
    'is not needed for the cookies: a route may call the handler, on node-server %s',
    async (_release, listener) => {
      const { sessions } = sessionHost({ authOptions: { cookiePath: '/api' } });
      const app = new Hono().use(cors()).all('/api/auth/*', (c) => sessions.handler(c.req.raw));
      const { origin } = await listen(listener(app.fetch));
      const send = (path: string, body?: string) =>
        fetch(`${origin}/api/auth/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie: `refresh_token=${'0'.repeat(64)}` },
          ...(body !== undefined && { body }),
        });
      const loggedIn = await send('login', JSON.stringify({ login: '7', password: 'secret of 7' }));
      expect([loggedIn.status, loggedIn.headers.getSetCookie().length]).toEqual([200, 2]);
      const loggedOut = await send('logout');
      expect([loggedOut.status, loggedOut.headers.getSetCookie().length]).toEqual([204, 2]);
    },
  );

  it('serves a sub-application that is mounted below a path it does not see', async () => {
    const { sessions } = sessionHost({ authOptions: { cookiePath: '/api', publicCookiePath: '/shop/api' } });
    const app = new Hono().mount('/shop', new Hono().use(mountSessions(sessions)).fetch);
    const response = await app.request('/shop/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login: '7', password: 'secret of 7' }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringContaining('Path=/shop/api;'),
      expect.stringContaining('Path=/shop/api/auth;'),
    ]);
  });
});
