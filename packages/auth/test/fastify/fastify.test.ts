import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Claims } from '../../src/claims.ts';
import { AuthError } from '../../src/errors.ts';
import { authErrorHandler } from '../../src/fastify/auth-error-handler.ts';
import { requireAuth, requireScope } from '../../src/fastify/guards.ts';
import { mountSessions } from '../../src/fastify/mount-sessions.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { forgeToken } from '../forge-token.ts';
import { cookies, setStage } from '../guards/stage.ts';
import { sessionHost } from '../sessions/session-host.ts';

describe('a guard in Fastify', () => {
  it('keeps the handler from running while an onSend hook delays the refusal', async () => {
    const { auth } = setStage();
    const app = fastify();
    const reached: string[] = [];
    app.addHook('onSend', async () => await new Promise<void>((resolve) => void setTimeout(resolve, 20)));
    app.get('/x', { onRequest: [requireAuth(auth), requireScope('admin')] }, async () => {
      reached.push('/x');
      return {};
    });
    expect((await app.inject('/x')).statusCode).toBe(401);
    expect(reached).toEqual([]);
  });

  it('answers before the body is read, in onRequest', async () => {
    const app = fastify();
    app.post('/x', { onRequest: requireAuth(setStage().auth) }, async () => ({}));
    const response = await app.inject({
      method: 'POST',
      url: '/x',
      headers: { 'content-type': 'application/json' },
      payload: '{not json',
    });
    expect(response.statusCode).toBe(401);
  });

  it('guards a whole context, its unknown routes included', async () => {
    const app = fastify();
    app.register(
      (scope, _options, done) => {
        scope.addHook('onRequest', requireAuth(setStage().auth));
        scope.setNotFoundHandler((_request, reply) => void reply.code(404).send());
        scope.get('/x', async () => ({}));
        done();
      },
      { prefix: '/api/admin' },
    );
    app.get('/open', async () => ({}));
    const statusOf = async (url: string) => (await app.inject(url)).statusCode;
    expect(await Promise.all(['/api/admin/x', '/api/admin/y', '/open'].map(statusOf))).toEqual([
      401, 401, 200,
    ]);
  });

  it('gives its claims through a decorator of the host’s own', async () => {
    const app = fastify();
    app.decorateRequest('who', {
      getter() {
        return claimsOf(this);
      },
    });
    app.get('/x', { onRequest: requireAuth(setStage().auth) }, async (request) => ({
      uid: request.getDecorator<Claims>('who').uid,
    }));
    const response = await app.inject({ url: '/x', headers: cookies(forgeToken()) });
    expect(response.json()).toEqual({ uid: '42' });
  });
});

describe('authErrorHandler', () => {
  it('leaves every other error to the surrounding context, at last to Fastify', async () => {
    const app = fastify();
    app.setErrorHandler(async (error, _request, reply) => {
      if (error instanceof RangeError) return await reply.code(418).send('of the surroundings');
      throw error;
    });
    app.register((scope, _options, done) => {
      scope.setErrorHandler(authErrorHandler());
      scope.get('/busy', async () => {
        throw new AuthError('hashing_busy', 'x');
      });
      scope.get('/range', async () => {
        throw new RangeError('x');
      });
      scope.get('/other', async () => {
        throw new Error('of the handler');
      });
      done();
    });
    const busy = await app.inject('/busy');
    expect([busy.statusCode, busy.json().code]).toEqual([503, 'hashing_busy']);
    expect(busy.headers['content-type']).toBe('application/problem+json');
    expect((await app.inject('/range')).body).toBe('of the surroundings');
    expect((await app.inject('/other')).json()).toMatchObject({ statusCode: 500, message: 'of the handler' });
  });
});

describe('mountSessions in Fastify', () => {
  it('refuses a prefix that its path does not lie below, while the app starts', async () => {
    const app = fastify();
    app.register(mountSessions({ handler: async () => new Response(), basePath: '/api/auth' }), {
      prefix: '/apis',
    });
    await expect(app.ready()).rejects.toThrow(/\/api\/auth does not lie below the prefix \/apis/);
  });

  it('runs the hooks of the app, and leaves its parsers as they are', async () => {
    const app = fastify();
    app.addHook('onSend', async (_request, reply) => void reply.header('x-hook', 'ran'));
    app.register(
      mountSessions({ handler: async (request) => new Response(await request.text()), basePath: '/auth' }),
    );
    app.post('/parsed', async (request) => request.body);
    const json = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: '{ "a": 1 }',
    } as const;
    const mounted = await app.inject({ ...json, url: '/auth/login' });
    expect([mounted.body, mounted.headers['x-hook']]).toEqual(['{ "a": 1 }', 'ran']);
    expect((await app.inject({ ...json, url: '/parsed' })).body).toBe('{"a":1}');
    expect((await app.inject({ ...json, url: '/parsed', payload: '{' })).statusCode).toBe(400);
  });

  it('answers a malformed Content-Type as every other, and shows it to the hooks of the app', async () => {
    const app = fastify();
    const seen: unknown[] = [];
    for (const hook of ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const) {
      app.addHook(hook, async (request: { headers: Record<string, unknown> }) => {
        seen.push(request.headers['content-type'], request.headers['x-a']);
      });
    }
    const { sessions } = sessionHost();
    app.register(mountSessions(sessions));
    const response = await app.inject({
      method: 'POST',
      url: '/api/admin/auth/login',
      headers: { 'content-type': 'application', 'x-a': 'b' },
      payload: '{"login":"7","password":"wrong"}',
    });
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect([response.statusCode, response.json().code]).toEqual([401, 'invalid_credentials']);
    expect(seen).toEqual(Array(4).fill(['application', 'b']).flat());
    await app.inject({ url: '/api/admin/auth/me', headers: { 'content-type': 'application', 'x-a': 'b' } });
    expect(seen).toEqual(Array(8).fill(['application', 'b']).flat());
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

  it('reads the body that a preParsing hook has put in the place of the request', async () => {
    const app = fastify();
    app.addHook('preParsing', async (_request, _reply, payload) => {
      const { Transform } = await import('node:stream');
      const upper = new Transform({
        transform: (chunk, _encoding, done) => done(null, String(chunk).toUpperCase()),
      });
      return payload.pipe(upper);
    });
    app.register(mountSessions(async (request) => new Response(await request.text())));
    const response = await app.inject({ method: 'POST', url: '/', payload: { a: 'b' } });
    expect(response.body).toBe('{"A":"B"}');
  });
});
