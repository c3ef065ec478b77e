import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { mountSessions } from '../../src/fastify/mount-sessions.ts';
import { sessionHost } from '../sessions/session-host.ts';

// The plugin itself is tested in the toolkit, whose code this is.
describe('mountSessions in Fastify', () => {
  it('serves the path that rewriteUrl makes, with cookies for the one that the client asks for', async () => {
    const rewriteUrl = ({ url = '' }: { url?: string | undefined }) => url.replace(/^\/v2\//, '/api/');
    const app = fastify({ rewriteUrl });
    const { sessions } = sessionHost({ authOptions: { cookiePath: '/api', publicCookiePath: '/v2' } });
    app.register(mountSessions(sessions));
    const login = { method: 'POST', payload: { login: '7', password: 'secret of 7' } } as const;
    const response = await app.inject({ ...login, url: '/v2/auth/login' });
    expect(response.statusCode).toBe(200);
    expect(response.cookies.map(({ path }) => path)).toEqual(['/v2', '/v2/auth']);
  });

  it('answers a QUERY without a Content-Type as every other method that there is not', async () => {
    const app = fastify();
    const { sessions } = sessionHost();
    app.register(mountSessions(sessions));
    const response = await app.inject({
      method: 'QUERY' as 'POST',
      url: '/api/admin/auth/login',
      payload: Buffer.from('{}'),
    });
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect([response.statusCode, response.json().code]).toEqual([405, 'method_not_allowed']);
  });

  it('tells the address by the setting of the app for proxies', async () => {
    const app = fastify({ trustProxy: 'loopback' });
    app.register(mountSessions(async (_request, { ip }) => Response.json({ ip })));
    const response = await app.inject({ url: '/', headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(response.json()).toEqual({ ip: '192.0.2.1' });
  });
});
