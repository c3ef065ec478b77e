import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createAuth, type ScopeOf } from '../../src/auth.ts';
import type { Claims } from '../../src/claims.ts';
import * as forExpress from '../../src/express/guards.ts';
import * as forFastify from '../../src/fastify/guards.ts';
import { mountSessions as fastifyPlugin } from '../../src/fastify/mount-sessions.ts';
import { guarded } from '../../src/fetch/guarded.ts';
import * as forFetch from '../../src/fetch/guards.ts';
import * as forHono from '../../src/hono/guards.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { assertRecentLogin } from '../../src/index.ts';
import { KEY } from '../tokens/forge-token.ts';

const auth = createAuth({ signingKey: KEY, scopes: ['admin', 'admin:webhooks'] });
type Scope = 'admin' | 'admin:webhooks';

/** Checked by `tsc`: each `@ts-expect-error` fails the type check when the error is gone. */
describe('the types of every adapter', () => {
  it('make a misspelt scope a compile error', () => {
    forFastify.requireScope(auth, 'admin');
    forFastify.requireScope<typeof auth>('admin:webhooks');
    forFastify.requireScope('anything');
    // @ts-expect-error: no such scope
    expect(() => forFastify.requireScope(auth, 'admn')).toThrow(TypeError);
    // @ts-expect-error: no such scope
    forFastify.requireScope<typeof auth>('admn');

    forHono.requireScope(auth, 'admin');
    forHono.requireScope<typeof auth>('admin:webhooks');
    forHono.requireScope('anything');
    // @ts-expect-error: no such scope
    expect(() => forHono.requireScope(auth, 'admn')).toThrow(TypeError);
    // @ts-expect-error: no such scope
    forHono.requireScope<typeof auth>('admn');

    forFetch.requireScope(auth, 'admin');
    forFetch.requireScope<typeof auth>('admin:webhooks');
    forFetch.requireScope('anything');
    // @ts-expect-error: no such scope
    expect(() => forFetch.requireScope(auth, 'admn')).toThrow(TypeError);
    // @ts-expect-error: no such scope
    forFetch.requireScope<typeof auth>('admn');
  });
});

describe('assertRecentLogin', () => {
  it('takes the claims of any instance, and no request', async () => {
    const request = new Request('http://127.0.0.1/');
    const late = async () => assertRecentLogin(await auth.authenticate(request), 300);
    await expect(late()).rejects.toThrow('token');
    // @ts-expect-error: the claims, not the request
    expect(() => assertRecentLogin(request, 300)).toThrow(TypeError);
    // @ts-expect-error: the time is not optional
    expect(() => assertRecentLogin(claimsOf(request))).toThrow(Error);
  });
});

describe('requireRecentLogin', () => {
  it('takes seconds, and stands behind requireAuth in every adapter', () => {
    forExpress.requireRecentLogin(300);
    forFastify.requireRecentLogin(300);
    new Hono().delete('/x', forHono.requireAuth(auth), forHono.requireRecentLogin(300), (c) => {
      expectTypeOf(c.var.claims).toEqualTypeOf<Claims<Scope>>();
      expectTypeOf(c.var.claims.authTime).toEqualTypeOf<number | undefined>();
      return c.body(null);
    });
    guarded([forFetch.requireAuth(auth), forFetch.requireRecentLogin(300)], () => new Response());
    // @ts-expect-error: it takes no instance
    expect(() => forExpress.requireRecentLogin(auth, 300)).toThrow(TypeError);
    // @ts-expect-error: whole seconds, not text
    expect(() => forHono.requireRecentLogin('5m')).toThrow(TypeError);
  });
});

describe('Fastify', () => {
  it('takes guards and plugin over HTTP/1 and HTTP/2, and keeps the types of a route', () => {
    const guards = [forFastify.requireAuth(auth), forFastify.requireScope(auth, 'admin')];
    const app = fastify();
    app.get<{ Params: { id: string } }>('/users/:id', { onRequest: guards }, async (request) => {
      expectTypeOf(request.params.id).toEqualTypeOf<string>();
      expectTypeOf(claimsOf<ScopeOf<typeof auth>>(request)).toEqualTypeOf<Claims<Scope>>();
      return {};
    });
    void app.register(fastifyPlugin(async () => new Response()));
    const overHttp2 = fastify({ http2: true });
    overHttp2.addHook('onRequest', forFastify.requireAuth(auth));
    overHttp2.addHook('preHandler', forFastify.requireSameOrigin(auth));
    overHttp2.get('/x', { onRequest: guards, preHandler: guards }, async () => ({}));
    void overHttp2.register(fastifyPlugin(async () => new Response()));
    expect(app.hasRoute({ method: 'GET', url: '/users/:id' })).toBe(true);
  });
});

describe('Hono', () => {
  it('knows the claims in the chain behind a guard', async () => {
    const app = new Hono().get(
      '/users/:id',
      forHono.requireAuth(auth),
      forHono.requireScope(auth, 'admin'),
      (c) => {
        expectTypeOf(c.req.param('id')).toEqualTypeOf<string>();
        expectTypeOf(c.var.claims).toEqualTypeOf<Claims<Scope>>();
        expectTypeOf(c.get('claims')).toEqualTypeOf<Claims<Scope>>();
        // @ts-expect-error: no such scope
        return c.json({ isRoot: c.var.claims.hasScope('root') });
      },
    );
    expect((await app.request('/users/1')).status).toBe(401);
  });

  it('knows nothing of claims where no guard is in the chain', () => {
    const app = new Hono();
    app.get('/x', (c) => {
      // @ts-expect-error: nobody has set it
      return c.json({ uid: c.var.claims.uid });
    });
    const declared = new Hono<forHono.AuthEnv<ScopeOf<typeof auth>>>();
    declared.use('*', forHono.requireAuth(auth));
    declared.get('/x', (c) => {
      expectTypeOf(c.var.claims).toEqualTypeOf<Claims<Scope>>();
      return c.text('');
    });
    expect(app.routes).toHaveLength(1);
  });
});

describe('fetch', () => {
  it('keeps what the runtime passes beside the request', async () => {
    interface RouteContext {
      readonly params: { readonly id: string };
    }
    const route = forFetch.requireAuth(auth)((_request, { params }: RouteContext) => new Response(params.id));
    expectTypeOf(route).toEqualTypeOf<(request: Request, context: RouteContext) => Promise<Response>>();
    const both = guarded(
      [forFetch.requireAuth(auth), forFetch.requireScope(auth, 'admin')],
      (_request, { params }: RouteContext) => new Response(params.id),
    );
    expectTypeOf(both).toEqualTypeOf<(request: Request, context: RouteContext) => Promise<Response>>();
    expect((await both(new Request('http://localhost/'), { params: { id: '1' } })).status).toBe(401);
  });
});
