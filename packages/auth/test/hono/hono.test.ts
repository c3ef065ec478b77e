import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { requestId } from 'hono/request-id';
import { describe, expect, it, vi } from 'vitest';
import { authErrorHandler } from '../../src/hono/auth-error-handler.ts';
import { requireAuth, requireAuthOrApiKey, requireScope } from '../../src/hono/guards.ts';
import { mountSessions } from '../../src/hono/mount-sessions.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { forgeToken } from '../forge-token.ts';
import { cookies, problemOf, setStage } from '../guards/stage.ts';

describe('a guard in Hono', () => {
  it('gives its claims as a variable of the context', async () => {
    const { auth } = setStage();
    const app = new Hono();
    app.get('/x', requireAuth(auth), requireScope('admin'), (c) =>
      c.json({ uid: c.var.claims.uid, same: c.get('claims') === claimsOf(c) }),
    );
    const response = await app.request('/x', { headers: cookies(forgeToken()) });
    expect(await response.json()).toEqual({ uid: '42', same: true });
  });

  it('keeps what middleware before it has set on the answer', async () => {
    const app = new Hono().use(requestId()).get('/x', requireAuth(setStage().auth), (c) => c.text(''));
    const response = await app.request('/x');
    expect(response.headers.get('x-request-id')).toMatch(/./);
    expect((await problemOf(response)).code).toBe('token_missing');
  });

  it('does not take a variable of the host’s for claims', async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      c.set('claims' as never, { uid: '1', scopes: ['admin'], hasScope: () => true } as never);
      await next();
    });
    app.get('/x', requireScope('admin'), (c) => c.text('reached'));
    expect((await app.request('/x')).status).toBe(401);
  });

  it('guards below a base path, a sub-application and a mounted handler', async () => {
    const { auth } = setStage();
    const guard = requireAuthOrApiKey(auth, () => null);
    const app = new Hono().basePath('/api');
    app.route(
      '/admin',
      new Hono().use(guard).get('/x', (c) => c.text(c.var.claims.uid)),
    );
    app.use('/mounted/*', guard);
    app.mount('/mounted', () => new Response('mounted'));
    for (const path of ['/api/admin/x', '/api/admin/unknown', '/api/mounted/x']) {
      expect((await app.request(path)).status).toBe(401);
      expect((await app.request(path, { headers: cookies(forgeToken()) })).status).not.toBe(401);
    }
  });
});

describe('authErrorHandler', () => {
  it('does as Hono does with every other error when the host has no handler of its own', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = new Hono();
    app.onError(authErrorHandler());
    app.get('/exception', () => {
      throw new HTTPException(418, { message: 'short and stout' });
    });
    app.get('/other', () => {
      throw new Error('of the handler');
    });
    const exception = await app.request('/exception');
    expect([exception.status, await exception.text()]).toEqual([418, 'short and stout']);
    expect(printed).not.toHaveBeenCalled();
    const other = await app.request('/other');
    expect([other.status, await other.text()]).toEqual([500, 'Internal Server Error']);
    expect(printed).toHaveBeenCalledOnce();
    printed.mockRestore();
  });
});

describe('mountSessions in Hono', () => {
  it('refuses an option that does not exist', () => {
    const misspelt = { clientAddress: () => '192.0.2.1' } as object;
    expect(() => mountSessions(async () => new Response(), misspelt)).toThrow(
      new TypeError('mountSessions has no option "clientAddress"'),
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

  it('answers 400 when something has read the body past Hono', async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      await c.req.raw.text();
      await next();
    });
    app.use(mountSessions(async (request) => new Response(await request.text())));
    const response = await app.request('/', { method: 'POST', body: 'x' });
    expect(response.status).toBe(400);
    expect((await problemOf(response)).code).toBe('request_invalid');
  });
});
