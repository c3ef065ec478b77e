import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { describe, expect, it } from 'vitest';
import { requireAuth, requireAuthOrApiKey, requireScope } from '../../src/hono/guards.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { cookies, createGuardHarness, problemOf } from '../guards/guard-harness.ts';
import { forgeToken } from '../tokens/forge-token.ts';

describe('a guard in Hono', () => {
  it('gives its claims as a variable of the context', async () => {
    const { auth } = createGuardHarness();
    const app = new Hono();
    app.get('/x', requireAuth(auth), requireScope('admin'), (c) =>
      c.json({ uid: c.var.claims.uid, same: c.get('claims') === claimsOf(c) }),
    );
    const response = await app.request('/x', { headers: cookies(forgeToken()) });
    expect(await response.json()).toEqual({ uid: '42', same: true });
  });

  it('keeps what middleware before it has set on the answer', async () => {
    const app = new Hono()
      .use(requestId())
      .get('/x', requireAuth(createGuardHarness().auth), (c) => c.text(''));
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
    const { auth } = createGuardHarness();
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
